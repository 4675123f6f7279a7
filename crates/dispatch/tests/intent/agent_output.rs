//! Writes to the output folder of a subagent need no intent, if nothing else can happen.

use std::fs;
use std::os::unix::fs::symlink;

use serde_json::json;

use crate::world::{World, refusal};

/// Returns a workspace without a selected intent, and the output folder of a subagent in it.
fn world() -> (World, String) {
    let world = World::new();
    world.claude("s1").event("SessionStart", &json!({}));
    let folder = format!(".ai/tmp/{}/rlm-work/output/sa/Explore/a01", world.sandbox.session().id);
    fs::create_dir_all(world.path(&folder)).unwrap();
    symlink(world.path("src"), world.path(&format!("{folder}/link"))).unwrap();
    (world, folder)
}

#[test]
fn only_plain_writers_may_write_the_output_of_a_subagent() {
    let (world, folder) = world();
    let asker = world.claude("s1");
    for (number, (command, passes)) in [
        ("echo hi > $O/a.md", true),
        ("mkdir -p $O/sub && printf x | tee $O/sub/b.md", true),
        ("cat > $O/c.md <<'E'\nhi\nE", true),
        ("/usr/bin/printf x > $O/d.md", true),
        // Another program with the name of a writer.
        ("./echo hi > $O/a.md", false),
        ("bin/tee $O/a.md", false),
        ("/tmp/printf hi > $O/a.md", false),
        ("PATH=.:$PATH echo hi > $O/a.md; PATH=. cat > $O/b.md", false),
        ("tee() { cp lib/x src/x; }; tee $O/a.md", false),
        // Programs that can do more than write text.
        ("cp README.md $O/a.md", false),
        ("ln -s ../../../../../src $O/l", false),
        // Other places.
        ("echo hi > $O/a.md; echo x > src/a.ts", false),
        ("echo hi > $O/link/a.ts", false),
        ("echo hi > $O/../../../packet.json", false),
    ]
    .into_iter()
    .enumerate()
    {
        let command = command.replace("$O", &folder);
        let answer = asker.before(&format!("t{number}"), "Bash", &json!({"command": command}));
        assert_eq!(refusal(&answer).is_none(), passes, "{command}: {answer}");
    }
}

#[test]
fn a_writing_tool_may_write_the_output_of_a_subagent_but_not_through_a_link() {
    let (world, folder) = world();
    let asker = world.claude("s1");
    assert_eq!(asker.may_write("t1", &format!("{folder}/plan.md")), None);
    assert!(asker.may_write("t2", &format!("{folder}/link/a.ts")).is_some());
    assert!(asker.may_write("t3", "src/a.ts").is_some());
}
