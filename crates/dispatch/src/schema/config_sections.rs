//! The schema of `config.json`, built from the sections that modules read.
//!
//! [`config_sections`] lists the sections of `modules` and of this crate; a crate above passes its own to [`config`].

use ::session::Retention;
use event::plain_name;
use modules::IntentSettings;
use modules::session::{neo4j_capability, neo4j_settings};
use modules::{
    memory_activation, memory_journal, plan_graph_exec, plan_subagent_contract, rlm_work, session,
    shell_guard, stop_synth,
};
use project_config::{
    AgentsSettings, ApproveMode, AskSettings, ConfineSettings, DoneGate, LoopSettings, NotifySettings,
    OutputSettings, bounds, guard,
};
use schemars::{JsonSchema, Schema, SchemaGenerator, generate::SchemaSettings};
use serde_json::{Map, Value, json};

use memory::Ranking;

/// One section: its key and its content.
pub struct ConfigSection {
    name: &'static str,
    about: &'static str,
    shape: SectionShape,
}

/// The description of a section.
enum SectionShape {
    /// The type that it is parsed into.
    Type(fn(&mut SchemaGenerator) -> Schema),
    /// A table.
    Declared(config_file::Shape),
}

impl ConfigSection {
    /// Describes a section of type `T`.
    pub fn of<T: JsonSchema>(name: &'static str, about: &'static str) -> Self {
        Self { name, about, shape: SectionShape::Type(SchemaGenerator::subschema_for::<T>) }
    }

    /// Describes the section that a table declares.
    pub fn declared(name: &'static str, about: &'static str, shape: config_file::Shape) -> Self {
        Self { name, about, shape: SectionShape::Declared(shape) }
    }
}

/// Returns the sections that `modules` and this crate read.
pub fn config_sections() -> Vec<ConfigSection> {
    vec![
        ConfigSection::of::<AgentsSettings>("agents", "The agent that governs a session that names none."),
        ConfigSection::of::<ApproveMode>(
            ApproveMode::SECTION,
            "Which calls pass without the host's prompt; default `off`.",
        ),
        ConfigSection::of::<AskSettings>(
            AskSettings::SECTION,
            "How long a hook waits for a person where the agent program cannot ask.",
        ),
        ConfigSection::declared(
            automation::WorkspaceSettings::SECTION,
            "The settings for all automations: the runner of prompts, the limit of concurrent runs, MCP servers.",
            automation::schema::SETTINGS,
        ),
        ConfigSection::of::<ConfineSettings>(
            ConfineSettings::SECTION,
            "The files and hosts that confined commands may write and reach besides their scope.",
        ),
        ConfigSection::of::<DoneGate>(
            DoneGate::SECTION,
            "Whether an agent is kept from stopping while an acceptance command fails; default `false`.",
        ),
        ConfigSection::of::<Retention>(Retention::SECTION, "How long sessions are stored."),
        ConfigSection::of::<bounds::Settings>(bounds::NAME, "The rules for unbounded reads and searches."),
        ConfigSection::of::<LoopSettings>(
            LoopSettings::SECTION,
            "When a repeated denial or failure counts as a loop.",
        ),
        ConfigSection::of::<memory_activation::Settings>(
            memory_activation::NAME,
            "The limits on the memories that a session receives.",
        ),
        ConfigSection::of::<Ranking>(memory_journal::NAME, "How lessons are ranked."),
        ConfigSection::of::<IntentSettings>(
            IntentSettings::SECTION,
            "The settings for workspaces with intents.",
        ),
        ConfigSection::of::<guard::NetworkSettings>(
            guard::NetworkSettings::SECTION,
            "The hosts that tools may reach.",
        ),
        ConfigSection::of::<neo4j_settings::Settings>(neo4j_capability::NAME, "The graph database."),
        ConfigSection::of::<NotifySettings>(
            NotifySettings::SECTION,
            "How a person learns that an ask waits.",
        ),
        ConfigSection::of::<OutputSettings>(
            OutputSettings::SECTION,
            "The parts of a tool's result that the model reads.",
        ),
        ConfigSection::of::<plan_graph_exec::Settings>(
            plan_graph_exec::NAME,
            "How calls are checked against the plan.",
        ),
        ConfigSection::of::<plan_subagent_contract::Settings>(
            plan_subagent_contract::NAME,
            "The agents that plan, and how often the module sends one back.",
        ),
        ConfigSection::of::<rlm_work::Settings>(
            rlm_work::NAME,
            "The delegation to subagents: their instructions and results.",
        ),
        ConfigSection::of::<session::Settings>("session", "The records of a session."),
        ConfigSection::of::<guard::Settings>(shell_guard::NAME, "The rules for shell commands."),
        ConfigSection::of::<stop_synth::Settings>(stop_synth::NAME, "The summary at the end of a turn."),
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
        json!({"description": "The URL of this schema, for editors.", "type": "string"}),
    );
    for section in sections {
        let mut schema = match section.shape {
            SectionShape::Type(schema) => schema(&mut generator).to_value(),
            SectionShape::Declared(shape) => {
                config_file::schema::subschema(&shape, generator.definitions_mut())
            }
        };
        schema["description"] = json!(section.about);
        let plain = plain_name(section.name);
        if plain != section.name {
            properties.insert(plain.into(), schema.clone());
        }
        properties.insert(section.name.into(), schema);
    }
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Settings of the modules",
        "description": ".ai/hooks/config.json: a section per module, under the module's name",
        "type": "object",
        "properties": properties,
        "additionalProperties": {"description": "The settings of a module of the project, which reads them as `ctx.config`."},
        "$defs": generator.take_definitions(true),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Modules without a section under their name: the settings of `agent-tools` are `agents`.
    const WITHOUT_SECTION: [&str; 1] = ["agent-tools"];

    #[test]
    fn every_module_has_a_section_or_needs_none() {
        let sections = config_sections();
        let has_section = |name: &str| sections.iter().any(|section| section.name == name);
        for module in modules::ALL {
            let name = module.profile().name;
            let needs_none = WITHOUT_SECTION.contains(&name);
            assert_ne!(
                has_section(name),
                needs_none,
                "list `{name}` in `config_sections` or in `WITHOUT_SECTION`"
            );
        }
    }
}
