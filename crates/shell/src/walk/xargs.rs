//! `xargs` and `parallel`: a command with words from standard input behind it.

use super::invoke::quote_raw;
use super::{Call, Walker};
use crate::text::{Taint, Text};

impl Walker<'_> {
    /// `xargs cmd` and `parallel cmd`: the command with words from standard input behind it.
    pub(super) fn xargs(&mut self, call: &Call) -> Text {
        const VALUES: &str = "-I -L -n -P -d -a -E -s -i --max-args --max-procs --delimiter --arg-file --replace -j --jobs --colsep -S";
        let mut at = 0;
        let mut place = if call.name == "parallel" { Some("{}".to_owned()) } else { None };
        let mut is_null = false;
        let rest = call.rest();
        while let Some(arg) = rest.get(at) {
            let text = arg.text.as_str();
            if !text.starts_with('-') {
                break;
            }
            is_null |= matches!(text, "-0" | "--null" | "-0r" | "-r0" | "-d");
            if matches!(text, "-I" | "--replace") {
                place = rest.get(at + 1).map(|arg| arg.text.clone());
            } else if let Some(inline) = text.strip_prefix("-I").or_else(|| text.strip_prefix("--replace=")) {
                place = Some(inline.to_owned());
            } else if text == "-i" {
                place = Some("{}".to_owned());
                at += 1;
                continue;
            }
            at += if VALUES.split(' ').any(|value| value == text) { 2 } else { 1 };
        }
        let mut inner: Vec<Text> = rest.get(at..).unwrap_or(&[]).to_vec();
        let mut given: Vec<Text> = Vec::new();
        if let Some(colons) = inner.iter().position(|arg| matches!(arg.text.as_str(), ":::" | "::::")) {
            given = inner.split_off(colons)[1..].to_vec();
        }
        let input = self.state.stdin.clone();
        if given.is_empty() {
            given = match &input {
                Some(input) if place.is_some() || is_null => input.split("\n\0"),
                Some(input) => input.split(" \t\n\0"),
                None => Vec::new(),
            };
        }
        let taint = input.as_ref().map_or(Taint::TYPED, |input| input.taint);
        if given.is_empty() {
            given = vec![Text::unknown("$_input", taint)];
        }
        given.truncate(64);
        if inner.is_empty() {
            if call.name == "parallel" {
                // Each line is a command of its own.
                let text = input.unwrap_or_else(|| Text::unknown("$_input", Taint::TYPED));
                return self.run_text(&text, call, "stdin");
            }
            inner.push(Text::known("echo"));
        }
        self.via.push(call.name.clone());
        let output = self.subshell(|walker| {
            walker.state.stdin = None;
            match place {
                Some(mark) if !mark.is_empty() && inner.iter().any(|arg| arg.text.contains(&mark)) => {
                    let mut output = Text::default();
                    for value in given.iter().take(12) {
                        let argv: Vec<Text> = inner.iter().map(|arg| substitute(arg, &mark, value)).collect();
                        output.push(&walker.invoke_words(argv, call));
                    }
                    output
                }
                _ => {
                    inner.extend(given);
                    walker.invoke_words(inner, call)
                }
            }
        });
        self.via.pop();
        output
    }

    /// Runs words that `parallel` may give as one shell text.
    fn invoke_words(&mut self, argv: Vec<Text>, call: &Call) -> Text {
        match argv.first() {
            Some(first) if call.name == "parallel" && first.text.contains(' ') => {
                let line = argv.iter().map(quote_raw).collect::<Vec<_>>().join(" ");
                self.run_text(&Text::known(line), call, "parallel")
            }
            _ => self.invoke(argv, call.span),
        }
    }
}

/// Replaces `mark` in a word by `value`.
pub(super) fn substitute(arg: &Text, mark: &str, value: &Text) -> Text {
    if !arg.text.contains(mark) {
        return arg.clone();
    }
    let mut result = Text { taint: arg.taint, ..Text::default() };
    let mut from = 0;
    while let Some(at) = arg.text[from..].find(mark).map(|at| at + from) {
        result.push(&arg.slice(from, at));
        result.push(value);
        from = at + mark.len();
    }
    result.push(&arg.slice(from, arg.text.len()));
    result
}
