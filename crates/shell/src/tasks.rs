//! Files of task runners, read just far enough to find the commands of a task.

pub(crate) mod makefile;
pub(crate) mod package_json;

/// Returns the commands of the recipe `name` of a justfile, or of the first recipe when `name` is empty.
pub(crate) fn just_recipe(content: &str, name: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut inside = false;
    for line in content.lines().take(5000) {
        if line.starts_with([' ', '\t']) {
            if inside {
                let text = line.trim_start().trim_start_matches(['@', '-']);
                lines.push(text.replace("{{", "${_just_").replace("}}", "}").replace("_just_ ", "_just_"));
            }
            continue;
        }
        if line.trim().is_empty() || line.starts_with(['#', '[']) {
            continue;
        }
        if inside {
            break;
        }
        let is_recipe = line.contains(':') && !line.contains(":=") && !line.starts_with("set ");
        let head = line.trim_start_matches('@').split([' ', ':']).next().unwrap_or("");
        inside = is_recipe && (name.is_empty() || head == name);
    }
    lines
}
