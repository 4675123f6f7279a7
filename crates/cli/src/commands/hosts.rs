//! The option `--host` and the agent programs it selects.

use clap::builder::PossibleValuesParser;
use event::AbsPath;
use host::Host;
use host::install::{HookPlan, HostInUse, Root, UsageEvidence, hosts_in_use};

use super::Place;
use crate::environment::{self, UserFile};

const AUTO: &str = "auto";
const ALL: &str = "all";

/// The option that names agent programs.
#[derive(Debug, clap::Args)]
pub(crate) struct HostArgs {
    /// The agent programs: `auto` (those in use here), `all`, or names
    #[arg(long = "host", value_name = "NAME", num_args = 1.., value_delimiter = ',', value_parser = names())]
    names: Vec<String>,
}

/// The value of the option.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Chosen {
    /// The command detects the programs itself.
    Auto,
    /// All programs.
    All,
    /// The named programs.
    Named(Vec<Host>),
}

impl HostArgs {
    /// Returns whether the option was given.
    pub(crate) fn given(&self) -> bool {
        !self.names.is_empty()
    }

    /// Returns the value; `all` and `auto` win over names beside them.
    pub(crate) fn chosen(&self) -> Chosen {
        let says = |word: &str| self.names.iter().any(|name| name == word);
        if says(ALL) {
            Chosen::All
        } else if says(AUTO) || self.names.is_empty() {
            Chosen::Auto
        } else {
            Chosen::Named(self.named())
        }
    }

    /// Returns the named programs, even beside `all` or `auto`.
    pub(crate) fn named(&self) -> Vec<Host> {
        self.names.iter().filter_map(|name| Host::from_name(name)).collect()
    }
}

/// Returns the display names of hosts that share a file.
pub(crate) fn titles(hosts: &[Host]) -> String {
    match hosts {
        [] => "the contract's own form".to_owned(),
        hosts => hosts.iter().map(|host| host.title()).collect::<Vec<_>>().join(" and "),
    }
}

/// Finds the hosts in use here, by the files they leave: in the workspace, in the current folder of it and the folders
/// between, which may be a package of a monorepo, and for the user.
pub(crate) fn in_use(place: &Place) -> Vec<HostInUse> {
    let folders = folders(place);
    hosts_in_use(|trace: UsageEvidence| match trace.root {
        Root::Workspace => folders.iter().any(|folder| folder.join(trace.name).as_path().exists()),
        Root::Home => UserFile::of(trace.name).is_some_and(|own| own.path().as_path().exists()),
        Root::Path => environment::find_program(trace.name).is_some(),
    })
}

/// Lists the files of agent programs in the current folder and the folders above it, with the program, relative to the
/// workspace.
pub(crate) fn files_in_use(place: &Place) -> Vec<(String, Host)> {
    let mut files = Vec::new();
    for found in in_use(place) {
        for trace in found.evidence.iter().filter(|trace| matches!(trace.root, Root::Workspace)) {
            for path in folders(place).iter().map(|folder| folder.join(trace.name)) {
                if let Ok(file) = path.below(place.workspace.root())
                    && path.as_path().exists()
                {
                    files.push((file.to_string(), found.host));
                }
            }
        }
    }
    files
}

/// Returns the current folder and those above it up to the workspace, or only the workspace if it is elsewhere.
fn folders(place: &Place) -> Vec<AbsPath> {
    let root = place.workspace.root();
    let above = place.folder.as_path().ancestors().take_while(|folder| folder.starts_with(root.as_path()));
    let mut folders: Vec<AbsPath> = above.filter_map(|folder| AbsPath::new(folder).ok()).collect();
    if folders.is_empty() {
        folders.push(root.clone());
    }
    folders
}

/// Returns the names of all hosts that steersman can register with.
pub(crate) fn names_of_all() -> Vec<&'static str> {
    HookPlan::ALL.iter().flat_map(|plan| plan.hosts).map(|host| host.name()).collect()
}

fn names() -> PossibleValuesParser {
    PossibleValuesParser::new([AUTO, ALL].into_iter().chain(names_of_all()))
}
