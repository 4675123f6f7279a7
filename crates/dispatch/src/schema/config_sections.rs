//! The schema of `config.json`, put together from the sections that modules read.
//!
//! Whoever reads a section lists its type: a module of this crate in [`config_sections`], a
//! crate above this one in what it hands to [`config`].

use schemars::{JsonSchema, Schema, SchemaGenerator, generate::SchemaSettings};
use serde_json::{Map, Value, json};

use crate::config::AgentsSettings;
use crate::modules::session::{neo4j_capability, neo4j_settings};
use crate::modules::{
    graph_pretooluse, memory_activation, memory_journal, plan_graph_exec, plan_subagent_contract, rlm_work,
    session, shell_guard, stop_synth,
};
use crate::{IntentSettings, Retention};
use memory::Ranking;

/// One section: its key and what belongs there.
pub struct ConfigSection {
    name: &'static str,
    about: &'static str,
    shape: SectionShape,
}

/// What describes a section.
enum SectionShape {
    /// A type that is read into.
    Type(fn(&mut SchemaGenerator) -> Schema),
    /// A table.
    Declared(config_file::Shape),
}

impl ConfigSection {
    /// Describes the section that is read as a `T`.
    pub fn of<T: JsonSchema>(name: &'static str, about: &'static str) -> Self {
        Self { name, about, shape: SectionShape::Type(SchemaGenerator::subschema_for::<T>) }
    }

    /// Describes the section that a table declares.
    pub fn declared(name: &'static str, about: &'static str, shape: config_file::Shape) -> Self {
        Self { name, about, shape: SectionShape::Declared(shape) }
    }
}

/// Returns the sections that are read in this crate.
pub fn config_sections() -> Vec<ConfigSection> {
    vec![
        ConfigSection::of::<AgentsSettings>("agents", "Which agent governs a session that names none."),
        ConfigSection::declared(
            automation::WorkspaceSettings::SECTION,
            "What holds for all automations: who runs prompts, how many at once, which MCP servers.",
            automation::schema::SETTINGS,
        ),
        ConfigSection::of::<Retention>("gc", "How long the records of sessions are kept."),
        ConfigSection::of::<graph_pretooluse::Settings>(
            graph_pretooluse::NAME,
            "The rules for reads and searches that nothing bounds.",
        ),
        ConfigSection::of::<memory_activation::Settings>(
            memory_activation::NAME,
            "How much is brought to mind.",
        ),
        ConfigSection::of::<Ranking>(memory_journal::NAME, "How lessons are ranked."),
        ConfigSection::of::<IntentSettings>(IntentSettings::SECTION, "What holds where there are intents."),
        ConfigSection::of::<neo4j_settings::Settings>(
            neo4j_capability::NAME,
            "The graph database, if there is one.",
        ),
        ConfigSection::of::<plan_graph_exec::Settings>(
            plan_graph_exec::NAME,
            "How calls are held against the plan.",
        ),
        ConfigSection::of::<plan_subagent_contract::Settings>(
            plan_subagent_contract::NAME,
            "Which agents plan, and how often one is sent back.",
        ),
        ConfigSection::of::<rlm_work::Settings>(rlm_work::NAME, "What subagents are given and send back."),
        ConfigSection::of::<session::Settings>("session", "What is kept of a session."),
        ConfigSection::of::<shell_guard::Settings>(shell_guard::NAME, "The rules for shell commands."),
        ConfigSection::of::<stop_synth::Settings>(stop_synth::NAME, "What is summed up when a turn ends."),
    ]
}

/// Returns the schema of the settings file with these sections.
pub fn config(mut sections: Vec<ConfigSection>) -> Value {
    sections.sort_by_key(|section| section.name);
    let mut generator = SchemaSettings::draft2020_12().for_deserialize().into_generator();
    let mut properties = Map::new();
    properties.insert(
        "version".into(),
        json!({"description": "The format of this file; 1.", "type": "integer", "minimum": 0}),
    );
    properties.insert(
        "$schema".into(),
        json!({"description": "What editors check this file against.", "type": "string"}),
    );
    for section in sections {
        let mut schema = match section.shape {
            SectionShape::Type(schema) => schema(&mut generator).to_value(),
            SectionShape::Declared(shape) => {
                config_file::schema::subschema(&shape, generator.definitions_mut())
            }
        };
        schema["description"] = json!(section.about);
        properties.insert(section.name.into(), schema);
    }
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Settings of the modules",
        "description": ".ai/hooks/config.json: a section per module, under the module's name",
        "type": "object",
        "properties": properties,
        "additionalProperties": {"description": "What a module of the project's own reads as `ctx.config`."},
        "$defs": generator.take_definitions(true),
    })
}
