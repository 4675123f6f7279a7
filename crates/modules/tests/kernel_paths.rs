//! The paths of a command lead where the kernel and bash lead, in random trees with links.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use modules::call_folder::followed;
use modules::shell_guard::Disk;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use shell::{Certainty, Place, read};

/// Names so few that folders, links and paths meet.
const NAMES: [&str; 4] = ["a", "b", "c", "d"];

fn folder() -> impl Strategy<Value = String> {
    vec(select(NAMES.to_vec()), 1..4).prop_map(|parts| parts.join("/"))
}

fn path() -> impl Strategy<Value = String> {
    vec(prop_oneof![3 => select(NAMES.to_vec()), 2 => Just(".."), 1 => Just(".")], 1..7)
        .prop_map(|parts| parts.join("/"))
}

/// Creates folders, and links where nothing lies yet.
fn plant(root: &Path, folders: &[String], links: &[(String, String)]) {
    for folder in folders {
        let _ = fs::create_dir_all(root.join(folder));
    }
    for (name, target) in links {
        let _ = symlink(target, root.join(name));
    }
}

fn place(root: &str) -> Place<'_> {
    Place { files: &Disk, ..Place::at(root) }
}

/// Returns the only file that a line writes, behind its links.
fn written(line: &str, root: &str) -> Option<PathBuf> {
    let reading = read(line, &place(root));
    let [used] = reading.writes.as_slice() else { return None };
    (used.certainty == Certainty::Exact).then(|| followed(Path::new(&used.path)))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_written_file_is_where_the_kernel_creates_it(
        folders in vec(folder(), 1..5),
        links in vec((folder(), path()), 1..4),
        paths in vec(path(), 1..12),
        inside in folder(),
    ) {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap().join("r/o/o/t");
        fs::create_dir_all(&root).unwrap();
        plant(&root, &folders, &links);
        let shown = root.to_str().unwrap();
        for path in paths {
            let Ok(real) = root.join(&path).canonicalize() else { continue };
            prop_assert_eq!(followed(&root.join(&path)), real.clone(), "{}", path);
            let expected = Some(real.join("new-file"));
            for line in [format!("tee {path}/new-file"), format!("cd / && cp /etc/hostname {shown}/{path}/new-file")] {
                prop_assert_eq!(written(&line, shown), expected.clone(), "{}", line);
            }
            // A relative path in a folder behind links.
            if root.join(&inside).is_dir() {
                let line = format!("cd {inside} && echo x > {path}/new-file");
                let Ok(real) = root.join(&inside).canonicalize().unwrap().join(&path).canonicalize() else { continue };
                prop_assert_eq!(written(&line, shown), Some(real.join("new-file")), "{}", line);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn cd_goes_where_bash_goes(
        folders in vec(folder(), 1..5),
        links in vec((folder(), path()), 1..4),
        steps in vec((select(vec!["", "-P ", "-L "]), path()), 1..4),
    ) {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap().join("r/o/o/t");
        fs::create_dir_all(&root).unwrap();
        plant(&root, &folders, &links);
        let goes: Vec<_> = steps.iter().map(|(option, path)| format!("cd {option}{path}")).collect();
        let line = goes.join(" && ");
        let run = Command::new("bash").args(["--norc", "-c", &format!("{line} && pwd -P")]).current_dir(&root).output();
        let Ok(run) = run else { return Ok(()) };
        if run.status.success() {
            let expected = PathBuf::from(String::from_utf8_lossy(&run.stdout).trim_end()).join("new-file");
            let line = format!("{line} && echo x > new-file");
            prop_assert_eq!(written(&line, root.to_str().unwrap()), Some(expected), "{}", line);
        }
    }
}

#[test]
fn dots_behind_a_link_that_the_line_makes_or_a_pattern_are_unknown() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    fs::create_dir_all(root.join("src/sub")).unwrap();
    for line in [
        "ln -s /etc src/l && echo x > src/l/../y",
        "ln -s /etc src/l; cd src/l; echo x > ../y",
        "echo x > src/*/../y",
        "ln -s sub src/l && cp a src/l/x/../y",
    ] {
        let reading = read(line, &place(root.to_str().unwrap()));
        let unknown = reading.writes.iter().filter(|used| used.certainty == Certainty::Unknown).count();
        assert_eq!(unknown, 1, "{line}: {:?}", reading.writes);
    }
}
