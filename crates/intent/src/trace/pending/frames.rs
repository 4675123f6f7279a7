//! The frames of the file of pending calls: each contains one call, after a header of fixed width.
//!
//! ```text
//! 0000000000000000000243\n
//! b3726613ea118ae5 0000000176 0001794812877463000000\n
//! ```
//!
//! The file begins with the offset at which the frames end. A frame's header is the key of the call,
//! the number of bytes that follow, and the start time by the clock of the file system, in
//! nanoseconds. A settled frame has a `-` in place of the first digit of its key.
//!
//! The time is known only after the bytes are written, so the header is blank until then, and the
//! frame counts only when the file's first line includes it: an incomplete frame of a killed writer
//! is ignored.
//!
//! A new frame goes after the last one that is needed. WHY the file records that offset: calls
//! without a reported end accumulate, and later calls should not pay for them. WHY it is not
//! truncated each time: ext4 flushes a file that was emptied and written, which takes longer than
//! everything else here.
//!
//! INVARIANT: the length of a frame never changes, and the frame of a pending call never moves. So a
//! reader needs no lock; a writer does.

use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};

use crate::FileSystemTime;

/// A frame in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Frame {
    /// The key of the call; `None` if the call is settled.
    pub(super) key: Option<Key>,
    /// The start time.
    pub(super) began: FileSystemTime,
    at: u64,
    n_bytes: u64,
}

/// The key of a call: hex digits, then spaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Key([u8; KEY]);

/// Replaces the first digit of a key when its call is settled.
const OVER: u8 = b'-';

const KEY: usize = 16;
const HEAD: usize = KEY + 1 + 10 + 1 + 22 + 1;

/// A header that is not valid yet.
const BLANK: [u8; HEAD] = [b'\n'; HEAD];

/// The width of the line with the end of the frames.
const START: usize = 22 + 1;

/// The maximum unused size of the file.
const ROOM: u64 = 64 * 1024;

impl Frame {
    fn body_at(&self) -> u64 {
        self.at + HEAD as u64
    }

    fn end(&self) -> u64 {
        self.body_at() + self.n_bytes
    }

    fn is_over(&self) -> bool {
        self.key.is_none()
    }

    /// Reads the body of the frame.
    pub(super) fn body(&self, mut file: &File) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(self.body_at()))?;
        file.take(self.n_bytes).read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

impl Key {
    /// Creates a key from a string; skips characters that are not hex digits.
    pub(super) fn of(text: &str) -> Self {
        let mut key = [b' '; KEY];
        let digits = text.bytes().filter(u8::is_ascii_hexdigit);
        key.iter_mut().zip(digits).for_each(|(place, digit)| *place = digit);
        Self(key)
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(String::from_utf8_lossy(&self.0).trim_end())
    }
}

/// Returns every complete frame.
pub(super) fn all(file: &File) -> io::Result<Vec<Frame>> {
    let end = recorded_end(file)?.min(file.metadata()?.len());
    let mut from = file;
    from.seek(SeekFrom::Start(START as u64))?;
    let mut reader = BufReader::new(from);
    let mut frames = Vec::new();
    let mut head = [0; HEAD];
    let mut at = START as u64;
    while at + HEAD as u64 <= end {
        reader.read_exact(&mut head)?;
        let Some(frame) = parsed(&head, at).filter(|frame| frame.end() <= end) else { break };
        at = frame.end();
        reader.seek_relative(frame.n_bytes.cast_signed())?;
        frames.push(frame);
    }
    Ok(frames)
}

/// Adds a frame after those that are needed. Returns its start time.
pub(super) fn add(mut file: &File, key: Key, body: &[u8]) -> io::Result<FileSystemTime> {
    let at = match recorded_end(file)? {
        // Another program truncated the file: the complete frames stay.
        end if end > file.metadata()?.len() => all(file)?.last().map_or(START as u64, Frame::end),
        end => end,
    };
    file.seek(SeekFrom::Start(at))?;
    file.write_all(&[&BLANK, body].concat())?;
    let began = FileSystemTime::of_file(file)?;
    file.seek(SeekFrom::Start(at))?;
    file.write_all(head(key, body.len(), began).as_bytes())?;
    end_frames_at(file, at + (HEAD + body.len()) as u64)?;
    Ok(began)
}

/// Settles the frames that `is_done` selects.
pub(super) fn end_those(
    file: &File,
    mut frames: Vec<Frame>,
    is_done: impl Fn(&Frame) -> bool,
) -> io::Result<()> {
    for frame in frames.iter_mut().filter(|frame| !frame.is_over() && is_done(frame)) {
        end(file, frame)?;
        frame.key = None;
    }
    let last = frames.iter().rfind(|frame| !frame.is_over());
    let needed = last.map_or(START as u64, Frame::end);
    end_frames_at(file, needed)?;
    if file.metadata()?.len() > needed + ROOM {
        file.set_len(needed + ROOM)?;
    }
    Ok(())
}

/// Reads the end of the frames from the file. Returns the start of the frames if the line is
/// malformed.
fn recorded_end(mut file: &File) -> io::Result<u64> {
    let mut start = [0; START];
    file.seek(SeekFrom::Start(0))?;
    let end = match file.read_exact(&mut start) {
        Ok(()) => start.strip_suffix(b"\n").and_then(number).and_then(|end| u64::try_from(end).ok()),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => None,
        Err(error) => return Err(error),
    };
    Ok(end.unwrap_or(0).max(START as u64))
}

fn end_frames_at(mut file: &File, end: u64) -> io::Result<()> {
    file.seek(SeekFrom::Start(0))?;
    file.write_all(format!("{end:022}\n").as_bytes())
}

fn end(mut file: &File, frame: &Frame) -> io::Result<()> {
    file.seek(SeekFrom::Start(frame.at))?;
    file.write_all(&[OVER])
}

fn head(key: Key, n_bytes: usize, began: FileSystemTime) -> String {
    let key = key.to_string();
    format!("{key:<KEY$} {n_bytes:010} {:022}\n", began.nanoseconds())
}

fn parsed(head: &[u8; HEAD], at: u64) -> Option<Frame> {
    let (key, rest) = head.split_first_chunk::<KEY>()?;
    let (n_bytes, began) = rest.strip_prefix(b" ")?.split_at_checked(10)?;
    let began = began.strip_prefix(b" ")?.strip_suffix(b"\n")?;
    let key = match key[0] {
        OVER => None,
        first if first.is_ascii_hexdigit() => Some(Key(*key)),
        _ => return None,
    };
    Some(Frame {
        key,
        began: FileSystemTime::at_nanoseconds(number(began)?),
        at,
        n_bytes: number(n_bytes)?.try_into().ok()?,
    })
}

fn number(digits: &[u8]) -> Option<u128> {
    digits.iter().try_fold(0, |number: u128, digit| {
        digit.is_ascii_digit().then(|| number * 10 + u128::from(digit - b'0'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(file: &File) -> Vec<String> {
        all(file).unwrap().into_iter().filter_map(|frame| frame.key).map(|key| key.to_string()).collect()
    }

    fn add(file: &File, key: &str, body: &[u8]) -> io::Result<()> {
        super::add(file, Key::of(key), body).map(drop)
    }

    fn head(key: &str, n_bytes: usize, began: FileSystemTime) -> String {
        super::head(Key::of(key), n_bytes, began)
    }

    fn end(file: &File, key: &str) {
        end_those(file, all(file).unwrap(), |frame| frame.key == Some(Key::of(key))).unwrap();
    }

    #[test]
    fn the_head_is_as_wide_as_it_says() {
        assert_eq!(head("ab", 0, FileSystemTime::at_nanoseconds(0)).len(), HEAD);
        let late = FileSystemTime::at_nanoseconds(9_999_999_999_999_999_999);
        assert_eq!(head("0123456789abcdef", 9_999_999_999, late).len(), HEAD);
    }

    #[test]
    fn frames_are_there_until_they_end_and_their_place_is_used_again() {
        let file = tempfile::tempfile().unwrap();
        for (key, body) in [("a1", "one"), ("b2", ""), ("c3", "three\nthree")] {
            add(&file, key, body.as_bytes()).unwrap();
        }
        assert_eq!(keys(&file), ["a1", "b2", "c3"]);
        let third = &all(&file).unwrap()[2];
        assert_eq!(third.body(&file).unwrap(), b"three\nthree");
        end(&file, "b2");
        assert_eq!(keys(&file), ["a1", "c3"], "one in the middle leaves a gap");
        assert_eq!(all(&file).unwrap().len(), 3);
        end(&file, "c3");
        add(&file, "d4", b"").unwrap();
        assert_eq!(keys(&file), ["a1", "d4"]);
        assert_eq!(all(&file).unwrap().len(), 2, "what was behind the last that is needed is gone");
        end(&file, "a1");
        end(&file, "d4");
        add(&file, "e5", b"").unwrap();
        assert_eq!(all(&file).unwrap().len(), 1);
    }

    #[test]
    fn a_large_frame_does_not_stay_large_on_the_disk() {
        let file = tempfile::tempfile().unwrap();
        add(&file, "a1", &vec![b'x'; 1_000_000]).unwrap();
        end(&file, "a1");
        assert_eq!(file.metadata().unwrap().len(), START as u64 + ROOM);
    }

    #[test]
    fn wherever_a_writer_is_killed_the_frames_before_stay_and_nothing_of_its_own_counts() {
        // The body looks like a frame itself, and so do the previous bytes.
        let forged = head("ff", 0, FileSystemTime::at_nanoseconds(1));
        let written = [&BLANK, forged.as_bytes()].concat();
        for n_bytes in 0..=written.len() {
            let mut file = tempfile::tempfile().unwrap();
            add(&file, "a1", b"one").unwrap();
            let at = all(&file).unwrap()[0].end();
            for key in ["c3", "d4", "e5"] {
                add(&file, key, forged.as_bytes()).unwrap();
            }
            for key in ["c3", "d4", "e5"] {
                end(&file, key);
            }
            file.seek(SeekFrom::Start(at)).unwrap();
            file.write_all(&written[..n_bytes]).unwrap();
            assert_eq!(keys(&file), ["a1"], "{n_bytes}");
            add(&file, "f6", b"next").unwrap();
            assert_eq!(keys(&file), ["a1", "f6"], "{n_bytes}");
        }
    }

    #[test]
    fn a_file_that_was_cut_short_holds_what_is_whole() {
        let file = tempfile::tempfile().unwrap();
        add(&file, "a1", b"one").unwrap();
        add(&file, "b2", b"two").unwrap();
        let ends: Vec<u64> = all(&file).unwrap().iter().map(Frame::end).collect();
        for length in ends[0]..ends[1] {
            file.set_len(length).unwrap();
            assert_eq!(keys(&file), ["a1"], "{length}");
            add(&file, "b2", b"two").unwrap();
            assert_eq!(keys(&file), ["a1", "b2"], "{length}");
        }
        file.set_len(START as u64 - 1).unwrap();
        assert_eq!(keys(&file), [""; 0]);
    }

    #[test]
    fn what_is_no_file_of_ours_holds_no_call() {
        for content in ["x", "no frames\n", &"0".repeat(HEAD), &format!("{}\n", "é".repeat(HEAD / 2))] {
            let mut file = tempfile::tempfile().unwrap();
            file.write_all(content.as_bytes()).unwrap();
            assert_eq!(all(&file).unwrap(), [], "{content}");
            add(&file, "a1", b"one").unwrap();
            assert_eq!(keys(&file), ["a1"], "{content}");
        }
    }
}
