//! Parses the files that define agents.
//!
//! INVARIANT: a file yields either a definition or at least one error, and parsing stays within the
//! limits.

mod agent_md;
mod bash_filter;
mod claude;
mod config;
mod foreign;
mod lenient;
mod transitions;
mod workflow;

pub use config::{LoadedConfig, load_config};

use config_file::{Code, Excerpt, Limits, Node, Problem, Report, Source, Span, Syntax, parse_yaml_part};

use crate::definition::{Definition, Format};
use crate::frontmatter::{self, Split};
use crate::limits::{MAX_DEPTH, MAX_FILE_BYTES, MAX_NODES};
use crate::tool_name::ToolNames;

/// The limits of the fields of a file.
const YAML_LIMITS: Limits = Limits { depth: MAX_DEPTH, nodes: MAX_NODES };

/// Decodes the bytes of a file, without a byte-order mark.
pub fn decode(file: &str, bytes: &[u8]) -> Result<Source<'static>, Box<Problem>> {
    if bytes.len() > MAX_FILE_BYTES {
        let message =
            format!("the file has {} bytes, more than the {MAX_FILE_BYTES} of MAX_FILE_BYTES", bytes.len());
        let problem = Problem::error(file, Code::PARSE_ERROR, message);
        return Err(Box::new(problem.hint("keep only the prompt and a few fields in the file")));
    }
    let source = Source::decode(file, bytes).map_err(|bad| Box::new(bad.into_problem(file)))?;
    Ok(source.into_owned())
}

/// The result of parsing one file.
#[derive(Debug, Clone, PartialEq)]
pub struct Loaded {
    /// The agent, if the file has no errors.
    pub document: Option<Document>,
    /// The problems of the file, in the order of their positions.
    pub problems: Vec<Problem>,
    /// The file.
    pub file: String,
    /// The name of the agent, if it could be read.
    pub name: Option<String>,
    /// The agents it refers to, even if the file has errors.
    pub(crate) references: Vec<Reference>,
}

/// An agent together with the positions that a check of the whole project needs.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// The agent.
    pub definition: Definition,
    /// The position of its name; `None` if the name is that of the file.
    pub(crate) name_excerpt: Option<Excerpt>,
    /// The agents it refers to.
    pub(crate) references: Vec<Reference>,
}

/// A reference to another agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reference {
    /// The field: `transitions.onSuccess`.
    pub(crate) field: String,
    /// The agent's name.
    pub(crate) name: String,
    pub(crate) excerpt: Excerpt,
}

/// The name and the references of an agent, as far as they could be read.
#[derive(Debug, Default)]
struct Seen {
    name: Option<String>,
    references: Vec<Reference>,
}

/// Parses one file.
pub fn load(source: &Source<'_>, format: Format, names: &ToolNames) -> Loaded {
    let mut report = Report::new(source, Syntax::Yaml);
    let mut seen = Seen::default();
    let document = match format {
        Format::WorkflowYaml => {
            let root = yaml_node(source.text(), 0, &mut report);
            root.and_then(|root| workflow::read(source, format, &root, None, names, &mut report, &mut seen))
        }
        Format::WorkflowMarkdown => markdown(source, &mut report).and_then(|(root, body)| {
            workflow::read(source, format, &root, Some(body), names, &mut report, &mut seen)
        }),
        Format::AgentMd => foreign::parts(source, &mut report)
            .and_then(|(root, body)| agent_md::read(source, &root, body, &mut report)),
        Format::Claude => foreign::parts(source, &mut report)
            .and_then(|(root, body)| claude::read(source, &root, body, &mut report)),
    };
    let document = document.filter(|_| !report.has_errors());
    let name = document.as_ref().map(|it| it.definition.name.clone()).or(seen.name);
    let file = source.file().to_owned();
    Loaded { document, problems: report.into_problems(), file, name, references: seen.references }
}

/// Parses YAML that begins at a byte of the file; an empty text yields an empty mapping.
fn yaml_node<'s>(text: &'s str, start: usize, report: &mut Report<'_>) -> Option<Node<'s>> {
    match parse_yaml_part(text, start, YAML_LIMITS) {
        Ok(root) => Some(root.unwrap_or(Node::empty_map(Span::new(start, start)))),
        Err(fault) => {
            report.syntax_error(fault);
            None
        }
    }
}

/// Splits a Markdown file of the project's own format into its front matter and its text.
fn markdown<'s>(source: &'s Source<'_>, report: &mut Report<'_>) -> Option<(Node<'s>, &'s str)> {
    let top = Span::new(0, 3);
    match frontmatter::split(source.text()) {
        Split::Both { start, fields, body } => yaml_node(fields, start, report).map(|root| (root, body)),
        Split::BodyOnly(_) => {
            let problem = report.parse_error(top, "the file must begin with front matter");
            problem.hint = Some("write `---`, the fields as YAML, `---`, and the prompt below".to_owned());
            None
        }
        Split::Unclosed => {
            let problem = report.parse_error(top, "the front matter that begins here has no end");
            problem.hint = Some("add a line of `---` below it".to_owned());
            None
        }
    }
}
