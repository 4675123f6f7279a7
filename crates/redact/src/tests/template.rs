//! Fills the examples of the table with made-up characters.
//!
//! `{w36}` stands for 36 characters of the class `w`. Anything else between braces stays.

/// A generator of pseudo-random numbers (`SplitMix64`), so that a failure can be repeated.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn roll(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((mixed ^ (mixed >> 31)) >> 33).unwrap() % n
    }
}

/// An example with its blanks filled in.
pub(crate) struct Filled {
    pub(crate) text: String,
    /// The values filled in, if long enough not to occur by chance.
    pub(crate) secrets: Vec<String>,
}

pub(crate) fn fill(template: &str, dice: &mut Dice) -> Filled {
    let mut filled = Filled { text: String::new(), secrets: Vec::new() };
    let mut rest = template;
    while let Some(open) = rest.find('{') {
        filled.text.push_str(&rest[..open]);
        let inner = &rest[open + 1..];
        let blank = inner.find('}').and_then(|close| Some((close, characters(&inner[..close], dice)?)));
        if let Some((close, characters)) = blank {
            filled.text.push_str(&characters);
            if characters.len() >= 8 {
                filled.secrets.push(characters);
            }
            rest = &inner[close + 1..];
        } else {
            filled.text.push('{');
            rest = inner;
        }
    }
    filled.text.push_str(rest);
    filled
}

fn characters(blank: &str, dice: &mut Dice) -> Option<String> {
    const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    const LOWER: &str = "abcdefghijklmnopqrstuvwxyz";
    const DIGITS: &str = "0123456789";
    let alphabet = match blank.chars().next()? {
        'w' => [UPPER, LOWER, DIGITS].concat(),
        'b' => [UPPER, LOWER, DIGITS, "_-"].concat(),
        's' => [UPPER, LOWER, DIGITS, "+/"].concat(),
        'A' => [UPPER, DIGITS].concat(),
        'l' => [LOWER, DIGITS].concat(),
        'h' => [DIGITS, "abcdef"].concat(),
        'X' => [DIGITS, "ABCDEF"].concat(),
        'd' => DIGITS.to_owned(),
        _ => return None,
    };
    let n: usize = blank[1..].parse().ok()?;
    let pick = |_| char::from(alphabet.as_bytes()[dice.roll(alphabet.len())]);
    Some((0..n).map(pick).collect())
}
