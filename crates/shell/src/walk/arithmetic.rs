//! Arithmetic: bash evaluates the value of a variable as an expression again, with subscripts and substitutions in it.
//!
//! WHY: `x='a[$(touch y)]'; echo $((x))` runs `touch`. So an operand is harmless only if its value is a number.

use super::Walker;
use crate::reading::{Doubt, Origin, Span};
use crate::text::{Taint, Text};

/// The result of arithmetic whose operands are not known; still a number.
pub(super) const NUMBER: &str = "$((…))";

/// Variables that the shell itself sets to numbers.
const NUMBERS: [&str; 20] = [
    "RANDOM",
    "SRANDOM",
    "SECONDS",
    "EPOCHSECONDS",
    "LINENO",
    "UID",
    "EUID",
    "PPID",
    "BASHPID",
    "COLUMNS",
    "LINES",
    "HISTCMD",
    "SHLVL",
    "OPTIND",
    "BASH_SUBSHELL",
    "COMP_CWORD",
    "COMP_POINT",
    "NR",
    "HISTSIZE",
    "PIPESTATUS",
];

/// Values within values that are followed.
const DEPTH: usize = 4;

impl Walker<'_> {
    /// Records a doubt if an operand of `expression` may be more than a number.
    pub(super) fn arithmetic(&mut self, expression: &Text, span: Span) {
        self.operands(expression, span, DEPTH);
    }

    fn operands(&mut self, expression: &Text, span: Span, depth: usize) {
        let text = expression.text.as_str();
        let unsafe_hole = expression.holes.iter().any(|(start, end)| !is_number_hole(&text[*start..*end]));
        if unsafe_hole || depth == 0 {
            self.doubt(Doubt::Code, text.chars().take(80).collect::<String>(), span);
        }
        if text.contains("$(") && !text.contains(NUMBER) || text.contains('`') {
            self.substituted(text, span);
        }
        let in_hole = |at: usize| expression.holes.iter().any(|(start, end)| (*start..*end).contains(&at));
        let bytes = text.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            let start = at;
            while at < bytes.len() && (bytes[at].is_ascii_alphanumeric() || bytes[at] == b'_') {
                at += 1;
            }
            if at == start {
                at += 1;
                continue;
            }
            // `0x1F`, `16#ff` and `$name` are no names of variables here.
            let follows = start.checked_sub(1).map_or(b' ', |before| bytes[before]);
            if bytes[start].is_ascii_digit() || matches!(follows, b'$' | b'#' | b'{') || in_hole(start) {
                continue;
            }
            let name = text[start..at].to_owned();
            let behind = text[at..].trim_start();
            let before = text[..start].trim_end();
            let is_set = behind.starts_with("++")
                || behind.starts_with("--")
                || before.ends_with("++")
                || before.ends_with("--")
                || behind.starts_with('=') && !behind.starts_with("==");
            if is_set && self.state.variable(&name).is_none() {
                self.state.assign(&name, Text::unknown(NUMBER, Taint::PRINTED));
                continue;
            }
            self.operand(&name, span, depth);
        }
    }

    fn operand(&mut self, name: &str, span: Span, depth: usize) {
        if NUMBERS.contains(&name) {
            return;
        }
        let Some(variable) = self.state.variable(name) else {
            self.doubt(Doubt::Code, name, span);
            return;
        };
        let mut values = variable.values.clone();
        values.extend(variable.elements.iter().flatten().cloned());
        for value in values {
            let is_number = value.is_known() && value.text.trim().parse::<i64>().is_ok()
                || value.text.is_empty()
                || !value.is_known() && is_number_hole(&value.text);
            if !is_number {
                self.operands(&value, span, depth - 1);
            }
        }
    }

    /// The words of `[[ … ]]`: operands of `-eq` and its like are arithmetic, the name behind `-v` may have a subscript.
    pub(super) fn test(&mut self, words: &[(Text, Span)]) {
        for (at, (word, span)) in words.iter().enumerate() {
            if matches!(word.text.as_str(), "-eq" | "-ne" | "-lt" | "-le" | "-gt" | "-ge") {
                let sides = [at.checked_sub(1), Some(at + 1)];
                for (side, _) in sides.into_iter().flatten().filter_map(|side| words.get(side)) {
                    self.arithmetic(side, *span);
                }
            }
            if word.text == "-v"
                && let Some((name, _)) = words.get(at + 1)
            {
                self.subscripted(name, *span);
            }
        }
    }

    /// A name that may have a subscript: `unset 'a[$(x)]'`, `[[ -v a[$x] ]]`, `printf -v 'a[…]'`.
    pub(super) fn subscripted(&mut self, name: &Text, span: Span) {
        let Some((_, subscript)) = name.text.split_once('[') else { return };
        let is_plain = subscript.trim_end_matches(']').bytes().all(|byte| byte.is_ascii_alphanumeric());
        if !name.is_known() || !is_plain && !matches!(subscript, "@]" | "*]") {
            self.doubt(Doubt::Code, name.text.chars().take(80).collect::<String>(), span);
            self.substituted(&name.text, span);
        }
    }

    /// Follows the substitutions in text that the shell expands once more.
    pub(super) fn substituted(&mut self, text: &str, span: Span) {
        let line = format!(": \"{}\"", text.replace('"', "\\\""));
        self.subshell(|walker| {
            walker.state.stdin = None;
            drop(walker.text(&line, span, Origin::Text("arithmetic".to_owned())));
        });
    }
}

/// Returns whether an unknown part of an expression is a number: the result of arithmetic, a length, a count, or the
/// output of a command.
fn is_number_hole(hole: &str) -> bool {
    hole == NUMBER
        || hole.starts_with("${#")
        || matches!(hole, "$#" | "$?" | "$$" | "$!" | "$_output")
        || hole.strip_prefix('$').is_some_and(|name| NUMBERS.contains(&name))
}
