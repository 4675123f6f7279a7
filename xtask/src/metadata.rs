//! The crates of this workspace and their dependencies, from `cargo metadata`.

use std::path::PathBuf;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::repo;

/// The workspace as `cargo metadata` describes it.
pub(crate) struct Workspace {
    /// Where cargo builds to.
    pub(crate) target: PathBuf,
    /// Every crate of the workspace.
    pub(crate) crates: Vec<Crate>,
}

/// One crate of the workspace.
pub(crate) struct Crate {
    /// The name of the package.
    pub(crate) name: String,
    /// Its version.
    pub(crate) version: String,
    /// The dependencies in its manifest.
    pub(crate) edges: Vec<Edge>,
}

/// One line below `[dependencies]` or its siblings.
pub(crate) struct Edge {
    /// The package that is asked for.
    pub(crate) to: String,
    /// Whether that is a crate of this workspace.
    pub(crate) ours: bool,
    /// The section that requests it.
    pub(crate) kind: Kind,
}

/// Which table of the manifest an edge stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `[dependencies]`
    Normal,
    /// `[dev-dependencies]`
    Dev,
    /// `[build-dependencies]`
    Build,
}

/// Runs `cargo metadata`.
pub(crate) fn read() -> Result<Workspace> {
    let text = repo::output(&mut repo::cargo(&["metadata", "--format-version", "1", "--no-deps"]))?;
    parse(&text)
}

/// Parses the output of `cargo metadata`.
pub(crate) fn parse(text: &str) -> Result<Workspace> {
    let value: Value = serde_json::from_str(text).context("cannot read what `cargo metadata` printed")?;
    let target = PathBuf::from(value["target_directory"].as_str().unwrap_or("target"));
    let packages = value["packages"].as_array().context("`cargo metadata` named no packages")?;
    Ok(Workspace { target, crates: packages.iter().map(package).collect() })
}

fn package(value: &Value) -> Crate {
    let edges = value["dependencies"].as_array().map(Vec::as_slice).unwrap_or_default();
    Crate {
        name: text(&value["name"]),
        version: text(&value["version"]),
        edges: edges.iter().map(edge).collect(),
    }
}

fn edge(value: &Value) -> Edge {
    let kind = match value["kind"].as_str() {
        Some("dev") => Kind::Dev,
        Some("build") => Kind::Build,
        _ => Kind::Normal,
    };
    Edge { to: text(&value["name"]), ours: value["path"].is_string(), kind }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
