//! Registries of a company: those that the settings of the user or the project name are as usual as the public ones.

use shell::guard::{self, GuardDecision, Policy};
use shell::{Files, Place, read};

/// The settings of a user and of a project.
struct Settings;

impl Files for Settings {
    fn read(&self, path: &str, _: usize) -> Option<Vec<u8>> {
        let content = match path {
            "/home/me/.npmrc" => "registry=https://npm.company.example/\n",
            "/w/pip.conf" => "[global]\nindex-url = https://pypi.company.example/simple\n",
            "/w/go.mod" => "module x\nrequire go.company.example/tools v1.0.0\n",
            _ => return None,
        };
        Some(content.into())
    }

    fn is_dir(&self, _: &str) -> bool {
        false
    }
}

fn verdict(command: &str) -> GuardDecision {
    let place = Place { home: Some("/home/me"), files: &Settings, ..Place::at("/w") };
    guard::judge(&read(command, &place), &Policy::default()).verdict
}

#[test]
fn a_registry_that_settings_name_passes() {
    for command in [
        "npm install --registry https://npm.company.example/ x",
        "npm_config_registry=https://npm.company.example npm ci",
        "pip install -i https://pypi.company.example/simple x",
        "PIP_INDEX_URL=https://pypi.company.example/simple pip install -r requirements.txt",
        "go run go.company.example/tools/lint@latest ./...",
    ] {
        assert_eq!(verdict(command), GuardDecision::Allow, "{command}");
    }
}

#[test]
fn a_registry_that_only_the_line_names_is_asked_about() {
    for command in [
        "npm install --registry https://npm.other.example/ x",
        "PIP_INDEX_URL=https://pypi.other.example/simple pip install x",
        "export npm_config_registry=https://npm.other.example; npm ci",
        "env GOPROXY=https://proxy.other.example go get ./...",
        "go env -w GOPROXY=https://proxy.other.example,direct",
        "go run go.other.example/x@latest",
        "echo 'index-url = https://x.other.example' > pip.conf && pip install -i https://x.other.example y",
    ] {
        assert_eq!(verdict(command), GuardDecision::Ask, "{command}");
    }
}
