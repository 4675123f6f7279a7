//! Answers one event with a faulty built-in module, in its own process. The test of the same name runs
//! `faulty_modules FAULT [critical | unnamed host | HOST]`.
//!
//! The payload on stdin has the contract's own format, as for `--host raw`, unless the second word names another host.
#![expect(clippy::panic, reason = "that is one of the faults")]

use std::io;
use std::time::Duration;

use automation::queue::QueuedRun;
use automation::{AutomationId, Occurrence, OccurrenceKind};
use dispatch::{Alarm, LaunchContext, TimedReader};
use dispatch::{ShellCalls, run};
use event::{AbsPath, EventName};
use host::{Hints, Host};
use modules::{Action, Concluded, Context, Module, ModuleFailure, Profile};
use serde_json::{Value, json};
use session::Emitted;

fn main() {
    let mut args = std::env::args().skip(1);
    let fault = args.next().unwrap_or_default();
    let variation = args.next().unwrap_or_default();
    std::panic::set_hook(Box::new(|_| {}));
    let folder =
        std::env::current_dir().ok().and_then(|dir| AbsPath::new(dir).ok()).unwrap_or_else(AbsPath::root);
    let launch = LaunchContext {
        event: Some("PreToolUse".into()),
        host: match variation.as_str() {
            "unnamed host" => None,
            name => Some(Host::from_name(name).unwrap_or(Host::Raw)),
        },
        workspace: (variation != "codex").then(|| folder.clone()),
        registration: None,
        timeout: None,
        notify: |_| {},
        run_check: |_| unreachable!("no workspace here has a done gate"),
        check_coverage: |_, _| {},
        shell: ShellCalls::Judged,
        folder,
        project: None,
        user_state: None,
        user_configs: Vec::new(),
        home: None,
        moved_settings: Vec::new(),
        running_agent: None,
        hints: Hints::default(),
        shell_entry: |_| false,
        program_folders: Vec::new,
        automations: Vec::new(),
        records: None,
    };
    let profile = Profile {
        name: "faulty",
        about: "fails",
        supports: &[EventName::PreToolUse],
        priority: 10,
        hot_path_safe: true,
        critical: variation == "critical",
        on_by_default: true,
    };
    let faulty = Faulty { profile, fault };
    let after = After(Profile { name: "after", priority: 20, critical: false, ..profile });
    let pipeline: Vec<&dyn Module> =
        modules::ALL.iter().copied().chain([&faulty as _, &after as _]).collect();
    run(&launch, &pipeline, TimedReader::new(io::stdin().lock()), io::stdout().lock(), Alarm::Armed);
}

struct Faulty {
    profile: Profile,
    fault: String,
}

impl Module for Faulty {
    fn profile(&self) -> &Profile {
        if self.fault == "panics in its profile" {
            std::panic::panic_any("no profile");
        }
        &self.profile
    }

    fn handle(&self, context: &Context<'_>) -> Result<Action, ModuleFailure> {
        match self.fault.as_str() {
            "fails" => Err(ModuleFailure("it could not".into())),
            "panics" => std::panic::panic_any("it fell"),
            "panics without words" => std::panic::panic_any(7),
            "loops" => spin(),
            "sleeps" => loop {
                std::thread::sleep(Duration::from_hours(1));
            },
            "allocates without end" => hoard(),
            "allocates too much at once" => {
                let wanted = usize::try_from(isize::MAX).unwrap_or(0) - 4096;
                Ok(Action::deny(format!("{:?}", Vec::<u8>::with_capacity(wanted))))
            }
            "recurses" => Ok(Action::deny(descend(1).to_string())),
            "aborts" => std::process::abort(),
            "returns nonsense" => Ok(nonsense()),
            "denies, then hangs" => Ok(Action::deny("Use another tool instead.")),
            "queues an automation" => {
                let now = store::now();
                let Ok(id) = AutomationId::new("nightly") else { return Ok(Action::default()) };
                let what =
                    OccurrenceKind::Custom { name: "test".into(), path: None, data: serde_json::Map::new() };
                let run = QueuedRun::new(now, id, Occurrence::new(now, what));
                Ok(Action { automations: vec![run], ..Action::default() })
            }
            "writes to stderr" => {
                let _ = io::Write::write_all(&mut io::stderr(), b"look at me");
                Ok(Action::default())
            }
            "logs" => {
                context.log.add("faulty", "info", "one\ntwo".into());
                Ok(Action::default())
            }
            _ => Ok(Action::default()),
        }
    }

    fn conclude(&self, _context: &Context<'_>, _concluded: &Concluded<'_>) -> Action {
        match self.fault.as_str() {
            "denies, then hangs" => spin(),
            "panics in the end" => std::panic::panic_any("it fell late"),
            "overrules in the end" => Action::deny("too late"),
            _ => Action::default(),
        }
    }
}

/// Warns, to show that it ran.
struct After(Profile);

impl Module for After {
    fn profile(&self) -> &Profile {
        &self.0
    }

    fn handle(&self, _context: &Context<'_>) -> Result<Action, ModuleFailure> {
        Ok(Action { warnings: vec!["after was here".into()], ..Action::default() })
    }
}

fn spin() -> ! {
    loop {
        std::hint::spin_loop();
    }
}

fn hoard() -> ! {
    let mut hoard: Vec<Vec<u8>> = Vec::new();
    loop {
        hoard.push(vec![1; 1 << 20]);
    }
}

#[expect(unconditional_recursion, reason = "that is the fault")]
fn descend(depth: u64) -> u64 {
    std::hint::black_box(descend(std::hint::black_box(depth + 1)) + depth)
}

/// Returns an action with invalid values everywhere.
fn nonsense() -> Action {
    let deep = (0..60).fold(Value::Null, |inner, _| json!([inner]));
    let patch = json!({"core": {"lastTurnId": -1}, "nowhere": {}, "plan": [1, 2]});
    Action {
        updated_input: [(String::new(), deep.clone())].into_iter().collect(),
        input_metadata: [("_hook\0".to_owned(), json!("\u{202E}"))].into_iter().collect(),
        state_patch: patch.as_object().cloned().unwrap_or_default(),
        emit_events: vec![
            Emitted { kind: String::new(), data: Value::Null },
            Emitted { kind: "\n{}\n".into(), data: deep },
            Emitted { kind: "TEXT".into(), data: json!("x".repeat(100_000)) },
        ],
        warnings: vec![String::new(), "\u{0}\u{1b}[31m".into(), "w".repeat(100_000)],
        metrics: Some(json!(f64::NAN)),
        ..Action::default()
    }
}
