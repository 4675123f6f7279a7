//! Reads the files agents are defined in.
//!
//! INVARIANT: a file either gives a definition or at least one error, and never
//! takes more than the limits allow.

mod agent_md;
mod bash_filter;
mod claude;
mod config;
mod foreign;
mod lenient;
mod transitions;
mod workflow;

pub use config::{LoadedConfig, load_config};

use crate::definition::{Definition, Format};
use crate::frontmatter::{self, Split};
use crate::problem::Problem;
use crate::report::Report;
use crate::source::{Mark, Source};
use crate::spot::Spot;
use crate::tool_name::ToolNames;
use crate::yaml::{self, Node};

/// What came of one file.
#[derive(Debug, Clone, PartialEq)]
pub struct Loaded {
    /// The agent, if the file has no errors.
    pub document: Option<Document>,
    /// What is wrong with the file, in its order.
    pub problems: Vec<Problem>,
}

/// An agent together with the places that a check of the whole project points at.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// The agent.
    pub definition: Definition,
    /// Where its name stands; `None` when the file's name serves.
    pub(crate) name_spot: Option<Spot>,
    /// The agents it names.
    pub(crate) references: Vec<Reference>,
}

/// A place where a file names another agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reference {
    /// The field: `transitions.onSuccess`.
    pub(crate) field: String,
    /// The agent's name.
    pub(crate) name: String,
    pub(crate) spot: Spot,
}

/// Reads one file.
pub fn load(source: &Source, format: Format, names: &ToolNames) -> Loaded {
    let mut report = Report::new(source);
    let document = match format {
        Format::WorkflowYaml => {
            let root = yaml_node(source.text(), 0, &mut report);
            root.and_then(|root| workflow::read(source, format, &root, None, names, &mut report))
        }
        Format::WorkflowMarkdown => markdown(source, &mut report)
            .and_then(|(root, body)| workflow::read(source, format, &root, Some(body), names, &mut report)),
        Format::AgentMd => foreign::parts(source, &mut report)
            .and_then(|(root, body)| agent_md::read(source, &root, body, &mut report)),
        Format::Claude => foreign::parts(source, &mut report)
            .and_then(|(root, body)| claude::read(source, &root, body, &mut report)),
    };
    let document = document.filter(|_| !report.has_errors());
    Loaded { document, problems: report.into_problems() }
}

/// Returns the keys the readers know: the schema, the way to the object in it, its keys.
#[cfg(all(test, feature = "schema"))]
pub(crate) fn keys() -> Vec<(&'static str, &'static [&'static str], &'static [&'static str])> {
    let mut keys: Vec<(&'static str, &'static [&'static str], &'static [&'static str])> = vec![
        ("agent", &[], workflow::AGENT_KEYS),
        ("agent", &["tools"], workflow::TOOLS_KEYS),
        ("agent", &["tools", "bashFilter"], bash_filter::BASH_FILTER_KEYS),
        ("agent", &["transitions"], transitions::TRANSITIONS_KEYS),
        ("agent", &["transitions", "custom"], transitions::CUSTOM_KEYS),
        ("agent", &["limits"], workflow::LIMITS_KEYS),
        ("agent", &["provider"], workflow::PROVIDER_KEYS),
        ("agent-md", &[], agent_md::OWN_KEYS),
    ];
    keys.extend(config::OBJECTS.iter().map(|(path, known)| ("agent-config", *path, *known)));
    keys
}

/// Reads YAML and reports what is wrong with it.
fn yaml_node(text: &str, lines_before: usize, report: &mut Report<'_>) -> Option<Node> {
    let mut faults = Vec::new();
    let root = yaml::read(text, lines_before, &mut faults);
    for fault in faults {
        report.parse_error(fault.at, fault.message).hint = fault.hint.map(str::to_owned);
    }
    root
}

/// Splits a Markdown file of the project's own format into its fields and its text.
fn markdown<'s>(source: &'s Source, report: &mut Report<'_>) -> Option<(Node, &'s str)> {
    let top = Mark { line: 1, column: 1, width: 3 };
    match frontmatter::split(source.text()) {
        Split::Both { fields, body } => yaml_node(fields, 1, report).map(|root| (root, body)),
        Split::BodyOnly(_) => {
            let problem = report.parse_error(top, "the file does not begin with its fields");
            problem.expected = Some("`---`, the fields as YAML, `---`".to_owned());
            None
        }
        Split::Unclosed => {
            let problem = report.parse_error(top, "the fields begin here and do not end");
            problem.expected = Some("a line of `---` below them".to_owned());
            None
        }
    }
}
