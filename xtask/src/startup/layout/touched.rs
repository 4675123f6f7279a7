//! Reads from a lackey log which pieces of the binary an event touched.

use std::collections::HashSet;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use anyhow::{Context, Result};

use super::link_map::{LinkMap, Piece};

/// Returns the pieces that a trace of memory touched.
///
/// A line is `I  0423ab1,3` for an instruction, and ` L 0f3e720,8` with `L`, `S` or `M` for data.
pub(super) fn pieces<'a>(trace: &Path, map: &'a LinkMap) -> Result<Vec<&'a Piece>> {
    let context = || format!("valgrind left no `{}`", trace.display());
    let reader = BufReader::new(File::open(trace).with_context(context)?);
    let mut seen = HashSet::new();
    let mut pieces = Vec::new();
    let mut names = HashSet::new();
    for line in reader.lines() {
        let Some(address) = address(&line.with_context(context)?) else { continue };
        if seen.insert(address)
            && let Some(piece) = map.at(address)
            && names.insert((&piece.section, &piece.file))
        {
            pieces.push(piece);
        }
    }
    Ok(pieces)
}

fn address(line: &str) -> Option<u64> {
    let rest = ["I  ", " L ", " S ", " M "].iter().find_map(|kind| line.strip_prefix(kind))?;
    u64::from_str_radix(rest.split_once(',')?.0, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_and_data_have_addresses_and_words_have_none() {
        assert_eq!(address("I  00423ab1,3"), Some(0x42_3ab1));
        assert_eq!(address(" L 1ffefff8d8,8"), Some(0x1f_feff_f8d8));
        assert_eq!(address("==12== Lackey, an example Valgrind tool"), None);
    }
}
