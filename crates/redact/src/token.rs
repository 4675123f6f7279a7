//! Reads a token of known format, even if a line break splits it.

use std::ops::Range;

use crate::kind::{Part, Proof, Token};
use crate::placeholder::is_stand_in;
use crate::randomness::looks_random;
use crate::scan::MAX_SECRET;
use crate::split_token;
use crate::text::Text;

/// How much of an open-ended part is read before it is known to be a secret.
const SAMPLE: usize = 128;

/// Adds the token around the anchor at `at`, if its format matches.
pub(crate) fn read(text: &Text<'_>, at: usize, anchor: &str, shape: &Token, found: &mut Vec<Range<usize>>) {
    let Some(start) = start(text, at, shape) else { return };
    // In base64url a prefix this short occurs by chance, after its dashes.
    if anchor.len() <= 3 && text.byte_before(start).is_some_and(|byte| b"-_".contains(&byte)) {
        return;
    }
    let body = at + anchor.len();
    // `X-Amz-Signature=` or the URL of a webhook only announce a secret: they stay.
    let start = if anchor.ends_with(['=', '/', ' ']) { body } else { start };
    let n_lead = body - start;
    let plain = match_parts(shape.parts, text.from(body));
    if let FormatMatch::Whole(n) = plain
        && !convinces(shape.proof, &text.bytes[start..body + n], n_lead)
    {
        return;
    }
    let (FormatMatch::Whole(stop) | FormatMatch::Short(stop)) = plain else { return };
    let stop = whole_run(shape.parts, text, body + stop);
    if split_token::after(text, stop).is_some() {
        let joined = split_token::join(text, start, stop);
        if let FormatMatch::Whole(n) =
            match_parts(shape.parts, joined.bytes.get(n_lead..).unwrap_or_default())
        {
            let whole = &joined.bytes[..n_lead + n];
            let most = whole.len() + n_left(shape.parts, &joined.bytes[whole.len()..]);
            if convinces(shape.proof, whole, n_lead) {
                joined.ranges(joined.n_of_token(n_lead + n_least(shape.parts), most), found);
                return;
            }
        }
    }
    if matches!(plain, FormatMatch::Whole(_)) {
        found.push(start..stop);
    }
}

/// How far a string matches the parts of a format.
enum FormatMatch {
    Whole(usize),
    /// The text ran out of fitting characters at this place, too early.
    Short(usize),
    No,
}

fn start(text: &Text<'_>, at: usize, shape: &Token) -> Option<usize> {
    let start = match shape.lead {
        None => at,
        Some(lead) => {
            let n = lead.class.run_back(text.before(at, lead.most), lead.most);
            if n < lead.least {
                return None;
            }
            at - n
        }
    };
    // Telegram's addresses and libraries put `bot` before a bot's token.
    (text.starts_word(start) || shape.lead.is_some() && text.before(start, 4).ends_with(b"bot"))
        .then_some(start)
}

/// WHY a sample: a string of nothing but `sk-sk-sk-…` would otherwise be read to its end from each anchor.
fn match_parts(parts: &[Part], bytes: &[u8]) -> FormatMatch {
    let mut at = 0;
    let mut is_cut = false;
    for part in parts {
        let rest = &bytes[at..];
        match part {
            Part::Run(run) => {
                let most = run.most.min(run.least + SAMPLE);
                let n = run.class.run(rest, most);
                at += n;
                is_cut = n == most && most < run.most;
                if n < run.least {
                    return FormatMatch::Short(at);
                }
            }
            Part::Text(literal) if rest.starts_with(literal.as_bytes()) => at += literal.len(),
            Part::Text(_) => return FormatMatch::Short(at),
        }
    }
    let goes_on = bytes.get(at).is_some_and(u8::is_ascii_alphanumeric);
    if goes_on && !is_cut { FormatMatch::No } else { FormatMatch::Whole(at) }
}

/// Returns the real end of the last part if only a sample of it was read.
fn whole_run(parts: &[Part], text: &Text<'_>, stop: usize) -> usize {
    stop + n_left(parts, text.from(stop))
}

/// Returns how far the last part continues in `rest` if it is open-ended.
fn n_left(parts: &[Part], rest: &[u8]) -> usize {
    match parts.last() {
        Some(Part::Run(run)) if run.most == usize::MAX => run.class.run(rest, MAX_SECRET),
        _ => 0,
    }
}

/// Returns the length of the shortest token of these parts.
fn n_least(parts: &[Part]) -> usize {
    let least = |part: &Part| match part {
        Part::Run(run) => run.least,
        Part::Text(literal) => literal.len(),
    };
    parts.iter().map(least).sum()
}

fn convinces(proof: Proof, token: &[u8], n_lead: usize) -> bool {
    let body = &token[n_lead.min(token.len())..];
    let body = if body.is_empty() { token } else { body };
    (proof == Proof::Shape || looks_random(body)) && !is_stand_in(body)
}
