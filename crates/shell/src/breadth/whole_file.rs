//! Files that a command prints from begin to end.

use crate::path::{Certainty, PathUse};
use crate::reading::{Reading, Site};

use super::look::{Words, describes_itself};
use super::printed::{self, Printed};

/// Programs that print their files as a whole, and the options that cut them short.
const PRINTERS: [(&str, &str); 12] = [
    ("cat", ""),
    ("bat", "-r|--line-range"),
    ("batcat", "-r|--line-range"),
    ("nl", ""),
    ("tac", ""),
    ("less", ""),
    ("more", ""),
    ("strings", ""),
    ("xxd", "-l|-len"),
    ("hexdump", "-n"),
    ("od", "-N|--read-bytes"),
    ("get-content", "-totalcount|-TotalCount|-tail|-Tail|-first|-head"),
];

/// Returns the files that are printed whole, in the order of the line.
pub fn whole_files(reading: &Reading, max_lines: u64) -> Vec<&PathUse> {
    let is_printed_whole = |index: usize| {
        let Some(command) = reading.commands.get(index) else { return false };
        let Some((_, ranges)) = PRINTERS.iter().find(|(name, _)| *name == command.program) else {
            return false;
        };
        let words = Words::of(command);
        let args = words.args("");
        let cut = !ranges.is_empty() && args.has(ranges);
        !cut && !describes_itself(&args, "") && printed::of(reading, index, max_lines) == Printed::AsItIs
    };
    let known = |used: &&PathUse| used.certainty == Certainty::Exact && used.site == Site::Local;
    reading.reads.iter().filter(known).filter(|used| is_printed_whole(used.command)).collect()
}
