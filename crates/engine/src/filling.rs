//! The values that templates of a run are filled in with.

use std::collections::BTreeMap;
use std::path::Path;

use automation::{Occurrence, Template, What};
use serde_json::Value;
use store::Workspace;

/// Values by the names of their variables.
#[derive(Debug, Clone, Default)]
pub(crate) struct Filling {
    values: BTreeMap<String, String>,
}

impl Filling {
    /// Returns what an occurrence has to say.
    pub(crate) fn of(occurrence: &Occurrence, workspace: &Workspace) -> Self {
        let mut values = occurrence.values.clone();
        let mut set = |name: &str, value: String| drop(values.insert(name.to_owned(), value));
        set("timestamp", occurrence.ts.to_string());
        set("triggerType", occurrence.what.to_string());
        if let Some(file) = occurrence.file() {
            let path = workspace.root().as_path().join(file);
            let part =
                |part: Option<&std::ffi::OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
            set("filePath", path.display().to_string());
            set("fileName", part(path.file_name()));
            set("fileExt", part(path.extension()));
            set("fileDir", path.parent().map(Path::display).map(|it| it.to_string()).unwrap_or_default());
        }
        match &occurrence.what {
            What::SpecStatus { spec_id, path, old_status, new_status, change_author } => {
                set("specId", spec_id.clone());
                set("specPath", workspace.root().as_path().join(path).display().to_string());
                set("oldStatus", old_status.clone().unwrap_or_default());
                set("newStatus", new_status.clone());
                set("changeAuthor", change_author.clone().unwrap_or_default());
            }
            What::Commit { commit, branch, .. } => {
                set("commit", commit.clone());
                set("branch", branch.clone().unwrap_or_default());
            }
            What::Custom { data, .. } => {
                for (name, value) in data {
                    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                    set(name, if *value == Value::Null { String::new() } else { text });
                }
            }
            _ => {}
        }
        Self { values }
    }

    /// Fills a template in. A value is data: it is not looked at for further variables.
    pub(crate) fn fill(&self, template: &Template) -> String {
        let mut filled = String::new();
        let mut rest = template.as_str();
        while let Some(open) = rest.find('{') {
            filled.push_str(&rest[..open]);
            let inside = &rest[open + 1..];
            let n_name =
                inside.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
            if n_name > 0 && inside[n_name..].starts_with('}') {
                filled.push_str(self.values.get(&inside[..n_name]).map_or("", String::as_str));
                rest = &inside[n_name + 1..];
            } else {
                filled.push('{');
                rest = inside;
            }
        }
        filled.push_str(rest);
        filled
    }
}
