//! Impediments of automations and pending runs, and the values that templates read from the project.

use automation::queue::{self, Entry, QueuedRun};
use automation::{
    Action, AutomationId, Chain, Occurrence, RunnerChoice, Status, Template, Trigger, WorkspaceSettings,
};
use engine::{AutomationSet, impediment};
use event::AbsPath;

use crate::stage::{Stage, automation, called, scripted};

#[test]
fn a_prompt_that_nobody_is_named_for_and_a_repository_that_is_not_there_turn_an_automation_off() {
    let mut stage = Stage::new();
    let prompt = automation("prompt", Action::Prompt { prompt: Template::new("x") });
    let mut commit = scripted("commit", "true");
    commit.trigger = Trigger::Commit { repo_root: AbsPath::new(stage.path("")).unwrap() };
    let codes = |stage: &Stage| -> Vec<_> {
        let of = |it| impediment::of(it, &stage.settings).map(|why| why.code);
        [&prompt, &commit].map(of).to_vec()
    };
    assert_eq!(codes(&stage), [Some("NO_RUNNER"), Some("NO_COMMITS")]);
    let mut engine = stage.engine(&[prompt.clone(), commit.clone()]);
    assert_eq!(engine.engine.automations().impeded().count(), 2);
    engine.offer([called("prompt")]);
    engine.finish();
    assert_eq!(engine.engine.metrics().queued, 0, "an impeded automation is not triggered");
    drop(engine);
    std::fs::create_dir(stage.path(".git")).unwrap();
    let runner = Some(RunnerChoice::Cli(host::AgentCli::Claude.into()));
    let settings = WorkspaceSettings { runner, max_concurrency: Some(3), ..WorkspaceSettings::default() };
    stage.settings.set_automation(settings);
    assert_eq!(codes(&stage), [None, None]);
    assert_eq!(stage.settings.max_running, 3);
}

fn put_in(stage: &Stage, hook: &str, name: &str, chain: &Chain) {
    let now = store::now();
    let mut occurrence = Occurrence::new(now, called(name));
    occurrence.chain = chain.clone();
    let run = QueuedRun::new(now, AutomationId::new(hook).unwrap(), occurrence);
    queue::append(&stage.settings.workspace, now, [Entry::Queued { run }]).unwrap();
}

#[test]
fn a_run_that_others_put_into_the_queue_is_refused_if_its_automation_led_to_it() {
    let stage = Stage::new();
    let mut engine = stage.engine(&[scripted("a", "echo ran >> ran")]);
    let chain = Chain::default().then(&AutomationId::new("a").unwrap());
    put_in(&stage, "a", "followup:x", &chain);
    put_in(&stage, "a", "followup:x", &Chain::default());
    engine.finish();
    let mut codes: Vec<_> = stage.records().into_iter().map(|it| it.error.map(|it| it.code)).collect();
    codes.sort();
    assert_eq!(codes, [None, Some("CHAIN_REFUSED".to_owned())]);
    assert_eq!(stage.read("ran"), "ran\n");
}

#[test]
fn a_run_that_waits_when_its_automation_is_turned_off_does_not_run_unless_a_person_asked_for_it() {
    let stage = Stage::new();
    let mut hook = scripted("a", "echo ran >> ran");
    let mut engine = stage.engine(std::slice::from_ref(&hook));
    engine.engine.set_may_begin(false);
    engine.offer([called("a")]);
    put_in(&stage, "a", Occurrence::MANUAL, &Chain::default());
    engine.engine.turn().unwrap();
    hook.enabled = false;
    engine.engine.set_automations(AutomationSet::declared_in_code([hook], &stage.settings));
    engine.engine.set_may_begin(true);
    engine.finish();
    let ended: Vec<_> = stage.records().into_iter().map(|it| (it.trigger, it.status)).collect();
    assert!(ended.contains(&("a".to_owned(), Status::Failed)), "{ended:?}");
    assert!(ended.contains(&("manual".to_owned(), Status::Success)), "{ended:?}");
    assert_eq!(stage.read("ran"), "ran\n");
}

#[test]
fn how_far_something_was_read_is_written_with_what_came_of_it_and_survives() {
    let stage = Stage::new();
    let hook = scripted("a", "true");
    {
        let mut engine = stage.engine(std::slice::from_ref(&hook));
        assert_eq!(engine.engine.read_offset("session x"), None);
        engine.offer([called("a")]);
        engine.engine.set_read_offsets([("session x".to_owned(), 7), ("gone".to_owned(), 1)]);
        engine.engine.turn().unwrap();
        engine.engine.set_read_offsets([("gone".to_owned(), 0), ("later".to_owned(), 9)]);
        engine.finish();
    }
    let batch = stage.entries();
    let at = |wanted: fn(&Entry) -> bool| batch.iter().position(wanted).unwrap();
    let queued = at(|it| matches!(it, Entry::Queued { .. }));
    let followed = at(|it| matches!(it, Entry::Followed { .. }));
    let started = at(|it| matches!(it, Entry::Started { .. }));
    assert!(queued < followed && followed < started, "{batch:?}");
    let engine = stage.engine(&[hook]);
    let known = ["session x", "gone", "later"].map(|source| engine.engine.read_offset(source));
    assert_eq!(known, [Some(7), None, Some(9)]);
}

#[test]
fn the_project_says_who_works_on_it_and_on_which_branch() {
    let stage = Stage::new();
    let git = |args: &[&str]| {
        let done = std::process::Command::new("git").args(args).current_dir(stage.path("")).output().unwrap();
        assert!(done.status.success(), "{done:?}");
    };
    git(&["init", "-q", "-b", "011-agent-hooks"]);
    git(&["config", "user.name", "Ada L"]);
    let mut hook =
        automation("a", Action::Prompt { prompt: Template::new("{user}|{branch}|{feature}|{timestamp}") });
    hook.runner = scripted("x", "cat").runner;
    let mut engine = stage.engine(&[hook]);
    engine.offer([called("a")]);
    engine.finish();
    let logs = stage.records().remove(0).logs.unwrap();
    assert!(logs.starts_with("Ada L|011-agent-hooks|agent-hooks|20"), "{logs}");
}
