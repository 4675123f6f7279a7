//! A real browser: Chromium, driven by `playwright-core` and checked by `axe-core`, both from npm.
//!
//! The packages are installed on first use. WHY a missing browser fails the test: a test that silently does nothing is
//! worse than no test.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use serde_json::Value;

/// The versions the scripts are written for.
const PACKAGES: [&str; 2] = ["playwright-core@1.65.1", "axe-core@4.14.0"];

/// Runs a script of Node with a browser: it gets `input` as JSON on stdin and prints JSON. Packages are installed below
/// `folder`.
pub fn drive(script: &Path, input: &Value, folder: &Path) -> Value {
    static INSTALLED: OnceLock<PathBuf> = OnceLock::new();
    let packages = INSTALLED.get_or_init(|| install(folder));
    let profile = tempfile::tempdir().expect("a folder for the browser's profile");
    let mut child = Command::new("node")
        .arg(script)
        .env("PACKAGES", packages)
        .env("CHROMIUM", chromium())
        .env("PROFILE", profile.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("node starts; the tests of the page need it");
    let mut stdin = child.stdin.take().expect("its stdin is a pipe");
    stdin.write_all(input.to_string().as_bytes()).expect("the script reads its input");
    drop(stdin);
    let output = child.wait_with_output().expect("the script ends");
    let (said, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{said}\n{errors}");
    serde_json::from_str(&said).unwrap_or_else(|error| panic!("{error}: {said}\n{errors}"))
}

fn chromium() -> PathBuf {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let files = std::env::split_paths(&path).flat_map(|folder| names.map(|name| folder.join(name)));
    let found = files.into_iter().find(|file| file.is_file());
    found.expect("the tests of the page need Chromium: run `apt-get install chromium`")
}

fn install(folder: &Path) -> PathBuf {
    let there = folder.join("browser-packages");
    if PACKAGES
        .iter()
        .all(|it| there.join("node_modules").join(it.split('@').next().unwrap_or_default()).is_dir())
    {
        return there;
    }
    fs::create_dir_all(&there).expect("the folder for tools of the tests");
    let output = Command::new("npm")
        .args(["install", "--no-audit", "--no-fund", "--loglevel=error", "--prefix"])
        .arg(&there)
        .args(PACKAGES)
        .output()
        .expect("npm starts; the tests of the page need it");
    assert!(
        output.status.success(),
        "cannot install {PACKAGES:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    there
}
