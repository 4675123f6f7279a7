//! Checks that crates import strictly downwards, and that dispatch's dependencies stay light.

mod edges;
mod fence;
pub(crate) mod layers;

use anyhow::{Result, bail};

use crate::{metadata, tree};

/// Checks both and prints every violation with its fix.
pub(crate) fn run(mut args: lexopt::Parser) -> Result<()> {
    if let Some(arg) = args.next()? {
        return Err(arg.unexpected().into());
    }
    check()
}

/// The check as a step of `cargo xtask test`.
pub(crate) fn check() -> Result<()> {
    let workspace = metadata::read()?;
    let mut breaches = edges::breaches(&workspace.crates);
    if workspace.crates.iter().any(|it| it.name == fence::FAST) {
        breaches.extend(fence::breaches(&tree::read(fence::FAST, "normal")?));
    }
    if breaches.is_empty() {
        println!("{} crates, every edge points downwards, dispatch is light", workspace.crates.len());
        return Ok(());
    }
    for breach in &breaches {
        println!("{breach}\n");
    }
    bail!("{} breaches of the layering", breaches.len())
}
