//! Splits the words of a command into options and operands.

use crate::text::Text;

/// Options and operands of one command.
#[derive(Debug, Default)]
pub(crate) struct Args<'a> {
    options: Vec<Flag<'a>>,
    /// Words that are neither options nor their values.
    pub operands: Vec<&'a Text>,
}

#[derive(Debug)]
struct Flag<'a> {
    word: &'a str,
    value: Option<Text>,
}

impl<'a> Args<'a> {
    /// Splits `words`; `values` lists the options that take one, separated by blanks.
    pub(crate) fn parse(words: &'a [Text], values: &str) -> Self {
        let mut args = Self::default();
        let mut rest = words.iter();
        while let Some(word) = rest.next() {
            let text = word.text.as_str();
            let starts_known = word.holes.first().is_none_or(|(start, _)| *start > 0);
            if text == "--" {
                args.operands.extend(rest);
                break;
            }
            if text.len() < 2 || !text.starts_with('-') || !starts_known {
                args.operands.push(word);
                continue;
            }
            if let Some(equals) = text.find('=').filter(|_| text.starts_with("--")) {
                args.options
                    .push(Flag { word: &text[..equals], value: Some(word.slice(equals + 1, text.len())) });
            } else if let Some(equals) =
                text.find('=').filter(|at| *at > 2 && takes_value(values, &text[..*at]))
            {
                // `-out=plan` of programs written in Go.
                args.options
                    .push(Flag { word: &text[..equals], value: Some(word.slice(equals + 1, text.len())) });
            } else if takes_value(values, text) {
                args.options.push(Flag { word: text, value: rest.next().cloned() });
            } else if !text.starts_with("--")
                && text.len() > 2
                && text.is_char_boundary(2)
                && takes_value(values, &text[..2])
            {
                args.options.push(Flag { word: &text[..2], value: Some(word.slice(2, text.len())) });
            } else {
                let clustered = !text.starts_with("--")
                    && text.len() > 2
                    && text[1..].bytes().all(|byte| byte.is_ascii_alphanumeric())
                    && takes_value(values, &format!("-{}", &text[text.len() - 1..]));
                let value = if clustered { rest.next().cloned() } else { None };
                args.options.push(Flag { word: text, value });
            }
        }
        args
    }

    /// Whether one of the options, separated by `|`, is given: alone, in a cluster, or abbreviated.
    pub(crate) fn has(&self, names: &str) -> bool {
        names.split('|').any(|name| self.options.iter().any(|flag| is(flag.word, name)))
    }

    /// Returns the values of an option, `|` between its names.
    pub(crate) fn values(&self, names: &str) -> Vec<&Text> {
        self.options
            .iter()
            .filter(|flag| names.split('|').any(|name| is(flag.word, name)))
            .filter_map(|flag| flag.value.as_ref())
            .collect()
    }

    /// Returns the operands as text.
    pub(crate) fn words(&self) -> impl Iterator<Item = &str> {
        self.operands.iter().map(|operand| operand.text.as_str())
    }

    /// Returns the operand at `index` as text, or nothing.
    pub(crate) fn word(&self, index: usize) -> &str {
        self.operands.get(index).map_or("", |operand| operand.text.as_str())
    }
}

fn takes_value(values: &str, option: &str) -> bool {
    !values.is_empty() && values.split(' ').any(|value| value == option)
}

/// Whether a written option means `name`.
fn is(word: &str, name: &str) -> bool {
    if word == name {
        return true;
    }
    if name.len() == 2 && !word.starts_with("--") {
        // In a cluster of letters: `-rf` has `-r`.
        return word.len() > 2
            && word.len() <= 8
            && word[1..].bytes().all(|byte| byte.is_ascii_alphanumeric())
            && word[1..].contains(&name[1..]);
    }
    // GNU programs take abbreviations: `--recurs`.
    name.starts_with("--") && word.len() >= 5 && word.starts_with("--") && name.starts_with(word)
}
