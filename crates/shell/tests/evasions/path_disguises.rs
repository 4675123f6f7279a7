//! Another spelling of the same place.

use shell::guard::{self, GuardDecision, Policy};
use shell::{Place, read};

use crate::{denied, passes};

#[test]
fn is_seen_through() {
    denied(&[
        "rm -rf /home/../",
        "rm -rf //",
        "rm -rf /./",
        "rm -rf /etc/../",
        "rm -rf ./../../../../../",
        "rm -rf /home/me/",
        "rm -rf /home/me/work/project/.",
        "rm -rf $HOME/.",
        "rm -rf ~me",
        "rm -rf ~root",
        "rm -rf ~+",
        "rm -rf \"$PWD/..\"",
        "rm -rf /home/me/work/project/../",
        "rm -rf src/../../other",
        "rm -rf ./src/../",
        "rm -rf /proc/1/root",
        "rm -rf file:///etc",
        "rm -rf -- /",
        "rm -rf -- -x /",
        "rm -rf C:/",
        "rm -rf 'C:\\'",
        "rm -rf 'C:\\Users'",
    ]);
}

#[test]
fn is_not_suspected_where_nothing_happens() {
    passes(&["rm -rf src/../dist", "rm -rf ./build/"]);
}

/// Every place is judged by what it is to the person, not by the folder it happens to lie in.
#[test]
fn a_home_or_a_workspace_below_tmp_is_still_one() {
    let judged = |command: &str, cwd: &str, home: &str| {
        let place = Place { home: Some(home), ..Place::at(cwd) };
        guard::judge(&read(command, &place), &Policy::default()).verdict
    };
    for (cwd, home) in
        [("/tmp/x/project", "/tmp/x/home"), ("/tmp/x/home", "/tmp/x/home"), ("/tmp/x", "/tmp/x/home")]
    {
        for command in [
            "rm -rf ~",
            "rm -rf ~/*",
            "rm -rf .",
            "rm -rf ..",
            "echo x >> ~/.bashrc",
            "echo x >> ~/.ssh/authorized_keys",
            "rm ~/.ssh/id_rsa",
            "rm -rf .claude/settings.json",
        ] {
            assert_eq!(judged(command, cwd, home), GuardDecision::Deny, "{command} in {cwd}, home {home}");
        }
        for command in ["rm -rf build", "rm -rf /tmp/other", "tar xf a.tar -C /tmp", "echo x > /tmp/y"] {
            assert_eq!(judged(command, cwd, home), GuardDecision::Allow, "{command} in {cwd}, home {home}");
        }
    }
}
