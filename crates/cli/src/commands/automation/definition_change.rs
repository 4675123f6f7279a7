//! Writes a changed definition into its file if the file is valid afterwards, and prints the result.

use automation::config::{declared_ids, definition, key_at};
use automation::{Configuration, SourceFile};
use config_file::{Code, Problem};
use engine::ImpedimentSearch;
use serde_json::{Value, json};
use store::{AutomationFiles, FileReading, TrustStatus};

use super::secret_filter::SecretFilter;
use super::{Applied, automation_json, print_trust_hint, problems, standing, standing_of, switch, validate};
use crate::change::{Change, ChangeError, Mode, Writer};
use crate::commands::{Place, serve};
use crate::exit::Exit;
use crate::output;
use crate::person;

/// The options that all commands share which change a definition.
#[derive(Debug, clap::Args)]
pub(super) struct ChangeArgs {
    /// Check the change and show it as a diff, but write nothing
    #[arg(long)]
    dry_run: bool,
    /// Print JSON: {"written", "valid", "id", "file", "line", "definition", "trust", "problems": [{severity, code, file, line, column, key, message, hint}], "diff" (dry run)}
    #[arg(long)]
    json: bool,
}

/// The change of an automation by a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verb {
    Add,
    Edit,
    Remove,
}

impl Verb {
    const fn command(self) -> &'static str {
        match self {
            Self::Add => "automation add",
            Self::Edit => "automation edit",
            Self::Remove => "automation remove",
        }
    }

    const fn past(self) -> &'static str {
        match self {
            Self::Add => "added",
            Self::Edit => "changed",
            Self::Remove => "removed",
        }
    }
}

impl ChangeArgs {
    /// Prints which automations apply in spite of errors. Refuses the change if an agent may have asked for it: it must
    /// not choose what runs.
    pub(super) fn refusal(&self, verb: Verb, place: &Place) -> anyhow::Result<Option<Exit>> {
        Applied::read(place).note_errors();
        if self.dry_run {
            return Ok(None);
        }
        let Some(exit) = person::refusal(place, verb.command()) else { return Ok(None) };
        if self.json {
            let message = format!("only a person may run `steersman {}`", verb.command());
            let problem = Problem::error("", Code::new("NOT_A_PERSON"), message);
            output::json(&json!({"written": false, "valid": false, "problems": [problems::json(&problem)]}))?;
        }
        Ok(Some(exit))
    }

    /// Reports why nothing was changed.
    pub(super) fn reject(&self, problems: &[Problem]) -> anyhow::Result<Exit> {
        self.reject_in(problems, &|_| None)
    }

    fn reject_in(&self, found: &[Problem], key: &dyn Fn(&Problem) -> Option<String>) -> anyhow::Result<Exit> {
        if self.json {
            let shown: Vec<Value> = found.iter().map(|it| with_key(it, key(it))).collect();
            output::json(&json!({"written": false, "valid": false, "problems": shown}))?;
        } else {
            problems::print_problems(found);
            output::note("nothing was written");
        }
        Ok(Exit::No)
    }

    /// Changes the file by `edit`, unless it would be invalid afterwards. `id` is the id after the change.
    pub(super) fn carry_out(
        &self,
        verb: Verb,
        (file, id): (SourceFile, &str),
        place: &Place,
        edit: impl FnOnce(Option<&str>) -> Result<String, String>,
    ) -> anyhow::Result<Exit> {
        let root = place.workspace.root();
        let files = AutomationFiles::read(&place.workspace);
        let before = Configuration::default().take_files(&files, root);
        let is_trusted = standing_of(place, &files)? == TrustStatus::Trusted;
        let mut is_judged = false;
        let mut after = String::new();
        let planned = Change::plan(&place.workspace, file.name(), |text| {
            is_judged = is_trusted && text.is_some_and(|it| files.clone().with(file.name(), it) == files);
            after = edit(text).map_err(|why| ChangeError::Content {
                what: format!("cannot edit `{}`: {why}", file.name()),
                place: None,
                hint: "correct the file and run the command again; steersman did not change it".to_owned(),
            })?;
            Ok(Some(after.clone()))
        });
        let change = match planned {
            Ok(change) => change,
            Err(error) if self.json => return self.report_unplanned(&error, file, &before.problems),
            Err(error) => return Ok(error.print()),
        };
        let changed = files.with(file.name(), &after);
        let mut configuration = Configuration::default();
        let loaded = configuration.take_files(&changed, root);
        let settings = serve::settings(place);
        let automation = configuration.automations().find(|it| it.id.as_str() == id);
        let impediments = ImpedimentSearch::new(&settings);
        let impeded = automation
            .filter(|it| it.enabled)
            .and_then(|it| validate::impediment_problem(it, &impediments, &settings));
        let ids = declared_ids(&after);
        let index = match verb {
            Verb::Add => ids.len().checked_sub(1),
            Verb::Edit => ids.iter().position(|it| it == id),
            Verb::Remove => None,
        };
        // The key of a problem, if the problem is in the changed automation.
        let key = |it: &Problem| {
            let at = it.excerpt.as_ref().filter(|_| it.file == file.name())?;
            key_at(&after, at.line, at.column).filter(|(n, _)| Some(*n) == index)
        };
        let concerns = |it: &Problem| {
            let is_new = !before.problems.contains(it);
            (it.is_error() && (it.file == file.name() || is_new)) || key(it).is_some()
        };
        let found: Vec<Problem> =
            loaded.problems.iter().filter(|it| concerns(it)).cloned().chain(impeded).collect();
        let key_of = |it: &Problem| key(it).map(|(_, key)| key).filter(|it| !it.is_empty());
        if found.iter().any(Problem::is_error) {
            return self.reject_in(&found, &key_of);
        }
        let is_change = !change.is_nothing();
        let mut writer = Writer::new(&place.workspace, if self.dry_run { Mode::DryRun } else { Mode::Write });
        let went_well = if self.json { writer.apply_unseen(&change) } else { writer.apply(&change) };
        let is_written = went_well && is_change && writer.writes();
        if is_written && verb == Verb::Remove && is_judged {
            // What stays is what the person trusted.
            switch::trust_again(place, &changed)?;
        }
        let result = writer.finish();
        let trust = standing(place)?;
        if self.json {
            let secrets = SecretFilter::new(&settings);
            let shown = |it| definition(&after, id).map(|raw| secrets.value(it, raw));
            let mut wire = json!({
                "written": is_written,
                "valid": true,
                "id": id,
                "file": file.name(),
                "line": automation.map(|it| it.origin.line),
                "definition": automation.and_then(shown),
                "trust": automation_json::trust(&trust),
                "problems": found.iter().map(|it| with_key(it, key_of(it))).collect::<Vec<_>>(),
            });
            if self.dry_run {
                wire["diff"] = change.diff().into();
            }
            output::json(&wire)?;
            return Ok(result);
        }
        problems::print_problems(&found);
        if is_written {
            output::note(&format!("✓ {} `{}` in {}", verb.past(), output::text::one_line(id), file.name()));
            print_trust_hint(&trust);
        }
        Ok(result)
    }

    /// Reports as JSON why the file cannot be edited.
    fn report_unplanned(
        &self,
        error: &ChangeError,
        file: SourceFile,
        before: &[Problem],
    ) -> anyhow::Result<Exit> {
        let exit = error.print();
        let mut found: Vec<Problem> =
            before.iter().filter(|it| it.is_error() && it.file == file.name()).cloned().collect();
        if let (ChangeError::Content { what, hint, .. }, true) = (error, found.is_empty()) {
            found.push(Problem::error(file.name(), Code::INVALID_SCHEMA, what.clone()).hint(hint.clone()));
        }
        self.reject(&found)?;
        Ok(exit)
    }
}

/// Returns the file that declares an automation; else prints the reason and returns the exit code.
pub(super) fn declaring_file(
    id: &str,
    args: &ChangeArgs,
    place: &Place,
) -> anyhow::Result<Result<SourceFile, Exit>> {
    let files = AutomationFiles::read(&place.workspace);
    let texts = [(SourceFile::Akira, files.akira()), (SourceFile::Gatomia, files.gatomia())];
    for (file, reading) in texts {
        if let FileReading::Bytes(bytes) = reading
            && definition(&String::from_utf8_lossy(bytes), id).is_some()
        {
            return Ok(Ok(file));
        }
    }
    let mut configuration = Configuration::default();
    let loaded = configuration.take_files(&files, place.workspace.root());
    let mut found: Vec<Problem> = loaded.problems.into_iter().filter(Problem::is_error).collect();
    let shown = output::text::one_line(id);
    // A file that cannot be parsed may declare it.
    let what = if found.is_empty() { "unknown automation" } else { "no file without errors declares" };
    let mut problem = Problem::error("", Code::new("UNKNOWN_AUTOMATION"), format!("{what} `{shown}`"));
    let known = configuration.automations().map(|it| it.id.as_str());
    problem.hint = Some(match config_file::nearest(id, known) {
        _ if !found.is_empty() => "correct the errors, then run the command again".to_owned(),
        Some(meant) => format!("did you mean `{meant}`?"),
        None => "run `steersman automation list` for a list".to_owned(),
    });
    if args.json {
        found.insert(0, problem);
        return Ok(Err(args.reject(&found)?));
    }
    problems::print_problems(&found);
    output::error(&problem.message);
    output::hint(problem.hint.as_deref().unwrap_or_default());
    Ok(Err(Exit::No))
}

fn with_key(problem: &Problem, key: Option<String>) -> Value {
    let mut wire = problems::json(problem);
    if let Some(key) = key {
        wire["key"] = key.into();
    }
    wire
}
