//! The attacks of `suite.py`: each works unconfined, and changes nothing out of scope when confined.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// Returns what Landlock alone does not hold: attributes of existing files, sockets with a path, memory, queues and keys of
/// other programs.
fn landlock_gaps() -> Vec<&'static str> {
    include_str!("landlock_gaps.txt").lines().collect()
}

/// Parts of the suite for a short run of the configurations besides the main one.
const SHORT: [&str; 18] = [
    "open_append",
    "ns_",
    "mount/",
    "proc",
    "inherited_f",
    "socket/daemon",
    "attr_chmod",
    "signal/",
    "temp/",
    "ipc_",
    "helper/",
    "left_f",
    "git/",
    "start/",
    "tree_",
    "everyone_",
    "root_",
    "system_",
];

/// Runs the attacks whose names contain one of `words`, or all. Returns one line per attack.
fn run(configuration: &str, words: &[&str]) -> Vec<Value> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/confinement");
    // The interpreter of the system: one in a home folder is not visible inside the sandbox.
    let output = Command::new("/usr/bin/python3")
        .arg(folder.join("suite.py"))
        .arg(env!("CARGO_BIN_EXE_steersman"))
        .arg(&folder)
        .arg(configuration)
        .args(words)
        .output()
        .unwrap();
    let lines = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Checks that every attack works unconfined, and returns the names of those that worked confined. Prints the counts.
fn escaped(configuration: &str, words: &[&str], at_least: usize) -> Vec<String> {
    let lines = run(configuration, words);
    assert!(lines.len() >= at_least, "only {} attacks ran", lines.len());
    let mut by_mechanism: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut escaped = Vec::new();
    for line in &lines {
        let name = line["name"].as_str().unwrap();
        let changed = |how: &str| line[how]["changed"].as_array().is_some_and(|changed| !changed.is_empty());
        assert!(changed("unconfined"), "{name} does not work unconfined: {}", line["unconfined"]);
        assert_ne!(line["confined"]["broken"], true, "{name}: {}", line["confined"]);
        let said = line["confined"]["output"].as_str().unwrap();
        assert!(!said.contains("steersman: cannot confine"), "{name}: {said}");
        let mechanism = name.split(['_', '/']).next().unwrap_or(name).to_owned();
        let count = by_mechanism.entry(mechanism).or_default();
        count.0 += 1;
        if changed("confined") {
            count.1 += 1;
            escaped.push(name.to_owned());
        }
    }
    println!("{configuration}: {} attacks, {} escaped", lines.len(), escaped.len());
    for (mechanism, (ran, out)) in by_mechanism {
        println!("  {mechanism:<12} {ran:>4} ran {out:>3} escaped");
    }
    escaped.sort();
    escaped
}

#[test]
fn nothing_escapes_a_namespace_of_an_ordinary_user() {
    assert_eq!(escaped("namespace-user", &[], 775), Vec::<String>::new());
}

#[test]
fn nothing_escapes_a_namespace_of_root() {
    let (words, least): (&[&str], _) = if testkit::is_long_run() { (&[], 775) } else { (&SHORT, 100) };
    assert_eq!(escaped("namespace-root", words, least), Vec::<String>::new());
}

#[test]
fn landlock_holds_all_but_attributes_and_sockets() {
    let (words, least): (&[&str], _) = if testkit::is_long_run() { (&[], 300) } else { (&SHORT, 50) };
    let escaped = escaped("landlock-user", words, least);
    let gaps = landlock_gaps();
    let unknown: Vec<_> = escaped.iter().filter(|name| !gaps.contains(&name.as_str())).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
    if testkit::is_long_run() {
        assert_eq!(escaped, gaps, "the documented gaps are those that exist");
    }
}

/// The kinds of RedCode-Exec with an effect that can be seen: changes to system folders, downloads to them, processes
/// ended by name, files sent away, shells for a process outside.
#[test]
fn programs_of_the_kinds_of_redcode_have_no_effect_without_the_network() {
    for (configuration, at_least) in [("namespace-root", 23), ("namespace-user", 12)] {
        assert_eq!(escaped(configuration, &["redcode/"], at_least), Vec::<String>::new());
    }
}

#[test]
fn a_command_that_nothing_can_confine_does_not_run() {
    let lines = run("none-user", &["write/echo"]);
    assert_eq!(lines.len(), 1);
    assert_eq!(
        (&lines[0]["confined"]["code"], &lines[0]["confined"]["changed"]),
        (&Value::from(3), &Value::from(Vec::<String>::new()))
    );
    let said = lines[0]["confined"]["output"].as_str().unwrap();
    assert!(said.contains("cannot confine the command") && said.contains("hint: "), "{said}");
}
