//! Parses the agents of Claude Code.

use super::Document;
use super::foreign::{self, written};
use host::AgentCli;

use crate::definition::{Command, Definition, Format, Origin, Profile, Provider, ProviderName, Resources};
use crate::limits::MAX_AGENT_DESCRIPTION_LENGTH;
use crate::slug::{slug, stem, title};
use crate::table::CLAUDE;
use config_file::{Fields, Node, Report, Source};

/// Parses an agent from its front matter and the text below it.
pub(super) fn read(
    source: &Source<'_>,
    root: &Node<'_>,
    body: &str,
    report: &mut Report<'_>,
) -> Option<Document> {
    let fields = Fields::of(root, "", &CLAUDE, report)?;
    let name = written(&fields, "name");
    let called = name.as_ref().map_or_else(|| stem(source.file()).to_owned(), |it| it.text.clone());
    let description = match written(&fields, "description") {
        Some(given) => {
            // Claude Code has no limit, and its generator writes examples into the field.
            if given.text.chars().count() > MAX_AGENT_DESCRIPTION_LENGTH {
                let message = format!(
                    "the description is shown in part: it has more than the {MAX_AGENT_DESCRIPTION_LENGTH} characters of MAX_AGENT_DESCRIPTION_LENGTH"
                );
                report.warning(given.at, message);
            }
            given.text
        }
        None => foreign::guessed_description(&fields, body, report),
    };
    // `inherit` means the caller's model.
    let model = written(&fields, "model").map(|it| it.text).filter(|it| it != "inherit");
    let profile = Profile {
        id: slug(&called),
        name: title(&called),
        full_name: title(&called),
        description: foreign::shortened(&description),
        icon: None,
        commands: vec![Command::help()],
        resources: Resources::default(),
    };
    let origin = Origin { file: source.file().to_owned(), format: Format::Claude };
    let definition = Definition {
        provider: model
            .map(|model| Provider { name: ProviderName::Cli(AgentCli::Claude), model: Some(model) }),
        ..foreign::definition(&fields, &CLAUDE, body, called, description, profile, origin)
    };
    let name_excerpt = name.map(|it| report.excerpt(it.at));
    Some(Document { definition, name_excerpt, references: Vec::new() })
}
