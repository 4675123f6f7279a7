//! Sets one value of `config.json`.

use config_file::NewerFormat;
use config_file::jsonc::{self, CstInputValue};
use project_config::Config;

use super::defaults::CONFIG;
use crate::change::{Change, ChangeError};
use crate::commands::Place;

/// Plans the change that gives a setting this value and keeps everything else.
pub(super) fn planned(place: &Place, name: &str, value: CstInputValue) -> Result<Change, ChangeError> {
    let workspace = &place.workspace;
    let path = workspace.config_file();
    let file = path.below(workspace.root()).map_or_else(|_| path.to_string(), |file| file.to_string());
    Change::plan(workspace, &file, |before| {
        let text = before.filter(|text| !text.trim().is_empty()).unwrap_or(CONFIG);
        let failed = |what: String| ChangeError::Content {
            what: format!("cannot edit `{file}`: {what}"),
            place: None,
            hint: "correct the file; steersman did not change it".to_owned(),
        };
        if let Some(format) = NewerFormat::of_json(text, Config::FORMAT.0) {
            return Err(ChangeError::newer(&file, format));
        }
        let root = jsonc::parse_editable(text).map_err(|error| failed(error.to_string()))?;
        let object = root.object_value_or_create().ok_or_else(|| failed("it is not an object".to_owned()))?;
        match object.get(name) {
            Some(property) => property.set_value(value),
            None => {
                object.append(name, value);
            }
        }
        Ok(Some(root.to_string()))
    })
}
