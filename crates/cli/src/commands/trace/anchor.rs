//! `steersman trace anchor [--key FILE]`
//!
//! An anchor is a signed statement of how long the trace and the journals are and what they contain. It is a note of
//! git, in `refs/notes/steersman`, on the commit that is checked out. Without it no one can tell a trace whose last
//! lines were removed from a shorter one.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::Context;
use intent::ContentHash;
use intent::trace::TraceLog;
use serde::{Deserialize, Serialize};

use super::provenance::git;
use super::records;
use crate::commands::Place;
use crate::environment;
use crate::exit::Exit;
use crate::output::{self, print};

/// Sign the present state of the trace and the journals with an SSH key, as a note of git
///
/// `trace verify` then proves whether lines were removed or changed since.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The private SSH key; by default git's `user.signingKey` or a key in ~/.ssh
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
}

/// The namespace of the signature.
const NAMESPACE: &str = "steersman";

/// The notes of git that hold anchors.
const NOTES: &str = "steersman";

/// A signed statement.
#[derive(Debug, Serialize, Deserialize)]
struct AnchorRecord {
    /// The statement, as signed.
    statement: String,
    /// The signature of `ssh-keygen -Y sign`.
    signature: String,
}

#[derive(Debug, Serialize, Deserialize)]
struct Statement {
    version: u32,
    time: String,
    files: Vec<AnchoredFile>,
}

/// The state of one append-only file.
#[derive(Debug, Serialize, Deserialize)]
struct AnchoredFile {
    file: String,
    bytes: u64,
    hash: ContentHash,
}

/// The comparison with the newest anchor.
#[derive(Debug, Default)]
pub(super) struct AnchorCheck {
    /// When the newest anchor was made; `None` without one.
    pub(super) time: Option<String>,
    /// Each file that was shortened or changed since, or why the anchor does not count.
    pub(super) problems: Vec<String>,
}

pub(super) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    let Some(key) = key(args, place) else {
        output::error("cannot sign: there is no SSH key");
        output::hint("pass one with `--key FILE`, or create one with `ssh-keygen -t ed25519`");
        return Ok(Exit::No);
    };
    if git(place, &["rev-parse", "--verify", "-q", "HEAD"]).is_none() {
        output::error("cannot store the anchor: this workspace has no commit");
        output::hint("commit something first; the anchor becomes a note of that commit");
        return Ok(Exit::No);
    }
    let statement = Statement { version: 1, time: store::now().to_string(), files: files(place)? };
    let statement = serde_json::to_string(&statement)?;
    let signature = keygen(&["-Y", "sign", "-n", NAMESPACE, "-f", &key.to_string_lossy()], &statement)
        .with_context(|| format!("cannot sign with `{}`", key.display()))?;
    let note = serde_json::to_string(&AnchorRecord { statement, signature })?;
    add_note(place, &note)?;
    print(format_args!("✓ anchored the trace and the journals in refs/notes/{NOTES}"));
    output::hint(&format!("share it with `git push origin refs/notes/{NOTES}`"));
    Ok(Exit::Fine)
}

/// Compares the files with the newest anchor.
pub(super) fn check(place: &Place) -> AnchorCheck {
    let mut found = AnchorCheck::default();
    let mut newest: Option<(Statement, AnchorRecord)> = None;
    for record in anchors(place) {
        let Ok(statement) = serde_json::from_str::<Statement>(&record.statement) else { continue };
        if newest.as_ref().is_none_or(|(other, _)| other.time < statement.time) {
            newest = Some((statement, record));
        }
    }
    let Some((statement, record)) = newest else { return found };
    found.time = Some(statement.time.clone());
    if let Err(why) = verify_signature(&record) {
        found
            .problems
            .push(format!("the signature of the anchor of {} is not valid: {why:#}", statement.time));
        return found;
    }
    for anchored in &statement.files {
        let path = place.workspace.root().join(&anchored.file);
        let bytes = match fs::read(path.as_path()) {
            Ok(bytes) => bytes,
            // Old journals are removed by `session gc`; the trace never is.
            Err(_) if anchored.file != TraceLog::PATH => continue,
            Err(_) => Vec::new(),
        };
        let length = usize::try_from(anchored.bytes).unwrap_or(usize::MAX);
        let problem = match bytes.get(..length) {
            None => Some(format!("has {} bytes, {} when it was anchored", bytes.len(), anchored.bytes)),
            Some(then) if ContentHash::of(then) != anchored.hash => Some("has other content".to_owned()),
            Some(_) => None,
        };
        found.problems.extend(problem.map(|what| {
            format!("{}: lines were removed or changed since {}: it {what}", anchored.file, statement.time)
        }));
    }
    found
}

fn files(place: &Place) -> anyhow::Result<Vec<AnchoredFile>> {
    let root = place.workspace.root();
    let mut paths = vec![records::file(place)];
    for id in place.workspace.sessions().context("cannot list the sessions")? {
        paths.push(place.workspace.session(id).events_file());
    }
    let mut files = Vec::new();
    for path in paths {
        let (Ok(bytes), Ok(name)) = (fs::read(path.as_path()), path.below(root)) else { continue };
        // A line that is being written is not part of it.
        let length = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        files.push(AnchoredFile {
            file: name.to_string(),
            bytes: length as u64,
            hash: ContentHash::of(&bytes[..length]),
        });
    }
    Ok(files)
}

/// Returns every anchor, in no order.
fn anchors(place: &Place) -> Vec<AnchorRecord> {
    let list = git(place, &["notes", &format!("--ref={NOTES}"), "list"]).unwrap_or_default();
    let list = String::from_utf8_lossy(&list).into_owned();
    let notes = list.lines().filter_map(|line| line.split_once(' ')).filter_map(|(note, _)| {
        let text = git(place, &["cat-file", "blob", note])?;
        Some(String::from_utf8_lossy(&text).into_owned())
    });
    let parse = |text: String| {
        text.lines().filter_map(|line| serde_json::from_str::<AnchorRecord>(line).ok()).collect::<Vec<_>>()
    };
    notes.flat_map(parse).collect()
}

#[expect(clippy::disallowed_methods, reason = "git ends by itself")]
fn add_note(place: &Place, note: &str) -> anyhow::Result<()> {
    let args = ["notes", &format!("--ref={NOTES}"), "append", "-m", note, "HEAD"];
    let mut git = Command::new("git");
    let output = git.args(args).current_dir(place.workspace.root().as_path()).stdin(Stdio::null()).output();
    let output = output.context("cannot run git")?;
    let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    anyhow::ensure!(output.status.success(), "cannot store the anchor as a note of git: {said}");
    Ok(())
}

fn verify_signature(record: &AnchorRecord) -> anyhow::Result<()> {
    let folder = environment::temporary_folder().join(format!("steersman-anchor-{}", std::process::id()));
    store::create_folder(&folder)?;
    let file = folder.join("signature");
    let checked =
        store::write_shared(&file, record.signature.as_bytes()).map_err(anyhow::Error::from).and_then(|()| {
            keygen(
                &["-Y", "check-novalidate", "-n", NAMESPACE, "-s", &file.to_string_lossy()],
                &record.statement,
            )
        });
    let _ = store::remove_file(&file);
    checked.map(drop)
}

/// Runs ssh-keygen with a text on its standard input; returns its output.
#[expect(
    clippy::disallowed_methods,
    reason = "ssh-keygen ends by itself; it may ask the user for a passphrase"
)]
fn keygen(args: &[&str], text: &str) -> anyhow::Result<String> {
    let mut command = Command::new("ssh-keygen");
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().context("cannot run ssh-keygen")?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(text.as_bytes()).context("cannot write to ssh-keygen")?;
    }
    let output = child.wait_with_output().context("cannot run ssh-keygen")?;
    let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    anyhow::ensure!(output.status.success(), "ssh-keygen failed: {said}");
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Returns the key to sign with.
fn key(args: &Args, place: &Place) -> Option<PathBuf> {
    if let Some(key) = &args.key {
        return Some(place.folder.join(key).as_path().to_path_buf());
    }
    let home = environment::home();
    let of_git = git(place, &["config", "--path", "user.signingKey"]);
    let of_git = of_git.map(|path| PathBuf::from(String::from_utf8_lossy(&path).trim()));
    let private = |path: &Path| path.to_string_lossy().trim_end_matches(".pub").into();
    let usual = ["id_ed25519", "id_ecdsa", "id_rsa"].into_iter();
    let usual = usual.filter_map(|name| Some(home.as_ref()?.join(".ssh").join(name).as_path().to_path_buf()));
    of_git.map(|path| private(&path)).into_iter().chain(usual).find(|path: &PathBuf| path.is_file())
}
