//! `steersman trace anchor [--key FILE]`
//!
//! An anchor is a signed statement of how long the trace and the journals are and what they contain. It is a note of
//! git, in `refs/notes/steersman`, on the commit that is checked out. Without it no reader can tell a trace whose last
//! lines were removed from a shorter one. `steersman serve` makes one at the end of every turn that added lines.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::Context;
use event::SessionId;
use intent::ContentHash;
use intent::trace::TraceLog;
use serde::{Deserialize, Serialize};

use super::provenance::git;
use super::records;
use crate::commands::Place;
use crate::commands::session::sessions_to_let_go;
use crate::environment;
use crate::exit::Exit;
use crate::output::{self, print};

/// Sign the present state of the trace and the journals with an SSH key, as a git note
///
/// `trace verify` then proves whether lines were removed or changed since. `session gc` keeps the journals that the newest
/// anchor signs; the next anchor leaves out those that `gc` may remove.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The private SSH key; by default git's `user.signingKey` or a key in ~/.ssh
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
}

/// The namespace of the signature.
const NAMESPACE: &str = "steersman";

/// How many anchors are compared, the newest first: each runs ssh-keygen.
const MAX_CHECKED: usize = 100;

/// How many changes of the notes are read.
const MAX_NOTES: &str = "1000";

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
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
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
    /// The number of journals of the newest anchor that are not on this machine.
    pub(super) n_absent: usize,
}

pub(super) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    let Some(key) = key(args, place) else {
        output::error("cannot sign the trace: no SSH key found");
        output::hint("pass one with `--key FILE`, or create one with `ssh-keygen -t ed25519`");
        return Ok(Exit::No);
    };
    if git(place, &["rev-parse", "--verify", "-q", "HEAD"]).is_none() {
        output::error("cannot store the anchor: this workspace has no commit");
        output::hint("commit something first; the anchor becomes a note of that commit");
        return Ok(Exit::No);
    }
    make(place, &key, files(place)?, Passphrase::Asked)?;
    print(format_args!("✓ anchored the trace and the journals in refs/notes/{NOTES}"));
    output::hint(&format!("share it with `git push origin refs/notes/{NOTES}`"));
    Ok(Exit::Fine)
}

/// Makes an anchor at the end of a turn, without asking for a passphrase. Returns whether it made one: there must be a
/// key, a commit, and a trace that has changed since the last anchor.
pub(crate) fn at_end_of_turn(place: &Place) -> anyhow::Result<bool> {
    let Some(key) = key(&Args { key: None }, place) else { return Ok(false) };
    let has_commit = || git(place, &["rev-parse", "--verify", "-q", "HEAD"]).is_some();
    if !records::file(place).as_path().exists() || !has_commit() {
        return Ok(false);
    }
    let now = files(place)?;
    let is_anchored = |record: &AnchorRecord| {
        serde_json::from_str::<Statement>(&record.statement).is_ok_and(|then| then.files == now)
    };
    if anchors(place).iter().any(is_anchored) {
        return Ok(false);
    }
    make(place, &key, now, Passphrase::Never)?;
    Ok(true)
}

/// Whether ssh-keygen may ask for the passphrase of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Passphrase {
    Asked,
    Never,
}

fn make(place: &Place, key: &Path, files: Vec<AnchoredFile>, passphrase: Passphrase) -> anyhow::Result<()> {
    let statement = Statement { version: 1, time: store::now().to_string(), files };
    let statement = serde_json::to_string(&statement)?;
    let file = key.to_string_lossy();
    let signature = keygen(&["-Y", "sign", "-n", NAMESPACE, "-f", &file], &statement, passphrase)
        .with_context(|| format!("cannot sign with `{}`", key.display()))?;
    let note = serde_json::to_string(&AnchorRecord { statement, signature })?;
    add_note(place, &note)
}

/// Compares the files with every anchor of this machine's key; without a key, with every anchor.
pub(super) fn check(place: &Place) -> AnchorCheck {
    let mut found = AnchorCheck::default();
    let own_key = key(&Args { key: None }, place).and_then(|key| fingerprint_of(&key));
    let parse = |record: AnchorRecord| {
        let statement = serde_json::from_str::<Statement>(&record.statement).ok()?;
        Some((statement, record))
    };
    let mut all: Vec<(Statement, AnchorRecord)> = anchors(place).into_iter().filter_map(parse).collect();
    all.sort_by(|(one, _), (other, _)| other.time.cmp(&one.time));
    for (statement, record) in all.iter().take(MAX_CHECKED) {
        match verify_signature(record) {
            // Another program may anchor what it left of a trace, with its own key.
            Ok(signer) if own_key.as_ref().is_some_and(|own| !signer.contains(own.as_str())) => continue,
            Ok(_) => {
                if found.time.is_none() {
                    let is_absent =
                        |it: &&AnchoredFile| !place.workspace.root().join(&it.file).as_path().exists();
                    let journals = statement.files.iter().filter(|it| it.file != TraceLog::PATH);
                    found.n_absent = journals.filter(is_absent).count();
                }
                compare(place, statement, &mut found);
            }
            Err(why) => found
                .problems
                .push(format!("the signature of the anchor of {} is not valid: {why:#}", statement.time)),
        }
        found.time.get_or_insert_with(|| statement.time.clone());
    }
    found
}

/// Adds the files that are not as they were when they were anchored, each once.
fn compare(place: &Place, statement: &Statement, found: &mut AnchorCheck) {
    for anchored in &statement.files {
        let begin = format!("{}: ", anchored.file);
        if found.problems.iter().any(|problem| problem.starts_with(&begin)) {
            continue;
        }
        let path = place.workspace.root().join(&anchored.file);
        let bytes = match fs::read(path.as_path()) {
            Ok(bytes) => bytes,
            // A colleague's journals are not here, and `session gc` removes old ones; the trace is always here.
            Err(_) if anchored.file != TraceLog::PATH => continue,
            Err(_) => Vec::new(),
        };
        let length = usize::try_from(anchored.bytes).unwrap_or(usize::MAX);
        let problem = match bytes.get(..length) {
            None => Some(format!("has {} bytes, {} when it was anchored", bytes.len(), anchored.bytes)),
            Some(then) if ContentHash::of(then) != anchored.hash => Some("has other content".to_owned()),
            Some(_) => None,
        };
        found.problems.extend(
            problem.map(|what| {
                format!("{begin}lines were removed or changed since {}: it {what}", statement.time)
            }),
        );
    }
}

/// Returns the fingerprint of a key, as ssh-keygen prints it.
fn fingerprint_of(key: &Path) -> Option<String> {
    let said = keygen(&["-l", "-f", &key.to_string_lossy()], "", Passphrase::Never).ok()?;
    said.split_whitespace().find(|word| word.starts_with("SHA256:")).map(str::to_owned)
}

/// Returns the sessions whose journals the newest anchor signs.
pub(crate) fn sessions_of_newest(place: &Place) -> anyhow::Result<BTreeSet<SessionId>> {
    let statements = anchors(place).into_iter();
    let statements = statements.filter_map(|it| serde_json::from_str::<Statement>(&it.statement).ok());
    let Some(newest) = statements.max_by(|one, other| one.time.cmp(&other.time)) else {
        return Ok(BTreeSet::new());
    };
    let signed: BTreeSet<&str> = newest.files.iter().map(|it| it.file.as_str()).collect();
    let root = place.workspace.root();
    let is_signed = |id: &SessionId| {
        let journal = place.workspace.session(*id).events_file();
        journal.below(root).is_ok_and(|journal| signed.contains(journal.as_str()))
    };
    let sessions = place.workspace.sessions().context("cannot list the sessions")?;
    Ok(sessions.into_iter().filter(is_signed).collect())
}

fn files(place: &Place) -> anyhow::Result<Vec<AnchoredFile>> {
    let root = place.workspace.root();
    let mut paths = vec![records::file(place)];
    let to_let_go = sessions_to_let_go(place)?;
    let sessions = place.workspace.sessions().context("cannot list the sessions")?;
    for id in sessions.into_iter().filter(|id| !to_let_go.contains(id)) {
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

/// Returns every anchor that was ever stored, each once, in no order.
///
/// WHY from the history of the notes: an anchor whose note was removed or replaced still proves what it proved.
fn anchors(place: &Place) -> Vec<AnchorRecord> {
    let notes = format!("refs/notes/{NOTES}");
    let history = ["log", "--format=", "-p", "--unified=0", "--no-color", "--no-ext-diff", "--no-textconv"];
    let args: Vec<&str> = ["-c", "log.showSignature=false"]
        .into_iter()
        .chain(history)
        .chain(["--text", "-n", MAX_NOTES, &notes, "--"])
        .collect();
    let text = git(place, &args).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let added: BTreeSet<&str> = text.lines().filter_map(|line| line.strip_prefix('+')).collect();
    added.into_iter().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

#[expect(clippy::disallowed_methods, reason = "git ends by itself")]
fn add_note(place: &Place, note: &str) -> anyhow::Result<()> {
    // Git refuses to write a note without an author.
    let has_author = git(place, &["config", "user.email"]).is_some() || environment::has_git_author();
    let author = ["-c", "user.name=steersman", "-c", "user.email=steersman@localhost"];
    let args = ["notes", &format!("--ref={NOTES}"), "append", "-m", note, "HEAD"];
    let mut git = Command::new("git");
    let output = git
        .args(author.iter().filter(|_| !has_author))
        .args(args)
        .current_dir(place.workspace.root().as_path())
        .stdin(Stdio::null())
        .output();
    let output = output.context("cannot run git")?;
    let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    anyhow::ensure!(output.status.success(), "cannot store the anchor as a git note: {said}");
    Ok(())
}

/// Returns the output of ssh-keygen about the signer.
fn verify_signature(record: &AnchorRecord) -> anyhow::Result<String> {
    let folder = environment::temporary_folder().join(format!("steersman-anchor-{}", std::process::id()));
    store::create_folder(&folder)?;
    let file = folder.join("signature");
    let checked =
        store::write_shared(&file, record.signature.as_bytes()).map_err(anyhow::Error::from).and_then(|()| {
            keygen(
                &["-Y", "check-novalidate", "-n", NAMESPACE, "-s", &file.to_string_lossy()],
                &record.statement,
                Passphrase::Never,
            )
        });
    let _ = store::remove_file(&file);
    checked
}

/// Runs ssh-keygen with a string on its standard input; returns its output.
#[expect(
    clippy::disallowed_methods,
    reason = "ssh-keygen ends by itself; it may ask the user for a passphrase"
)]
fn keygen(args: &[&str], text: &str, passphrase: Passphrase) -> anyhow::Result<String> {
    let mut command = Command::new("ssh-keygen");
    if passphrase == Passphrase::Never {
        // With this it asks a program for the passphrase instead of the terminal, and this program answers nothing.
        command.env("SSH_ASKPASS_REQUIRE", "force").env("SSH_ASKPASS", "false");
    }
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
