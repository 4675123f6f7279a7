//! Small modules in JavaScript.

use serde_json::{Value, json};
use testkit::Sandbox;

use crate::sandbox_with;

/// All events, for modules that handle all of them.
const EVERY_EVENT: &str = "['SessionStart','UserPromptSubmit','PreToolUse','PostToolUse','PreCompact','Stop',\
                           'SubagentStart','SubagentStop']";

/// Returns a module that handles every event with this body.
pub(crate) fn module(name: &str, body: &str) -> String {
    format!(
        "export default {{ name: '{name}', supports: {EVERY_EVENT}, hotPathSafe: true,\n\
         async handle(eventName, ctx) {{ {body} }} }};\n"
    )
}

/// Returns a trusted workspace with these modules, in the order in which they run.
pub(crate) fn sandbox(modules: &[(&str, &str)], manifest: Value) -> Sandbox {
    let (sandbox, _) = untrusted(modules, manifest);
    sandbox.trust();
    sandbox
}

/// Returns an untrusted workspace with these modules, and its manifest.
pub(crate) fn untrusted(modules: &[(&str, &str)], mut manifest: Value) -> (Sandbox, Value) {
    for (index, (name, _)) in modules.iter().enumerate() {
        let entry = &mut manifest["modules"][*name];
        if entry["priority"].is_null() {
            entry["priority"] = json!(20 + index);
        }
    }
    let sandbox = sandbox_with(manifest.clone());
    for (name, body) in modules {
        let source = if body.contains("export default") { (*body).to_owned() } else { module(name, body) };
        sandbox.module(name, &source);
    }
    (sandbox, manifest)
}
