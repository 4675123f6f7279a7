//! What a try prints, told while it works.
//!
//! Lines come here redacted, as soon as no secret can be in them. They are told up to a limit; what is
//! beyond it stands in the record of the run's end.

use std::cell::RefCell;

use automation::Output;
use runner::Source;

/// Takes what was printed.
pub(crate) type Show<'a> = &'a dyn Fn(Output, String);

/// Told in the place of what is beyond the limit.
const MORE: &str = "[more is told when the run has ended]\n";

/// The outputs of one try.
pub(crate) struct Live<'a> {
    show: Show<'a>,
    stdout: RefCell<Left>,
    stderr: RefCell<Left>,
}

/// How many bytes of an output may still be told.
struct Left(Option<usize>);

impl<'a> Live<'a> {
    pub(crate) fn new(show: Show<'a>, limit: usize) -> Self {
        let left = || RefCell::new(Left(Some(limit)));
        Self { show, stdout: left(), stderr: left() }
    }

    /// Takes what a program printed.
    pub(crate) fn hear(&self, source: Source, bytes: &[u8]) {
        let (output, left) = match source {
            Source::Stdout => (Output::Stdout, &self.stdout),
            Source::Stderr => (Output::Stderr, &self.stderr),
        };
        let told = left.borrow_mut().take(&String::from_utf8_lossy(bytes));
        if !told.is_empty() {
            (self.show)(output, told);
        }
    }
}

impl Left {
    /// Returns the whole lines that are within the limit.
    fn take(&mut self, text: &str) -> String {
        let Some(left) = self.0 else { return String::new() };
        if text.len() <= left {
            self.0 = Some(left - text.len());
            return text.to_owned();
        }
        self.0 = None;
        let n_whole = text.bytes().take(left).rposition(|byte| byte == b'\n').map_or(0, |at| at + 1);
        format!("{}{MORE}", &text[..n_whole])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_lines_are_told_up_to_the_limit_of_each_output_and_then_that_there_is_more() {
        let told = RefCell::new(Vec::new());
        let show = |output, text| told.borrow_mut().push((output, text));
        let live = Live::new(&show, 10);
        for (source, text) in [
            (Source::Stdout, "one\n"),
            (Source::Stdout, "two\nthree\nfour\n"),
            (Source::Stdout, "five\n"),
            (Source::Stderr, "err\n"),
        ] {
            live.hear(source, text.as_bytes());
        }
        let expected = [
            (Output::Stdout, "one\n".to_owned()),
            (Output::Stdout, format!("two\n{MORE}")),
            (Output::Stderr, "err\n".to_owned()),
        ];
        assert_eq!(told.take(), expected);
    }
}
