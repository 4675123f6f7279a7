//! A hook waits for a person, who answers in another terminal while the program waits.

use anyhow::Result;

use crate::clients::lab::{Lab, Session};

/// A command about which the guard asks, and whose effect stays in the project.
const PUSH: &str = "git push --force . HEAD:refs/heads/pushed";

/// Denies the first ask that waits, and allows the next. It is older than the agent program, as a person's shell is: the
/// processes of the lab have no terminal that started them.
const PERSON: &str = r#"for _ in $(seq 600); do
    id=$(steersman ask --json | sed -n 's/^ *"id": "\(.*\)",$/\1/p' | head -1)
    if [ -n "$id" ] && [ "$id" != "$denied" ]; then
        if [ -n "$denied" ]; then steersman ask allow "$id"; exit; fi
        steersman ask deny "$id" --reason NOT-TODAY && denied=$id
    fi
    sleep 0.2
done"#;

pub(super) fn play(lab: &mut Lab) -> Result<()> {
    lab.init("--ask-wait 60");
    let mut person = lab.background(PERSON)?;
    // Start times are counted in hundredths of a second; of two processes of the same one neither is older.
    std::thread::sleep(std::time::Duration::from_millis(200));
    for runs in [false, true] {
        let steps = vec![("asked", (lab.client.tools.shell)(PUSH))];
        let run = lab.run(&Session::new(steps))?;
        let branch = lab.user("git branch --list pushed").output;
        let what = if runs { "the call runs once a person allows it" } else { "the call does not run" };
        lab.check(what, branch.contains("pushed") == runs, &branch);
        if !runs {
            let n_requests = run.n_requests_with("NOT-TODAY");
            lab.check("the model reads the person's reason", n_requests > 0, "no request contains it");
        }
    }
    let _ = person.kill();
    let _ = person.wait();
    let journal = lab.user("cat .ai/tmp/*/events.jsonl").output;
    for answer in [r#""answer":"deny""#, r#""answer":"allow""#] {
        let n_answers =
            journal.lines().filter(|line| line.contains("ASK_ANSWERED") && line.contains(answer)).count();
        lab.check(&format!("the journal has {answer}"), n_answers == 1, &format!("{n_answers} lines"));
    }
    let left = lab.user("ls -A ~/.local/state/steersman/asks").output;
    lab.check("no ask is left open", left.trim().is_empty(), &left);
    Ok(())
}
