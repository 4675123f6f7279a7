//! Reads the lines of a trace block by block, so that a million of them fit in little memory and only
//! the relevant ones are decoded.

use std::io::{self, Read};
use std::ops::ControlFlow;

use memchr::{memchr, memmem, memrchr};

const BLOCK: usize = 1024 * 1024;

/// Passes every line that contains a string to `each`, in order, until `each` stops it.
pub(super) fn lines_with(
    trace: impl Read,
    text: &[u8],
    mut each: impl FnMut(&[u8]) -> ControlFlow<()>,
) -> io::Result<()> {
    let finder = memmem::Finder::new(text);
    blocks(trace, |block| {
        let mut from = 0;
        while let Some(at) = finder.find(&block[from..]).map(|at| from + at) {
            let start = memrchr(b'\n', &block[..at]).map_or(0, |at| at + 1);
            let end = memchr(b'\n', &block[at..]).map_or(block.len(), |length| at + length);
            each(&block[start..end])?;
            from = end;
        }
        ControlFlow::Continue(())
    })
}

/// Passes every line to `each`, with its number from one, without empty lines.
pub(super) fn all_lines(trace: impl Read, mut each: impl FnMut(usize, &[u8])) -> io::Result<()> {
    let mut number = 0;
    blocks(trace, |block| {
        for line in block.split_inclusive(|byte| *byte == b'\n') {
            number += 1;
            let line = line.strip_suffix(b"\n").unwrap_or(line);
            if !line.trim_ascii().is_empty() {
                each(number, line);
            }
        }
        ControlFlow::Continue(())
    })
}

/// Passes blocks of complete lines; only the last may lack its line break.
fn blocks(mut trace: impl Read, mut each: impl FnMut(&[u8]) -> ControlFlow<()>) -> io::Result<()> {
    let mut buffer = vec![0; BLOCK];
    let mut filled = 0;
    loop {
        if filled == buffer.len() {
            // One line is longer than the buffer.
            buffer.resize(buffer.len() * 2, 0);
        }
        match trace.read(&mut buffer[filled..]) {
            Ok(0) => {
                if filled > 0 {
                    let _ = each(&buffer[..filled]);
                }
                return Ok(());
            }
            Ok(n_read) => {
                // Earlier iterations processed the line breaks among the old bytes.
                let whole = memrchr(b'\n', &buffer[filled..filled + n_read]).map(|at| filled + at + 1);
                filled += n_read;
                if let Some(whole) = whole {
                    if each(&buffer[..whole]).is_break() {
                        return Ok(());
                    }
                    buffer.copy_within(whole..filled, 0);
                    filled -= whole;
                }
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_whole_however_they_are_read() {
        struct Drip<'a>(&'a [u8], usize);
        impl Read for Drip<'_> {
            fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
                let n_bytes = self.1.min(self.0.len()).min(into.len());
                into[..n_bytes].copy_from_slice(&self.0[..n_bytes]);
                self.0 = &self.0[n_bytes..];
                Ok(n_bytes)
            }
        }
        let text = b"one x\n\ntwo\nthree x y x\nlast x";
        for step in 1..=text.len() {
            let (mut with, mut all) = (Vec::new(), Vec::new());
            lines_with(Drip(text, step), b"x", |line| {
                with.push(String::from_utf8_lossy(line).into_owned());
                ControlFlow::Continue(())
            })
            .unwrap();
            all_lines(Drip(text, step), |number, _| all.push(number)).unwrap();
            assert_eq!(with, ["one x", "three x y x", "last x"], "{step}");
            assert_eq!(all, [1, 3, 4, 5], "{step}");
            let mut n_lines = 0;
            lines_with(Drip(text, step), b"x", |_| {
                n_lines += 1;
                if n_lines == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })
            .unwrap();
            assert_eq!(n_lines, 2, "{step}");
        }
    }
}
