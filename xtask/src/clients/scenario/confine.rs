//! Confinement: a command whose writes cannot be known beforehand writes only in scope, and every other file stays unchanged.

use anyhow::Result;

use super::declare_intents;
use crate::clients::client::Client;
use crate::clients::lab::{Lab, Session};
use crate::clients::model::Call;

/// Appends to each path in a file, which holds them backwards: no reader of the command can know them.
const OPAQUE: &str = "\
import sys
for name in open(sys.argv[1]).read().split():
    try:
        open(name[::-1], 'a').write('x')
        print('WROTE', name[::-1])
    except OSError as error:
        print(error)
";

const SETTINGS: &str = "{\"version\": 1, \"confine\": \"unproven\"}\n";

pub(super) fn play(lab: &mut Lab) -> Result<()> {
    lab.write("tool.py", OPAQUE)?;
    lab.write(".ai/hooks/config.json", SETTINGS)?;
    for (file, paths) in [
        ("first", "src/first.txt outside.txt .orchestration/active_intents.yaml .ai/tmp/forged ../.bashrc"),
        ("again", "src/again.txt outside-again.txt"),
        ("late", "src/late.txt outside-late.txt"),
        ("parallel", "src/parallel.txt outside-parallel.txt"),
    ] {
        let backwards = paths.split(' ').map(|path| path.chars().rev().collect::<String>());
        lab.write(file, &backwards.collect::<Vec<_>>().join("\n"))?;
    }
    // Gemini CLI hides the user's own settings of git from commands.
    lab.user("git config user.name Dev && git config user.email dev@example.com");
    lab.init("--intents");
    declare_intents(lab);
    let selected = lab.user("steersman intent select INT-001");
    lab.check("`steersman intent select` succeeds", selected.succeeded, &selected.output);
    let before = lab.read(".orchestration/active_intents.yaml");

    let run = lab.run(&Session::new(steps(lab.client)))?;
    let first = run.result("unknown writes");
    lab.check("a confined command writes in scope", lab.exists("src/first.txt"), first);
    for path in [
        "outside.txt",
        "outside-again.txt",
        "outside-late.txt",
        "outside-parallel.txt",
        ".ai/tmp/forged",
        "../.bashrc",
    ] {
        lab.check(&format!("`{path}` is not written"), !lab.exists(path), first);
    }
    let after = lab.read(".orchestration/active_intents.yaml");
    lab.check("the intents are unchanged by the command", scopes(after) == scopes(before), first);
    lab.check(
        "the program itself prints what the kernel said",
        first.contains("Read-only file system"),
        first,
    );
    let told = run.n_requests_with("out of scope of INT-001") > 0;
    lab.check("the model reads which path was refused, and why", told, first);
    lab.check("the same command is confined again", lab.exists("src/again.txt"), run.result("again"));
    lab.check(
        "a job in the background writes in scope",
        lab.exists("src/late.txt"),
        run.result("background"),
    );
    lab.check("parallel calls write in scope", lab.exists("src/parallel.txt"), run.result("parallel one"));
    let exit = run.result("exit code");
    lab.check("exit codes are kept", exit.contains('7'), exit);
    let quotes = run.result("quotes");
    lab.check("quotes, heredocs and newlines are kept", quotes.contains("it's a $HOME `x`"), quotes);
    let committed = lab.user("git log --oneline");
    lab.check("git commits", committed.output.contains("work of the agent"), run.result("git"));
    if lab.client.host == "claude-code" {
        let folder = run.result("folder");
        lab.check("`cd` holds for the next call", folder.contains("/home/dev/shop/src"), folder);
    }
    check_records(lab);
    Ok(())
}

fn steps(client: &Client) -> Vec<(&'static str, Call)> {
    let shell = client.tools.shell;
    vec![
        ("unknown writes", shell("python3 tool.py first; sleep 1")),
        ("proven", shell("echo PROVEN > src/proven.txt && cat src/proven.txt && sleep 1")),
        ("again", shell("python3 tool.py again; sleep 1")),
        ("again twice", shell("python3 tool.py again; sleep 1")),
        ("background", shell("(sleep 1; env -i /usr/bin/python3 tool.py late) & echo started; sleep 3")),
        ("parallel one", shell("python3 tool.py parallel; sleep 1")),
        ("parallel two", shell("python3 tool.py parallel; sleep 1").in_parallel()),
        ("exit code", shell("python3 tool.py again; sleep 1; exit 7")),
        ("quotes", shell("python3 tool.py again\ncat <<'E'\nit's a $HOME `x`\nE\nsleep 1")),
        ("git", shell("git add src && git commit -q -m 'work of the agent' && git log --oneline && sleep 1")),
        ("change the folder", shell("cd src && python3 ../tool.py ../again; sleep 1")),
        ("folder", shell("pwd && sleep 1")),
    ]
}

/// Checks that every command arrived, and that the records show the original commands.
fn check_records(lab: &mut Lab) {
    let journal = lab.user("cat .ai/tmp/*/events.jsonl").output;
    let arrived = !journal.contains("\"UNCONFINED\"") && !journal.contains("\"ARRIVAL_UNKNOWN\"");
    let lines: Vec<&str> = journal.lines().filter(|line| line.contains("UNCONFINED")).collect();
    lab.check("every confined command proves that it arrived", arrived, &lines.join(" "));
    let refused = journal.contains("\"WRITE_REFUSED\"");
    lab.check("the journal records what was refused", refused, "no such line");
    let left = lab.user("find ~/.local/state/steersman/shell-calls -type f");
    lab.check("no record of a call is left", left.output.trim().is_empty(), &left.output);
    let sid = lab.user("ls .ai/tmp | grep -E '^[0-9a-f]{8}$' | head -1").output;
    let shown = lab.user(&format!("steersman session show {}", sid.trim())).output;
    lab.check(
        "`session show` names the refused file",
        shown.contains("confined: refused outside.txt"),
        &shown,
    );
    lab.check("records show the original command", shown.contains("python3 tool.py first"), &shown);
}

/// Returns the lines of the intents file that name patterns; steersman itself changes the others.
fn scopes(text: Option<String>) -> Vec<String> {
    let text = text.unwrap_or_default();
    text.lines().filter(|line| line.trim_start().starts_with("- \"")).map(str::to_owned).collect()
}
