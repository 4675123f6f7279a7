//! `steersman shell rules`

use serde_json::json;
use shell::guard;

use crate::exit::Exit;
use crate::output::{field, print};

/// List the guard's rules, each with its reason
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Exit {
    if args.json {
        let rules: Vec<_> = guard::rules()
            .map(
                |rule| json!({"id": rule.id.name(), "level": rule.level.name(), "why": rule.why, "hint": rule.hint}),
            )
            .collect();
        print(format_args!("{}", serde_json::Value::from(rules)));
        return Exit::Fine;
    }
    for rule in guard::rules() {
        field(&format!("{:24} {:5} ", rule.id, rule.level.name()), rule.why);
    }
    Exit::Fine
}
