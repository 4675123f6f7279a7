//! The frames of the file of pending calls: each holds one call, behind a head of fixed width.
//!
//! ```text
//! b3726613ea118ae5 0000000176 0001794812877463000000\n
//! ```
//!
//! The key of the call, how many bytes follow, and when it began by the clock of the file system,
//! in nanoseconds. One that is over has a `-` in place of the first digit of its key.
//!
//! The time is known only after the bytes are written, so the head is blank until then. A frame
//! with a blank head is being written, or its writer was killed: it and what lies behind it are
//! nothing.
//!
//! A new frame takes the place behind the last one that is needed, and ends whatever was there
//! before with a blank head. WHY the file is not cut shorter each time: ext4 flushes a file that
//! was emptied and written, which takes longer than everything else here.
//!
//! INVARIANT: the length of a frame never changes, and a frame of a call that has not ended never
//! moves. So whoever looks for one needs no lock; whoever writes does.

use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};

use crate::Moment;

/// A frame in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Frame {
    /// The key of the call; none if there is nothing to settle any more.
    pub(super) key: Option<Key>,
    /// When it began.
    pub(super) began: Moment,
    at: u64,
    n_bytes: u64,
}

/// What a call is known by: hex digits, then blanks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Key([u8; KEY]);

/// What stands in place of a key's first digit when its call is over.
const OVER: u8 = b'-';

const KEY: usize = 16;
const HEAD: usize = KEY + 1 + 10 + 1 + 22 + 1;

/// What is no head, and so the end.
const BLANK: [u8; HEAD] = [b'\n'; HEAD];

/// How much room the file may take that nobody needs.
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

    /// Reads what the frame holds.
    pub(super) fn body(&self, mut file: &File) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(self.body_at()))?;
        file.take(self.n_bytes).read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

impl Key {
    /// Makes a key of a text; what is no hex digit is left out.
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

/// Returns every whole frame.
pub(super) fn all(file: &File) -> io::Result<Vec<Frame>> {
    let mut frames: Vec<Frame> = Vec::new();
    each(file, |frame| frames.push(frame))?;
    Ok(frames)
}

/// Looks at every whole frame.
fn each(file: &File, mut look: impl FnMut(Frame)) -> io::Result<()> {
    let length = file.metadata()?.len();
    let mut from = file;
    from.seek(SeekFrom::Start(0))?;
    let mut reader = BufReader::new(from);
    let mut head = [0; HEAD];
    let mut at = 0;
    while at + HEAD as u64 <= length {
        reader.read_exact(&mut head)?;
        let Some(frame) = parsed(&head, at).filter(|frame| frame.end() <= length) else { break };
        at = frame.end();
        reader.seek_relative(frame.n_bytes.cast_signed())?;
        look(frame);
    }
    Ok(())
}

/// Adds a frame behind those that are needed.
pub(super) fn add(mut file: &File, key: Key, body: &[u8]) -> io::Result<()> {
    let mut at = 0;
    let mut earlier = None;
    each(file, |frame| match frame.key {
        // A host that announces a call again means the same call.
        Some(its) if its == key => earlier = Some(frame),
        Some(_) => at = frame.end(),
        None => {}
    })?;
    if let Some(earlier) = earlier {
        end(file, &earlier)?;
    }
    let bytes = [&BLANK, body, &BLANK].concat();
    file.seek(SeekFrom::Start(at))?;
    file.write_all(&bytes)?;
    let began = Moment::of_file(file)?;
    file.seek(SeekFrom::Start(at))?;
    file.write_all(head(key, body.len(), began).as_bytes())
}

/// Ends the frames that `is_done` names.
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
    let needed = last.map_or(0, Frame::end) + ROOM;
    if file.metadata()?.len() > needed {
        file.set_len(needed)?;
    }
    Ok(())
}

fn end(mut file: &File, frame: &Frame) -> io::Result<()> {
    file.seek(SeekFrom::Start(frame.at))?;
    file.write_all(&[OVER])
}

fn head(key: Key, n_bytes: usize, began: Moment) -> String {
    let key = key.to_string();
    format!("{key:<KEY$} {n_bytes:010} {:022}\n", began.nanoseconds())
}

/// WHY by hand: with many calls pending, each new one goes through all their heads.
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
        began: Moment::at_nanoseconds(number(began)?),
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
        super::add(file, Key::of(key), body)
    }

    fn head(key: &str, n_bytes: usize, began: Moment) -> String {
        super::head(Key::of(key), n_bytes, began)
    }

    fn end(file: &File, key: &str) {
        end_those(file, all(file).unwrap(), |frame| frame.key == Some(Key::of(key))).unwrap();
    }

    #[test]
    fn the_head_is_as_wide_as_it_says() {
        assert_eq!(head("ab", 0, Moment::at_nanoseconds(0)).len(), HEAD);
        let late = Moment::at_nanoseconds(9_999_999_999_999_999_999);
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
        assert_eq!(file.metadata().unwrap().len(), ROOM);
    }

    #[test]
    fn a_call_announced_again_is_there_once() {
        let file = tempfile::tempfile().unwrap();
        add(&file, "a1", b"first").unwrap();
        add(&file, "b2", b"").unwrap();
        add(&file, "a1", b"again").unwrap();
        assert_eq!(keys(&file), ["b2", "a1"]);
        assert_eq!(all(&file).unwrap()[2].body(&file).unwrap(), b"again");
    }

    #[test]
    fn wherever_a_writer_is_killed_the_frames_before_stay_and_nothing_of_its_own_counts() {
        // The body looks like a frame itself, and so does what was there before.
        let forged = head("ff", 0, Moment::at_nanoseconds(1));
        let written = [&BLANK, forged.as_bytes(), &BLANK].concat();
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
        for length in (ends[0]..ends[1]).rev() {
            file.set_len(length).unwrap();
            assert_eq!(keys(&file), ["a1"], "{length}");
        }
    }

    #[test]
    fn what_is_no_file_of_ours_holds_no_call() {
        for content in ["x", "no frames\n", &"0".repeat(HEAD), &format!("{}\n", "é".repeat(HEAD / 2))] {
            let mut file = tempfile::tempfile().unwrap();
            file.write_all(content.as_bytes()).unwrap();
            assert_eq!(all(&file).unwrap(), [], "{content}");
        }
    }
}
