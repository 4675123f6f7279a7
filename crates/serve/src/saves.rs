//! Files that were written and have come to rest.
//!
//! A file counts as saved when nothing has happened to it for half a second, or at least every
//! five seconds while it never rests. Memory grows with the files at work, not with the writes.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use automation::limits::{COALESCE_AT_MOST, COALESCE_WINDOW};

/// The files that are being written.
#[derive(Debug, Default)]
pub(crate) struct Saves {
    restless: HashMap<PathBuf, (Instant, Instant)>,
}

impl Saves {
    /// Notes that a file was written.
    pub(crate) fn note(&mut self, path: PathBuf, now: Instant) {
        self.restless.entry(path).and_modify(|(_, last)| *last = now).or_insert((now, now));
    }

    /// Returns the files that have come to rest, in the order of their names.
    pub(crate) fn settled(&mut self, now: Instant) -> Vec<PathBuf> {
        let is_due = |times: &(Instant, Instant)| due(*times) <= now;
        let mut settled: Vec<PathBuf> =
            self.restless.iter().filter(|(_, times)| is_due(times)).map(|(path, _)| path.clone()).collect();
        self.restless.retain(|_, times| !is_due(times));
        settled.sort();
        settled
    }

    /// Forgets everything that is still restless: somebody else than an editor wrote it.
    pub(crate) fn forget(&mut self) {
        self.restless.clear();
    }

    /// Returns when the next file comes to rest, if nothing more happens to it.
    pub(crate) fn next(&self) -> Option<Instant> {
        self.restless.values().copied().map(due).min()
    }
}

fn due((first, last): (Instant, Instant)) -> Instant {
    (last + COALESCE_WINDOW).min(first + COALESCE_AT_MOST)
}

/// Returns whether this is a file that editors make while they save another.
pub(crate) fn is_by_product(path: &Path) -> bool {
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return false };
    let swap = [".swp", ".swo", ".swx", "___jb_tmp___", "___jb_old___", ".tmp", ".crdownload", ".part"];
    name.ends_with('~')
        || name.starts_with(".#")
        || (name.starts_with('#') && name.ends_with('#'))
        || name == "4913"
        || name.starts_with(".goutputstream-")
        || name.contains(".tmp.")
        || swap.iter().any(|ending| name.ends_with(ending))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_file_counts_once_when_it_has_come_to_rest() {
        let (mut saves, start) = (Saves::default(), Instant::now());
        let at = |millis| start + Duration::from_millis(millis);
        for millis in [0, 100, 300] {
            saves.note("a".into(), at(millis));
        }
        saves.note("b".into(), at(200));
        assert_eq!(saves.settled(at(699)), Vec::<PathBuf>::new());
        assert_eq!(saves.next(), Some(at(700)));
        assert_eq!(saves.settled(at(700)), [PathBuf::from("b")]);
        assert_eq!(saves.settled(at(800)), [PathBuf::from("a")]);
        assert_eq!((saves.settled(at(9000)), saves.next()), (vec![], None));
    }

    #[test]
    fn a_file_that_never_rests_counts_every_five_seconds() {
        let (mut saves, start) = (Saves::default(), Instant::now());
        let mut n_settled = 0;
        for step in 0..200 {
            let now = start + Duration::from_millis(100) * step;
            saves.note("a".into(), now);
            n_settled += saves.settled(now).len();
        }
        assert_eq!(n_settled, 3);
    }

    #[test]
    fn what_editors_leave_beside_a_file_is_not_saved() {
        for name in [
            "a.rs~",
            ".#a.rs",
            "#a.rs#",
            ".a.rs.swp",
            "4913",
            "a.rs___jb_tmp___",
            "a.rs.tmp.123.456",
            "x.tmp",
        ] {
            assert!(is_by_product(Path::new(name)), "{name}");
        }
        for name in ["a.rs", "tmp.rs", "swp", "notes#1.md"] {
            assert!(!is_by_product(Path::new(name)), "{name}");
        }
    }
}
