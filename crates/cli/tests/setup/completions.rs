//! `steersman completions`

use crate::project::Project;

#[test]
fn every_shell_gets_a_script_that_knows_the_commands() {
    let project = Project::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let said = project.run(&["completions", shell]);
        assert_eq!(said.exit, 0, "{shell}");
        assert!(said.stdout.contains("uninstall"), "{shell}");
    }
}

#[test]
fn an_unknown_shell_is_wrong_usage() {
    assert_eq!(Project::new().run(&["completions", "dos"]).exit, 2);
}
