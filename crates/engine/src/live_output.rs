//! The output of an attempt, reported while its programs run.
//!
//! The runner passes each line after redaction. [`LiveOutput`] reports lines up to a limit; the rest
//! is in the record of the run.

use std::cell::RefCell;

use automation::OutputStream;
use runner::Source;

/// Receives reported output.
pub(crate) type Show<'a> = &'a dyn Fn(OutputStream, String);

/// Reported in place of the output beyond the limit.
const TRUNCATED: &str = "[output truncated; the rest is logged when the run ends]\n";

/// The outputs of one attempt.
pub(crate) struct LiveOutput<'a> {
    show: Show<'a>,
    stdout: RefCell<Quota>,
    stderr: RefCell<Quota>,
}

/// How many bytes of an output may still be reported; `None` after the limit was exceeded.
struct Quota(Option<usize>);

impl<'a> LiveOutput<'a> {
    pub(crate) fn new(show: Show<'a>, limit: usize) -> Self {
        let quota = || RefCell::new(Quota(Some(limit)));
        Self { show, stdout: quota(), stderr: quota() }
    }

    /// Reports output of a program within the limit.
    pub(crate) fn add(&self, source: Source, bytes: &[u8]) {
        let (output, quota) = match source {
            Source::Stdout => (OutputStream::Stdout, &self.stdout),
            Source::Stderr => (OutputStream::Stderr, &self.stderr),
        };
        let text = quota.borrow_mut().take(&String::from_utf8_lossy(bytes));
        if !text.is_empty() {
            (self.show)(output, text);
        }
    }
}

impl Quota {
    /// Returns the whole lines within the limit, then once [`TRUNCATED`].
    fn take(&mut self, text: &str) -> String {
        let Some(left) = self.0 else { return String::new() };
        if text.len() <= left {
            self.0 = Some(left - text.len());
            return text.to_owned();
        }
        self.0 = None;
        let n_whole = text.bytes().take(left).rposition(|byte| byte == b'\n').map_or(0, |at| at + 1);
        format!("{}{TRUNCATED}", &text[..n_whole])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_lines_are_reported_up_to_the_limit_of_each_output_and_then_that_there_is_more() {
        let reported = RefCell::new(Vec::new());
        let show = |output, text| reported.borrow_mut().push((output, text));
        let live = LiveOutput::new(&show, 10);
        for (source, text) in [
            (Source::Stdout, "one\n"),
            (Source::Stdout, "two\nthree\nfour\n"),
            (Source::Stdout, "five\n"),
            (Source::Stderr, "err\n"),
        ] {
            live.add(source, text.as_bytes());
        }
        let expected = [
            (OutputStream::Stdout, "one\n".to_owned()),
            (OutputStream::Stdout, format!("two\n{TRUNCATED}")),
            (OutputStream::Stderr, "err\n".to_owned()),
        ];
        assert_eq!(reported.take(), expected);
    }
}
