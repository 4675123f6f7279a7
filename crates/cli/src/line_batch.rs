//! Answers the lines of stdin in their order, on every core: the `--batch` of `shell explain` and `redact`.
//!
//! The calling thread reads blocks of whole lines and hands them to the workers in turn; it collects the answers in
//! the same turn, so the order needs no sorting and at most two blocks per worker are in memory.

use std::io::{Read, Write};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use anyhow::Context;

/// Answers every line of `input` that is not blank. `answer` appends one answer without a line break.
///
/// `block_size` is the number of bytes that are worth the way to another thread. Input of at most one block is
/// answered without a thread.
pub(crate) fn answer_lines<A>(
    input: &mut impl Read,
    output: &mut impl Write,
    block_size: usize,
    answer: A,
) -> anyhow::Result<()>
where
    A: Fn(&[u8], &mut Vec<u8>) + Sync,
{
    arena::Arena::use_pools();
    let mut blocks = Blocks { input, unfinished: Vec::new(), size: block_size, is_at_end: false };
    let answer_block = |block: &[u8]| {
        let mut answers = Vec::with_capacity(block.len() * 2);
        // Bytes, not text: a line with invalid UTF-8 must not prevent the answers to the others.
        //
        // WHY memchr: this crate is compiled for size. A closure per byte took half of the instructions of `redact`.
        let mut start = 0;
        for end in memchr::memchr_iter(b'\n', block).chain([block.len()]) {
            let line = &block[start..end];
            start = end + 1;
            if !line.trim_ascii_start().is_empty() {
                answer(line, &mut answers);
                answers.push(b'\n');
            }
        }
        answers
    };
    let Some(first) = blocks.next()? else { return Ok(()) };
    let n_workers = thread::available_parallelism().map_or(1, usize::from);
    if blocks.is_at_end || n_workers == 1 {
        let mut block = Some(first);
        while let Some(lines) = block {
            output.write_all(&answer_block(&lines)).context("cannot write to stdout")?;
            block = blocks.next()?;
        }
        return Ok(());
    }
    thread::scope(|scope| {
        let workers: Vec<Worker> = (0..n_workers)
            .map(|_| {
                let (blocks, to_answer) = sync_channel::<Vec<u8>>(2);
                let (done, answers) = sync_channel(2);
                let answer_block = &answer_block;
                scope.spawn(move || {
                    // The calling thread has gone once it cannot write: the rest is not wanted.
                    while let Ok(block) = to_answer.recv()
                        && done.send(answer_block(&block)).is_ok()
                    {}
                });
                Worker { blocks, answers }
            })
            .collect();
        let mut n_sent = 0;
        let mut n_written = 0;
        let mut block = Some(first);
        while let Some(lines) = block {
            if n_sent - n_written == n_workers * 2 {
                workers[n_written % n_workers].write_answers(output)?;
                n_written += 1;
            }
            workers[n_sent % n_workers].blocks.send(lines).context("a thread of the batch has ended")?;
            n_sent += 1;
            block = blocks.next()?;
        }
        for turn in n_written..n_sent {
            workers[turn % n_workers].write_answers(output)?;
        }
        Ok(())
    })
}

/// The ends of the channels to one thread.
struct Worker {
    blocks: SyncSender<Vec<u8>>,
    answers: Receiver<Vec<u8>>,
}

impl Worker {
    /// Writes the answers to the oldest block of this thread that has none yet.
    fn write_answers(&self, output: &mut impl Write) -> anyhow::Result<()> {
        let answers = self.answers.recv().context("a thread of the batch has ended")?;
        output.write_all(&answers).context("cannot write to stdout")
    }
}

/// Cuts input into blocks of whole lines.
struct Blocks<'a, R> {
    input: &'a mut R,
    /// The begin of a line whose end has not been read.
    unfinished: Vec<u8>,
    size: usize,
    is_at_end: bool,
}

impl<R: Read> Blocks<'_, R> {
    /// Returns the next block, without the line break at its end. Returns `None` at the end of the input.
    fn next(&mut self) -> anyhow::Result<Option<Vec<u8>>> {
        let mut block = std::mem::take(&mut self.unfinished);
        while !self.is_at_end {
            let n_before = block.len();
            let n_wanted = self.size as u64;
            let n_read = self.input.take(n_wanted).read_to_end(&mut block).context("cannot read stdin")?;
            self.is_at_end = (n_read as u64) < n_wanted;
            // Only the new part: a line of many blocks is not searched again for each.
            let last_break = memchr::memrchr(b'\n', &block[n_before..]);
            if !self.is_at_end
                && let Some(at) = last_break
            {
                self.unfinished = block.split_off(n_before + at + 1);
                block.pop();
                return Ok(Some(block));
            }
        }
        Ok((!block.is_empty()).then_some(block))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Answers with the line in brackets.
    fn answers(text: &str, block_size: usize) -> String {
        let mut output = Vec::new();
        let bracket = |line: &[u8], out: &mut Vec<u8>| {
            out.push(b'[');
            out.extend_from_slice(line);
            out.push(b']');
        };
        answer_lines(&mut text.as_bytes(), &mut output, block_size, bracket).unwrap();
        String::from_utf8(output).unwrap()
    }

    #[test]
    fn every_line_is_answered_in_order_whatever_the_size_of_a_block() {
        let many: Vec<String> = (0..500).map(|n| format!("line {n}\n\n")).collect();
        for text in [String::new(), "\n".repeat(9), many.concat()] {
            for text in [text.clone(), format!("{text}without a line break")] {
                let lines = text.lines().filter(|line| !line.is_empty());
                let expected: Vec<String> = lines.map(|line| format!("[{line}]\n")).collect();
                let expected = expected.concat();
                for block_size in [1, 2, 7, 64, 5000, 1_000_000] {
                    assert_eq!(answers(&text, block_size), expected, "blocks of {block_size}");
                }
            }
        }
    }

    #[test]
    fn a_line_of_many_blocks_stays_one_line() {
        let long = "x".repeat(10_000);
        assert_eq!(answers(&format!("a\n{long}\nb\n"), 64), format!("[a]\n[{long}]\n[b]\n"));
    }

    #[test]
    fn an_output_that_fails_ends_the_batch_with_its_error() {
        struct Closed;
        impl Write for Closed {
            fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
                Err(std::io::ErrorKind::BrokenPipe.into())
            }
            fn flush(&mut self) -> std::io::Result<()> {
                Ok(())
            }
        }
        let text = "line\n".repeat(5000);
        let result = answer_lines(&mut text.as_bytes(), &mut Closed, 64, |_, out| out.push(b'x'));
        assert_eq!(result.unwrap_err().to_string(), "cannot write to stdout");
    }
}
