//! `cargo xtask recording`: writes the recording in the README from the real demo.

use anyhow::Result;

use crate::repo;

/// Runs the test that compares the recording, and lets it write the file.
pub(crate) fn run(mut args: lexopt::Parser) -> Result<()> {
    if let Some(arg) = args.next()? {
        return Err(arg.unexpected().into());
    }
    let test = ["test", "--workspace", "--test", "setup", "recording::"];
    repo::run(repo::cargo(&test).env("UPDATE_EXPECT", "1"))?;
    println!("docs/demo.svg is current");
    Ok(())
}
