//! Which agent programs a command is about.

use clap::builder::PossibleValuesParser;
use host::Host;
use host::install::{InUse, Plan, Root, Trace, hosts_in_use};

use super::Place;
use crate::environment;

const AUTO: &str = "auto";
const ALL: &str = "all";

/// The option that names agent programs.
#[derive(Debug, clap::Args)]
pub(crate) struct HostArgs {
    /// The agent programs it is about: `auto` (what is in use here), `all`, or names
    #[arg(long = "host", value_name = "NAME", num_args = 1.., value_delimiter = ',', value_parser = names())]
    names: Vec<String>,
}

/// What the option says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Chosen {
    /// The command finds out by itself.
    Auto,
    /// Every program there is.
    All,
    /// These.
    Named(Vec<Host>),
}

impl HostArgs {
    /// Returns whether the option was given.
    pub(crate) fn given(&self) -> bool {
        !self.names.is_empty()
    }

    /// Returns what it says; `all` and `auto` win over names beside them.
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

    /// Returns the programs that are named, whatever else is said.
    pub(crate) fn named(&self) -> Vec<Host> {
        self.names.iter().filter_map(|name| Host::from_name(name)).collect()
    }
}

/// Returns the names people know hosts by that share a file.
pub(crate) fn titles(hosts: &[Host]) -> String {
    match hosts {
        [] => "the contract's own form".to_owned(),
        hosts => hosts.iter().map(|host| host.title()).collect::<Vec<_>>().join(" and "),
    }
}

/// Finds the hosts that are in use here, by what they leave behind.
pub(crate) fn in_use(place: &Place) -> Vec<InUse> {
    let home = environment::home();
    hosts_in_use(|trace: Trace| match trace.root {
        Root::Workspace => place.workspace.root().join(trace.name).as_path().exists(),
        Root::Home => home.as_ref().is_some_and(|home| home.join(trace.name).as_path().exists()),
        Root::Path => environment::find_program(trace.name).is_some(),
    })
}

/// Returns the names of the hosts one can register with.
pub(crate) fn names_of_all() -> Vec<&'static str> {
    Plan::ALL.iter().flat_map(|plan| plan.hosts).map(|host| host.name()).collect()
}

fn names() -> PossibleValuesParser {
    PossibleValuesParser::new([AUTO, ALL].into_iter().chain(names_of_all()))
}
