//! Tests of the settings files of administrators: TOML for Codex, and pinned settings.

use expect_test::expect_file;
use host::Host;
use host::install::{Form, HookPlan, Program, Removed, register, registrations_in, unregister};

use crate::{left, programs};

fn name(plan: &HookPlan) -> String {
    let host = plan.hosts[0].name();
    let ending = if plan.form == Form::Toml { "toml" } else { "json" };
    format!("managed-{host}-{ending}")
}

fn plan(host: Host) -> &'static HookPlan {
    HookPlan::MANAGED.into_iter().find(|plan| plan.hosts.contains(&host)).unwrap()
}

#[test]
fn where_there_is_no_file_one_is_written_and_removed_again() {
    for plan in HookPlan::MANAGED {
        let program = Program::at("/usr/local/bin/steersman").unwrap();
        let after = register(plan, None, &program).unwrap();
        expect_file![format!("../golden/install/{}.new.txt", name(plan))].assert_eq(&after);
        assert_eq!(register(plan, Some(&after), &program).unwrap(), after, "{}", plan.file);
        assert_eq!(registrations_in(plan.form, &after).unwrap().len(), plan.rows.len(), "{}", plan.file);
        let removed = unregister(plan, &after).unwrap();
        assert!(matches!(removed, Removed::OnlyOurs { .. }), "{}: {removed:?}", plan.file);
    }
}

#[test]
fn an_entry_follows_its_program() {
    for plan in HookPlan::MANAGED {
        let [one, other] = programs();
        let after = register(plan, Some(&register(plan, None, &one).unwrap()), &other).unwrap();
        assert_eq!(after, register(plan, None, &other).unwrap(), "{}", plan.file);
    }
}

#[test]
fn a_pinned_setting_with_another_value_is_corrected() {
    for (host, before, pinned) in [
        (Host::Qwen, "{\"disableAllHooks\": true, \"a\": 1}", "\"disableAllHooks\": false"),
        (Host::Gemini, "{\"hooksConfig\": {\"enabled\": false}}", "{\"enabled\": true}"),
        (Host::Gemini, "{\"hooksConfig\": {\"notifications\": true}}", "\"enabled\": true"),
        (Host::Codex, "[features]\nhooks = false # no\n", "\nhooks = true\n"),
        (Host::Codex, "features = { hooks = false }\n", "hooks = true"),
    ] {
        let after = register(plan(host), Some(before), &Program::on_path()).unwrap();
        assert!(after.contains(pinned), "{host}: {after}");
    }
}

#[test]
fn what_others_wrote_stays() {
    for (host, before) in [
        (Host::Qwen, "{\n  // ours\n  \"a\": 1\n}\n"),
        (Host::Gemini, "{\n  \"hooksConfig\": {\n    \"notifications\": true\n  }\n}\n"),
        (Host::Codex, "# ours\nallowed_sandbox_modes = [\"read-only\"]\n"),
        (Host::Codex, "[features]\nweb_search = false\n"),
        (
            Host::Codex,
            "[hooks]\nmanaged_dir = \"/opt/hooks\"\n\n[[hooks.Stop]]\n\n[[hooks.Stop.hooks]]\ntype = \"command\"\ncommand = \"true\"\n",
        ),
    ] {
        let after = register(plan(host), Some(before), &Program::on_path()).unwrap();
        assert_ne!(after, before);
        assert_eq!(left(unregister(plan(host), &after).unwrap(), &after), before, "{after}");
    }
}

#[test]
fn a_file_that_cannot_be_edited_is_refused_with_its_place() {
    for (host, text) in [
        (Host::Codex, "hooks = 1\n"),
        (Host::Codex, "[hooks]\nStop = 1\n"),
        (Host::Codex, "[features\n"),
        (Host::Gemini, "{\"hooksConfig\": []}"),
    ] {
        let error = register(plan(host), Some(text), &Program::on_path()).unwrap_err().to_string();
        assert!(error.starts_with("line "), "{text}: {error}");
    }
}
