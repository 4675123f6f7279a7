//! Packs the release archive: the static binary with its documents, and a checksum.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::release::{self, Linkage};
use crate::{metadata, repo};

/// Pages that are packed if they exist; a licence must exist.
const PAGES: &[&str] = &["README.md", "CHANGELOG.md"];

/// The shells for which `steersman completions` is run.
const SHELLS: &[&str] = &["bash", "zsh", "fish"];

/// Builds, packs and prints the path of the archive.
pub(crate) fn run(mut args: lexopt::Parser) -> Result<()> {
    if let Some(arg) = args.next()? {
        return Err(arg.unexpected().into());
    }
    let root = repo::root();
    let papers = papers(&root)?;
    let binary = release::steersman(Linkage::Static)?;
    let workspace = metadata::read()?;
    let version = workspace.crates.iter().find(|it| it.name == "steersman").map(|it| it.version.as_str());
    let name = format!("steersman-{}-{}", version.unwrap_or("unversioned"), release::STATIC);
    // Not `target/dist`: cargo keeps the builds of the profile of that name there.
    let dist = workspace.target.join("packages");
    let folder = dist.join(&name);
    let context = || format!("cannot fill `{}`", folder.display());
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(context)?;
    }
    fs::create_dir_all(folder.join("completions")).with_context(context)?;
    fs::copy(&binary, folder.join("steersman")).with_context(context)?;
    for paper in &papers {
        fs::copy(root.join(paper), folder.join(paper)).with_context(context)?;
    }
    completions(&binary, &folder.join("completions"))?;
    let archive = format!("{name}.tar.gz");
    pack(&dist, &name, &archive)?;
    let sum = checksum(&dist, &archive)?;
    fs::write(dist.join(format!("{archive}.sha256")), &sum).context("cannot write the checksum")?;
    println!("{}\n{}", dist.join(&archive).display(), sum.trim_end());
    Ok(())
}

fn papers(root: &Path) -> Result<Vec<String>> {
    let mut papers = Vec::new();
    for entry in fs::read_dir(root).context("cannot list the checkout")? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name.starts_with("LICENSE") || PAGES.contains(&name.as_str()) {
            papers.push(name);
        }
    }
    if !papers.iter().any(|name| name.starts_with("LICENSE")) {
        bail!(
            "there is no LICENSE file to pack\nhint: add LICENSE: a binary without its licence may not be used"
        );
    }
    papers.sort();
    Ok(papers)
}

/// Writes the completions that the binary offers; a shell it does not know is left out.
fn completions(binary: &Path, folder: &Path) -> Result<()> {
    for shell in SHELLS {
        let script = repo::output(Command::new(binary).args(["completions", shell])).unwrap_or_default();
        if script.is_empty() {
            println!("no completions for {shell}");
        } else {
            fs::write(folder.join(format!("steersman.{shell}")), script)
                .context("cannot write completions")?;
        }
    }
    // A folder that stayed empty is not packed.
    let _ = fs::remove_dir(folder);
    Ok(())
}

/// Packs so that the same files give the same bytes: sorted, owned by user 0, dated by the commit.
fn pack(dist: &Path, name: &str, archive: &str) -> Result<()> {
    let mut git = Command::new("git");
    git.current_dir(repo::root()).args(["log", "-1", "--format=%ct"]);
    let date = repo::output(&mut git).unwrap_or_else(|_| "0".to_owned());
    let mut tar = Command::new("tar");
    tar.current_dir(dist)
        .args(["--create", "--gzip", "--sort=name", "--owner=0", "--group=0", "--numeric-owner"])
        .arg(format!("--mtime=@{}", date.trim()))
        .args(["--file", archive, name]);
    repo::run(&mut tar).context("cannot pack the archive")
}

fn checksum(dist: &Path, archive: &str) -> Result<String> {
    repo::output(Command::new("sha256sum").current_dir(dist).arg(archive))
        .or_else(|_| repo::output(Command::new("shasum").current_dir(dist).args(["-a", "256", archive])))
        .context("cannot sum the archive")
}
