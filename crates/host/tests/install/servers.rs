//! Tests of our MCP server in the settings of every host: registering, finding, updating,
//! unregistering.

use expect_test::{Expect, expect, expect_file};
use host::Host;
use host::install::{
    Form, Program, Removed, ServerPlan, ServerRegistration, register_server, registered_server,
    unregister_server,
};

use crate::left;

const DIVIDER: &str = "================ after ================\n";

fn name(plan: &ServerPlan) -> String {
    let stem = plan.file.trim_start_matches('.').trim_end_matches(".json").trim_end_matches(".toml");
    format!("mcp-{}", stem.replace(['/', '.'], "-"))
}

fn codex() -> &'static ServerPlan {
    ServerPlan::of(Host::Codex).unwrap()
}

fn claude() -> &'static ServerPlan {
    ServerPlan::of(Host::ClaudeCode).unwrap()
}

fn registered(plan: &ServerPlan, text: &str) -> Option<ServerRegistration> {
    registered_server(plan, text).unwrap()
}

#[test]
fn where_there_is_no_file_one_is_written() {
    for plan in ServerPlan::ALL {
        let after = register_server(plan, None, &Program::on_path()).unwrap();
        expect_file![format!("../golden/install/{}.new.txt", name(plan))].assert_eq(&after);
        assert_eq!(registered(plan, &after).unwrap().program, "steersman", "{}", plan.file);
        assert_eq!(register_server(plan, Some(&after), &Program::on_path()).unwrap(), after);
        let removed = unregister_server(plan, &after).unwrap();
        assert!(matches!(removed, Removed::OnlyOurs { .. }), "{}: {removed:?}", plan.file);
    }
}

#[test]
fn a_file_with_comments_and_foreign_servers_keeps_them() {
    for plan in ServerPlan::ALL {
        let path = format!("tests/golden/install/{}.existing.txt", name(plan));
        let golden = std::fs::read_to_string(&path).expect(&path);
        let before = golden.split(DIVIDER).next().unwrap_or_default().replace('␍', "\r");
        let after = register_server(plan, Some(&before), &Program::on_path()).unwrap();
        expect_file![format!("../golden/install/{}.existing.txt", name(plan))]
            .assert_eq(&format!("{before}{DIVIDER}{after}").replace('\r', "␍"));
        assert_eq!(register_server(plan, Some(&after), &Program::on_path()).unwrap(), after);
        assert_eq!(left(unregister_server(plan, &after).unwrap(), &after), before);
    }
}

#[test]
fn json_is_what_the_host_reads() {
    for plan in ServerPlan::ALL.into_iter().filter(|plan| plan.form == Form::Json) {
        let text = register_server(plan, None, &Program::at("/opt/a b/steersman").unwrap()).unwrap();
        let file: serde_json::Value = serde_json::from_str(&text).unwrap();
        let entry = &file[plan.key]["steersman"];
        assert_eq!(entry["command"], "/opt/a b/steersman", "{}: no shell reads it", plan.file);
        assert_eq!(entry["args"][0], "mcp", "{}", plan.file);
    }
}

#[test]
fn a_moved_program_is_followed_and_what_a_person_tuned_stays() {
    let moved = Program::at("/opt/s/steersman").unwrap();
    let before = "{\"mcpServers\": {\"steersman\": {\"command\": \"steersman\", \"args\": [\"mcp\", \"--workspace\", \"/x\"], \"timeout\": 9 /* mine */}}}";
    let after = register_server(claude(), Some(before), &moved).unwrap();
    assert_eq!(after, before.replace("\"command\": \"steersman\"", "\"command\": \"/opt/s/steersman\""));

    let before = "[mcp_servers.steersman]\r\nargs = [ 'mcp' ] # mine\r\ncommand = 'steersman' # mine, too\r\nstartup_timeout_sec = 9\r\n";
    let after = register_server(codex(), Some(before), &moved).unwrap();
    assert_eq!(after, before.replace("'steersman'", "\"/opt/s/steersman\""));
    assert_eq!(
        registered(codex(), &after),
        Some(ServerRegistration { program: "/opt/s/steersman".to_owned(), line: 3 })
    );
}

#[test]
fn what_a_person_changed_in_our_table_goes_with_it_and_nothing_else() {
    let before = "model = \"x\" # mine\r\n\r\n[mcp_servers.steersman] # ours\r\ncommand = \"steersman\"\r\nargs = [\"mcp\"]\r\nenabled = true\r\n\r\n[mcp_servers.docs]\r\nurl = \"u\"\r\n";
    let removed = unregister_server(codex(), before).unwrap();
    assert_eq!(
        removed,
        Removed::Text("model = \"x\" # mine\r\n\r\n[mcp_servers.docs]\r\nurl = \"u\"\r\n".to_owned())
    );
}

#[test]
fn servers_in_an_inline_table_are_continued_there() {
    for (before, after) in [
        (
            "mcp_servers = { docs = { url = \"u\" } } # mine\n",
            "mcp_servers = { docs = { url = \"u\" }, steersman = { command = \"steersman\", args = [\"mcp\"] } } # mine\n",
        ),
        ("mcp_servers = {}", "mcp_servers = {steersman = { command = \"steersman\", args = [\"mcp\"] }}"),
    ] {
        assert_eq!(register_server(codex(), Some(before), &Program::on_path()).unwrap(), after);
        assert_eq!(left(unregister_server(codex(), after).unwrap(), after), before);
    }
}

#[test]
fn somebody_elses_server_of_our_name_is_left_alone() {
    let check = |plan: &ServerPlan, text: &str, expected: &Expect| {
        let error = register_server(plan, Some(text), &Program::on_path()).unwrap_err();
        expected.assert_eq(&error.to_string());
        assert_eq!(unregister_server(plan, text).unwrap(), Removed::Nothing);
        assert_eq!(registered(plan, text), None);
    };
    check(
        claude(),
        "{\n  \"mcpServers\": {\n    \"steersman\": {\"command\": \"node\", \"args\": [\"mcp\"]}\n  }\n}",
        &expect!["line 3, column 18: `mcpServers.steersman` is another server, expected `steersman mcp`"],
    );
    check(
        codex(),
        "a = 1\n[mcp_servers.steersman]\nurl = \"https://x.example\"\n",
        &expect!["line 2, column 1: `mcp_servers.steersman` is another server, expected `steersman mcp`"],
    );
}

#[test]
fn a_broken_file_is_refused_with_the_place() {
    let check = |plan: &ServerPlan, text: &str, expected: &Expect| {
        let error = register_server(plan, Some(text), &Program::on_path()).unwrap_err();
        expected.assert_eq(&error.to_string());
    };
    check(claude(), "{\n  \"a\": 1\n  \"b\": 2\n}", &expect!["line 2, column 9: expected a comma here"]);
    check(
        claude(),
        "{\"mcpServers\": []}",
        &expect!["line 1, column 16: `mcpServers` is an array, expected an object"],
    );
    check(
        codex(),
        "a = 1\nb = \n",
        &expect!["line 2, column 5: string values must be quoted, expected literal string"],
    );
    check(
        codex(),
        "model = \"x\"\nmcp_servers = 3\n",
        &expect!["line 2, column 15: `mcp_servers` is something else, expected a table"],
    );
}

#[test]
fn every_shape_of_a_registration_is_found_with_its_line() {
    let text = "# c\nmcp_servers.docs.url = 'u'\nmcp_servers.steersman.command = '/x/steersman'\nmcp_servers.steersman.args = ['mcp']\n";
    assert_eq!(
        registered(codex(), text),
        Some(ServerRegistration { program: "/x/steersman".to_owned(), line: 3 })
    );
    let vscode = ServerPlan::of(Host::VsCode).unwrap();
    let text = "{\n // c\n \"servers\": {\n  \"a\": {},\n  \"steersman\": {\"command\": \"C:/x/steersman.exe\", \"args\": [\"mcp\"]},},}";
    assert_eq!(
        registered(vscode, text),
        Some(ServerRegistration { program: "C:/x/steersman.exe".to_owned(), line: 5 })
    );
    for plan in ServerPlan::ALL {
        assert_eq!(registered(plan, ""), None);
        assert_eq!(unregister_server(plan, "").unwrap(), Removed::Nothing);
    }
}
