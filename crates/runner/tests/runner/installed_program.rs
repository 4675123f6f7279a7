//! Which programs are found, and their versions.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use runner::{Environment, find, find_with_version};

fn program(path: &Path, script: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, script).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn a_program_is_found_along_the_path_with_its_version() {
    let dir = tempfile::tempdir().unwrap();
    let bin = dir.path().join("bin");
    program(&bin.join("agent"), "#!/bin/sh\necho; echo 'agent 1.2.3 (abc)'; echo more");
    program(&bin.join("mute"), "#!/bin/sh\nexit 1");
    let environment =
        Environment::from_variables([("PATH".into(), format!("/bin:{}", bin.display()).into())]);
    let found = find_with_version("agent", &environment, dir.path()).unwrap();
    assert_eq!((found.program, found.version.as_deref()), (bin.join("agent"), Some("agent 1.2.3 (abc)")));
    assert_eq!(find_with_version("mute", &environment, dir.path()).unwrap().version, None);
    assert_eq!(find_with_version("absent", &environment, dir.path()), None);
}

#[test]
fn a_relative_folder_of_the_path_is_passed_over() {
    let dir = tempfile::tempdir().unwrap();
    program(&dir.path().join("agent"), "#!/bin/sh\n");
    let environment = Environment::from_variables([("PATH".into(), ".:".into())]);
    assert_eq!(find(OsStr::new("agent"), &environment, dir.path()), None);
    assert_eq!(find(OsStr::new("./agent"), &environment, dir.path()), Some(dir.path().join("./agent")));
}
