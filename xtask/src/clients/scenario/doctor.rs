//! Compares the report of `steersman doctor` about a program with the program's behaviour.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::{Map, Value};

use super::records;
use crate::clients::client::Trust;
use crate::clients::lab::{HOME, Lab, PROJECT, Session};

const SUBFOLDER: &str = "/home/dev/shop/src";

pub(super) fn play(lab: &mut Lab) -> Result<()> {
    lab.init("");
    never_seen(lab);
    without_trust(lab)?;
    in_subfolder(lab)?;
    switched_off(lab)
}

/// A program that is registered and has not called yet is a warning, with the reason or the next step.
fn never_seen(lab: &mut Lab) {
    let told = lab.user("steersman doctor").output;
    let line = line_about(lab, &told);
    let is_warning = line.trim_start().starts_with('!') && line.contains("no event");
    lab.check("doctor warns about a program that never called", is_warning, &line);
    lab.check("doctor does not say that all is well", !told.contains("Everything is fine"), &told);
}

/// Returns doctor's line about the program.
fn line_about(lab: &Lab, told: &str) -> String {
    let title = format!("{}: ", lab.client.title);
    told.lines().find(|line| line.contains(&title)).unwrap_or_default().to_owned()
}

/// First without the trust that the program asks for, then with it.
fn without_trust(lab: &mut Lab) -> Result<()> {
    match lab.client.trust {
        Trust::NotNeeded => {}
        Trust::Folder(file, text) => {
            let path = Path::new(HOME).join(file);
            let trusting = fs::read_to_string(&path).with_context(|| format!("cannot read `{file}`"))?;
            lab.write(&path.to_string_lossy(), text)?;
            compare(lab, &Session::new(Vec::new()), Runs::No("have not trusted this folder"))?;
            lab.write(&path.to_string_lossy(), &trusting)?;
        }
        Trust::Hooks { argument, file, record } => {
            let session = || Session::new(Vec::new()).without_argument(argument);
            compare(lab, &session(), Runs::No("you have not trusted"))?;
            let path = Path::new(HOME).join(file);
            let settings = fs::read_to_string(&path).with_context(|| format!("cannot read `{file}`"))?;
            let hooks = lab.read(lab.client.settings).unwrap_or_default();
            lab.write(&path.to_string_lossy(), &format!("{settings}{}", record(&hooks)))?;
            return compare(lab, &session(), Runs::Yes);
        }
    }
    compare(lab, &Session::new(Vec::new()), Runs::Yes)
}

/// Three programs read no settings of a project that they are started in a subfolder of.
fn in_subfolder(lab: &mut Lab) -> Result<()> {
    let runs =
        if lab.client.reads_from_subfolder { Runs::Yes } else { Runs::No("not governed in this folder") };
    compare(lab, &Session::new(Vec::new()).in_folder(SUBFOLDER), runs)
}

/// A line of the project silences the hooks.
fn switched_off(lab: &mut Lab) -> Result<()> {
    let (file, text) = lab.client.silence;
    // The registration may be in the same file.
    let both = lab.read(file).and_then(|settings| {
        let mut settings: Map<String, Value> = serde_json::from_str(&settings).ok()?;
        settings.extend(serde_json::from_str::<Map<String, Value>>(text).ok()?);
        Some(Value::Object(settings).to_string())
    });
    let off = both.unwrap_or_else(|| text.to_owned());
    lab.write(file, &off)?;
    compare(lab, &Session::new(Vec::new()), Runs::No("switches them off"))
}

/// Whether a program runs the hooks.
#[derive(Clone, Copy)]
enum Runs {
    Yes,
    /// No, for this reason.
    No(&'static str),
}

/// Checks that doctor says what the program then does.
fn compare(lab: &mut Lab, session: &Session, runs: Runs) -> Result<()> {
    let n_before = records(lab).len();
    // Gemini CLI does not even start in a folder without trust.
    let folder = session.folder();
    lab.start(session)?;
    let did_run = records(lab).len() > n_before;
    let told = lab.user_in(folder, "steersman doctor").output;
    let line = line_about(lab, &told);
    let place = folder.strip_prefix(PROJECT).unwrap_or_default();
    match runs {
        Runs::Yes => {
            lab.check(&format!("the program runs the hooks (`.{place}`)"), did_run, &line);
            lab.check("doctor says that they run", line.contains("last event"), &line);
            let is_warning = line.trim_start().starts_with('!');
            lab.check("doctor does not warn", !is_warning, &line);
        }
        Runs::No(why) => {
            lab.check(&format!("the program runs no hooks: {why}"), !did_run, &line);
            let is_warning = line.trim_start().starts_with('!') && line.contains(why);
            lab.check(&format!("doctor warns: {why}"), is_warning, &line);
        }
    }
    Ok(())
}
