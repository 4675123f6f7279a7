//! The description of an intent for the model, as XML.
//!
//! INVARIANT: every value is escaped, so a description cannot close the block and impersonate another
//! source.

use crate::{Intent, Pattern, Summary};

/// Returns the block for a session that has an intent.
pub fn active_block(intent: &Intent) -> String {
    let mut block = String::from("<intent_context>\n");
    element(&mut block, "intent_id", intent.id.as_str());
    element(&mut block, "name", &intent.name);
    element(&mut block, "description", &intent.description);
    element(&mut block, "status", intent.status.as_str());
    list(&mut block, "owned_scope", "pattern", intent.owned_scope.iter().map(Pattern::as_str));
    list(&mut block, "constraints", "constraint", intent.constraints.iter().map(String::as_str));
    list(
        &mut block,
        "acceptance_criteria",
        "criterion",
        intent.acceptance_criteria.iter().map(ToString::to_string),
    );
    block.push_str("</intent_context>");
    block
}

/// Returns the block for a session without an intent: the available intents, and the first step.
pub fn choice_block(intents: &[Summary]) -> String {
    let mut block = String::from("<intent_context>\n");
    let selectable: Vec<&Summary> = intents.iter().filter(|intent| intent.status.can_be_selected()).collect();
    let instruction = if selectable.is_empty() {
        "No active intent selected, and none can be: every write is blocked until a person adds or unblocks an intent."
    } else {
        "No active intent selected. Call select_active_intent with one of these ids before you write files or run commands that do."
    };
    element(&mut block, "instruction", instruction);
    block.push_str("  <available_intents>\n");
    for intent in selectable {
        block.push_str("    <intent>");
        for (name, value) in
            [("intent_id", intent.id.as_str()), ("name", &intent.name), ("status", intent.status.as_str())]
        {
            tagged(&mut block, name, value);
        }
        block.push_str("</intent>\n");
    }
    block.push_str("  </available_intents>\n</intent_context>");
    block
}

fn element(block: &mut String, name: &str, value: &str) {
    block.push_str("  ");
    tagged(block, name, value);
    block.push('\n');
}

fn list(block: &mut String, name: &str, entry: &str, values: impl Iterator<Item = impl AsRef<str>>) {
    block.extend(["  <", name, ">\n"]);
    for value in values {
        block.push_str("    ");
        tagged(block, entry, value.as_ref());
        block.push('\n');
    }
    block.extend(["  </", name, ">\n"]);
}

fn tagged(block: &mut String, name: &str, value: &str) {
    block.extend(["<", name, ">"]);
    for c in value.chars() {
        match c {
            '&' => block.push_str("&amp;"),
            '<' => block.push_str("&lt;"),
            '>' => block.push_str("&gt;"),
            '"' => block.push_str("&quot;"),
            '\'' => block.push_str("&apos;"),
            '\n' | '\t' => block.push(c),
            // XML cannot represent these characters.
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => block.push('\u{fffd}'),
            c => block.push(c),
        }
    }
    block.extend(["</", name, ">"]);
}
