//! The live list in a terminal.

use std::fs;
use std::process::Stdio;

use super::{PUSH, Scene};

#[test]
fn the_list_fits_the_terminal_and_leaves_it_as_it_was() {
    let scene = Scene::new();
    let hooks: Vec<_> = (0..12).map(|n| scene.hook("codex", &format!("s{n}"), PUSH, 600)).collect();
    let asks = scene.wait_for(12);
    let folder = scene.sandbox.elsewhere();
    let (typescript, pid) = (folder.join("typescript"), folder.join("pid"));
    let line = format!(
        "stty rows 9 cols 70; echo $$ > '{0}.part'; mv '{0}.part' '{0}'; cd '{1}'; exec steersman ask",
        pid.display(),
        scene.sandbox.root().display()
    );
    let mut terminal = scene.program("script");
    terminal.args(["-qfec", &line]).arg(&typescript).stdin(Stdio::piped()).stdout(Stdio::null());
    let mut terminal = terminal.env("SHELL", "/bin/sh").spawn().unwrap();
    let shown = || fs::read_to_string(&typescript).unwrap_or_default();
    let is_shown = || shown().contains("12 agents wait for your decision:") && shown().contains("q quit");
    for _ in 0..1200 {
        if is_shown() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    assert!(is_shown(), "{:?}", shown());
    let pid = fs::read_to_string(pid).unwrap();
    assert!(scene.program("kill").args(["-s", "TERM", pid.trim()]).status().unwrap().success());
    drop(terminal.stdin.take());
    terminal.wait().unwrap();
    let shown = shown();
    let frame = shown.split("\u{1b}[H\u{1b}[2J").nth(1).unwrap();
    let frame = frame.split("\u{1b}[?25h").next().unwrap();
    assert!(frame.lines().count() <= 9, "{frame:?}");
    let first = asks[0]["id"].as_str().unwrap();
    assert!(frame.contains(&format!("> {first}")), "{frame:?}");
    assert!(shown.contains("\u{1b}[?25h\u{1b}[?1049l"), "{shown:?}");
    for hook in hooks {
        let mut hook = hook;
        hook.child.kill().unwrap();
        hook.child.wait().unwrap();
    }
    scene.wait_for(0);
}
