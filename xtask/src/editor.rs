//! Builds the VS Code extension, tests it in a real workbench, and packs it.
//!
//! The workbench is code-server, which npm has; it runs on the Node of a wheel and is driven in Chromium. Everything is
//! installed below the target folder, and the extension is built from a copy there, so that the checkout stays clean.

mod toolbox;

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::release::{self, Linkage};
use crate::{metadata, repo};
use toolbox::Toolbox;

/// The options of `cargo xtask editor`.
#[derive(Default)]
struct Options {
    /// Arguments of the script that runs the workflows.
    selection: Vec<String>,
    binary: Option<PathBuf>,
    screenshots: Option<PathBuf>,
}

/// Builds the extension and runs its workflows.
pub(crate) fn run(mut args: lexopt::Parser) -> Result<()> {
    let mut options = Options::default();
    while let Some(arg) = args.next()? {
        match arg {
            lexopt::Arg::Long(name @ ("short" | "list" | "activation")) => {
                options.selection.push(format!("--{name}"));
            }
            lexopt::Arg::Long("only") => {
                options.selection.extend(["--only".to_owned(), args.value()?.to_string_lossy().into_owned()]);
            }
            lexopt::Arg::Long("binary") => options.binary = Some(std::path::absolute(args.value()?)?),
            lexopt::Arg::Long("screenshots") => {
                options.screenshots = Some(std::path::absolute(args.value()?)?);
            }
            _ => return Err(arg.unexpected().into()),
        }
    }
    run_workflows(&options)
}

/// Checks the types of the extension, runs its unit tests and bundles it, without a workbench.
pub(crate) fn check() -> Result<()> {
    build(&metadata::read()?.target.join("editor"), &|| Command::new("npm")).map(drop)
}

/// Runs the short selection of workflows with the extension that [`check`] bundled.
pub(crate) fn check_workflows() -> Result<()> {
    let target = metadata::read()?.target;
    let tools = Toolbox::install(&target.join("editor"))?;
    let extension = tools.folder.join("extension");
    if !extension.join("dist/extension.js").is_file() {
        bail!("the extension is not bundled; the step `extension` does it");
    }
    let options = Options { selection: vec!["--short".to_owned()], ..Options::default() };
    run_in_workbench(&options, &target, &tools, &extension)
}

fn run_workflows(options: &Options) -> Result<()> {
    let target = metadata::read()?.target;
    let tools = Toolbox::install(&target.join("editor"))?;
    let extension = build(&tools.folder, &|| tools.npm())?;
    run_in_workbench(options, &target, &tools, &extension)
}

/// Packs the bundled extension, installs it in a workbench and runs the selected workflows.
fn run_in_workbench(options: &Options, target: &Path, tools: &Toolbox, extension: &Path) -> Result<()> {
    let binary = if let Some(binary) = &options.binary {
        binary.clone()
    } else {
        repo::run(&mut repo::cargo(&["build", "--workspace", "--bin", "steersman"]))?;
        target.join("debug/steersman")
    };
    let package = tools.folder.join("steersman.vsix");
    pack(tools, extension, &package, None)?;
    let scratch = tools.folder.join("scratch");
    std::fs::create_dir_all(&scratch).context("cannot create the folder of the workbench")?;
    let mut workflows = tools.node();
    workflows
        .arg(extension.join("test/e2e/run.mjs"))
        .args(&options.selection)
        .envs([
            ("CODE_SERVER", tools.code_server.as_path()),
            ("CODE_NODE", tools.node.as_path()),
            ("CHROMIUM", tools.chromium.as_path()),
            ("PACKAGES", tools.packages.as_path()),
            ("VSIX", package.as_path()),
            ("STEERSMAN", binary.as_path()),
            ("SCRATCH", scratch.as_path()),
            ("FAILURES", tools.folder.join("failures").as_path()),
        ])
        .current_dir(extension);
    if let Some(folder) = &options.screenshots {
        std::fs::create_dir_all(folder).context("cannot create the folder of the screenshots")?;
        workflows.env("SCREENSHOTS", folder);
    }
    repo::run(&mut workflows)
}

/// Packs the extension for this machine's platform, with the static binary, and once without a binary for all others.
pub(crate) fn vsix(mut args: lexopt::Parser) -> Result<()> {
    let mut binary = None;
    while let Some(arg) = args.next()? {
        match arg {
            lexopt::Arg::Long("binary") => binary = Some(std::path::absolute(args.value()?)?),
            _ => return Err(arg.unexpected().into()),
        }
    }
    let target = metadata::read()?.target;
    let tools = Toolbox::install(&target.join("editor"))?;
    let extension = build(&tools.folder, &|| tools.npm())?;
    let folder = target.join("packages");
    std::fs::create_dir_all(&folder).context("cannot create the folder of the packages")?;
    pack(&tools, &extension, &folder.join("steersman-universal.vsix"), None)?;
    let binary = match binary {
        Some(binary) => binary,
        None => release::steersman(Linkage::Static)?,
    };
    let bin = extension.join("bin");
    std::fs::create_dir_all(&bin).context("cannot create the folder of the binary")?;
    std::fs::copy(&binary, bin.join("steersman")).context("cannot copy the binary")?;
    let platforms: &[&str] = match std::env::consts::ARCH {
        "x86_64" => &["linux-x64", "alpine-x64"],
        "aarch64" => &["linux-arm64", "alpine-arm64"],
        other => bail!("no package is made for {other}"),
    };
    for platform in platforms {
        let package = folder.join(format!("steersman-{platform}.vsix"));
        pack(&tools, &extension, &package, Some(platform))?;
        println!("{}", package.display());
    }
    Ok(())
}

/// Copies the sources, installs what they need, checks the types, runs the unit tests and bundles. Returns the folder.
fn build(folder: &Path, npm: &dyn Fn() -> Command) -> Result<PathBuf> {
    let (root, extension) = (repo::root(), folder.join("extension"));
    copy_sources(&root.join("editors/vscode"), &extension)?;
    let mut install = npm();
    install.args(["ci", "--no-audit", "--no-fund", "--loglevel=error"]).current_dir(&extension);
    repo::run(&mut install)?;
    for script in ["check", "test", "build"] {
        let mut run = npm();
        run.args(["run", "--silent", script])
            .current_dir(&extension)
            .env("STEERSMAN_REPO", &root)
            .env("STEERSMAN_SCHEMAS", root.join("schemas"));
        repo::run(&mut run)?;
    }
    Ok(extension)
}

/// Copies a folder, except for build results. Files that no longer exist are removed from the copy, packages stay.
fn copy_sources(from: &Path, to: &Path) -> Result<()> {
    const RESULTS: &[&str] = &["node_modules", "dist", "dist-test"];
    if to.is_dir() {
        for entry in std::fs::read_dir(to)? {
            let entry = entry?;
            if entry.file_name() == "node_modules" {
                continue;
            }
            let removed = if entry.file_type()?.is_dir() {
                std::fs::remove_dir_all(entry.path())
            } else {
                std::fs::remove_file(entry.path())
            };
            removed.with_context(|| format!("cannot remove `{}`", entry.path().display()))?;
        }
    }
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from).with_context(|| format!("cannot read `{}`", from.display()))? {
        let entry = entry?;
        let name = entry.file_name();
        if RESULTS.iter().any(|it| name == *it) {
            continue;
        }
        if entry.file_type()?.is_dir() {
            copy_sources(&entry.path(), &to.join(&name))?;
        } else {
            std::fs::copy(entry.path(), to.join(&name))
                .with_context(|| format!("cannot copy `{}`", entry.path().display()))?;
        }
    }
    Ok(())
}

fn pack(tools: &Toolbox, extension: &Path, package: &Path, platform: Option<&str>) -> Result<()> {
    let mut vsce: Command = tools.node();
    vsce.arg(tools.packages.join("node_modules/@vscode/vsce/vsce"))
        .args(["package", "--no-dependencies", "-o"])
        .arg(package)
        .current_dir(extension);
    if let Some(platform) = platform {
        vsce.args(["--target", platform]);
    }
    repo::output(&mut vsce).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;

    #[test]
    fn a_copy_has_no_build_results_and_no_removed_files() {
        let scratch = Scratch::new("editor").unwrap();
        let (from, to) = (scratch.path().join("from"), scratch.path().join("to"));
        for file in ["src/a.ts", "dist/a.js", "node_modules/x/index.js", "package.json"] {
            let path = from.join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "x").unwrap();
        }
        copy_sources(&from, &to).unwrap();
        std::fs::create_dir_all(to.join("node_modules")).unwrap();
        std::fs::rename(from.join("src/a.ts"), from.join("src/b.ts")).unwrap();
        copy_sources(&from, &to).unwrap();
        assert!(to.join("src/b.ts").is_file() && !to.join("src/a.ts").exists());
        assert!(to.join("node_modules").is_dir() && !to.join("node_modules/x").exists());
        assert!(!to.join("dist").exists() && to.join("package.json").is_file());
    }
}
