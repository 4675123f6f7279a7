//! Measures a search for changes in trees of 1,000, 10,000 and 100,000 files of which none changed.
//!
//! ```console
//! $ cargo run --release -p intent --example scan_cost
//! ```
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a measurement prints, and fails at once")]
#![allow(clippy::disallowed_methods, reason = "it makes the trees that it measures")]

use std::fs;
use std::time::{Duration, Instant};

use event::AbsPath;
use intent::{Baseline, Changes, FileSystemTime, FolderRecord, Limits, Protected, ScanStart, Scope, Watched};

fn main() {
    for n_files in [1_000, 10_000, 100_000] {
        let dir = tempfile::tempdir().unwrap();
        let root = AbsPath::new(dir.path().canonicalize().unwrap()).unwrap();
        for n in 0..n_files / 50 {
            let folder = dir.path().join(format!("pkg{}/mod{n}", n % 100));
            fs::create_dir_all(&folder).unwrap();
            for file in 0..50 {
                fs::write(folder.join(format!("file{file}.ts")), "x").unwrap();
            }
        }
        fs::write(dir.path().join(".gitignore"), "node_modules/\ntarget/\n*.log\ndist/\n.cache/\n").unwrap();
        std::thread::sleep(Duration::from_millis(50));
        let scope = Scope::open(&root, Protected::with([]));
        let listing = Instant::now();
        let folders = FolderRecord::of_workspace(&root, Duration::from_secs(9));
        let listing = listing.elapsed();
        let watched = Watched::now(&scope, None, &[]);
        let marker = AbsPath::new(dir.path().join(".ai/tmp/clock")).unwrap();
        let moment = FileSystemTime::mark(&marker).unwrap();
        let baseline =
            Baseline { watched: Some(&watched), folders: Some(&folders), intent: None, skip: &[".ai/tmp"] };
        let limits = Limits { time: Duration::from_mins(1), ..Limits::default() };
        let times: Vec<Duration> = (0..15)
            .map(|_| {
                let began = Instant::now();
                let changes = Changes::since(&[ScanStart::workspace(moment)], &scope, &baseline, limits);
                assert!(changes.is_complete() && changes.files.is_empty());
                began.elapsed()
            })
            .collect();
        let best = times.iter().min().unwrap();
        println!("{n_files} files: best of 15 searches {best:.1?}, first listing of folders {listing:.1?}");
    }
}
