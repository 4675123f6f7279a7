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

use config_file::{Limits, Node, Problem, Report, Source, Span, Spot, Syntax, parse_yaml_part};

use crate::definition::{Definition, Format};
use crate::frontmatter::{self, Split};
use crate::limits::{MAX_DEPTH, MAX_NODES};
use crate::tool_name::ToolNames;

/// How much the fields of a file may hold.
const YAML_LIMITS: Limits = Limits { depth: MAX_DEPTH, nodes: MAX_NODES };

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
pub fn load(source: &Source<'_>, format: Format, names: &ToolNames) -> Loaded {
    let mut report = Report::new(source, Syntax::Yaml);
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

/// Reads YAML that begins at a byte of the file; a text with nothing in it is an empty mapping.
fn yaml_node<'s>(text: &'s str, start: usize, report: &mut Report<'_>) -> Option<Node<'s>> {
    match parse_yaml_part(text, start, YAML_LIMITS) {
        Ok(root) => Some(root.unwrap_or(Node::empty_map(Span::new(start, start)))),
        Err(fault) => {
            report.fault(fault);
            None
        }
    }
}

/// Splits a Markdown file of the project's own format into its fields and its text.
fn markdown<'s>(source: &'s Source<'_>, report: &mut Report<'_>) -> Option<(Node<'s>, &'s str)> {
    let top = Span::new(0, 3);
    match frontmatter::split(source.text()) {
        Split::Both { start, fields, body } => yaml_node(fields, start, report).map(|root| (root, body)),
        Split::BodyOnly(_) => {
            let problem = report.parse_error(top, "the file must begin with its fields");
            problem.hint = Some("write `---`, the fields as YAML, `---`, and the prompt below".to_owned());
            None
        }
        Split::Unclosed => {
            let problem = report.parse_error(top, "the fields begin here and do not end");
            problem.hint = Some("add a line of `---` below them".to_owned());
            None
        }
    }
}
