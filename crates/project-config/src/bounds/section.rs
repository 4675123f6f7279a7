//! Reads the module's section of `config.json`, one value at a time.
//!
//! INVARIANT: a mistake adds a warning with its place and leaves its own setting at the default. It must neither disable
//! a guard, nor undo the valid settings beside it, nor stop all work.

use config_file::did_you_mean;
use serde_json::{Map, Value};
use store::FileError;

use super::{NAME, Rule, Settings};
use crate::Config;

impl Settings {
    /// Reads the section; returns the settings and a warning for each mistake.
    pub fn read(config: &Config) -> (Self, Vec<String>) {
        let mut reader = SectionReader { config, settings: Self::default(), warnings: Vec::new() };
        if let Some(section) = reader.object(config.section(NAME), &format!("/{NAME}")) {
            reader.section(section);
        }
        (reader.settings, reader.warnings)
    }

    /// The keys of the section.
    const KEYS: [&str; 6] = ["preset", "rules", "maxResults", "maxLines", "maxFileKb", "maxPages"];
}

struct SectionReader<'c> {
    config: &'c Config,
    settings: Settings,
    warnings: Vec<String>,
}

impl<'c> SectionReader<'c> {
    fn section(&mut self, section: &'c Map<String, Value>) {
        for (key, value) in section {
            let pointer = format!("/{NAME}/{key}");
            let settings = &mut self.settings;
            let read = match key.as_str() {
                "preset" => self.config.part(value, &pointer).map(|it| settings.preset = it),
                "maxResults" => self.config.part(value, &pointer).map(|it| settings.max_results = it),
                "maxLines" => self.config.part(value, &pointer).map(|it| settings.max_lines = it),
                "maxFileKb" => self.config.part(value, &pointer).map(|it| settings.max_file_kb = it),
                "maxPages" => self.config.part(value, &pointer).map(|it| settings.max_pages = it),
                "rules" => {
                    if let Some(rules) = self.object(value, &pointer) {
                        self.rules(rules);
                    }
                    Ok(())
                }
                _ => Err(self.unknown("key", key, &pointer, Settings::KEYS)),
            };
            self.note(read);
        }
    }

    fn rules(&mut self, rules: &Map<String, Value>) {
        for (name, level) in rules {
            let pointer = format!("/{NAME}/rules/{name}");
            let read = match Rule::ALL.into_iter().find(|rule| rule.id() == name) {
                Some(rule) => {
                    self.config.part(level, &pointer).map(|it| *self.settings.rules.slot(rule) = it)
                }
                None => Err(self.unknown("rule", name, &pointer, Rule::ALL.map(Rule::id))),
            };
            self.note(read);
        }
    }

    /// Returns the object; `None` for null, and with a warning for any other value.
    fn object(&mut self, value: &'c Value, pointer: &str) -> Option<&'c Map<String, Value>> {
        if !value.is_object() && !value.is_null() {
            let name = pointer[1..].replace('/', ".");
            let error = self.config.about(pointer, format!("`{name}` must be an object"));
            self.note(Err(error));
        }
        value.as_object()
    }

    fn unknown<const N: usize>(&self, kind: &str, name: &str, pointer: &str, known: [&str; N]) -> FileError {
        let error = self.config.about(pointer, format!("unknown {kind} `{name}` of `{NAME}`"));
        match did_you_mean(name, known) {
            Some(hint) => error.with_hint(hint),
            None => error,
        }
    }

    fn note(&mut self, read: Result<(), FileError>) {
        if let Err(error) = read {
            self.warnings.push(format!("ignoring a setting of `{NAME}`: {error}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::{Level, Preset};
    use super::*;

    fn read(section: &str) -> (Settings, Vec<String>) {
        let text = format!("{{\n  \"{NAME}\": {section}\n}}");
        Settings::read(&Config::parse(Path::new("config.json"), text.into_bytes()).unwrap())
    }

    #[test]
    fn every_setting_is_a_key_of_the_section() {
        let Ok(Value::Object(keys)) = serde_json::to_value(Settings::default()) else {
            panic!("not an object")
        };
        assert_eq!(keys.keys().map(String::as_str).collect::<Vec<_>>(), Settings::KEYS);
    }

    #[test]
    fn a_section_without_mistakes_is_read_without_warnings() {
        let all = r#"{"preset": "strict", "rules": {"whole-file": "deny", "search-ignored": null},
            "maxResults": 1, "maxLines": 2, "maxFileKb": 3, "maxPages": 4}"#;
        let (settings, warnings) = read(all);
        assert_eq!(warnings, [""; 0]);
        assert_eq!((settings.preset, settings.level(Rule::WholeFile)), (Preset::Strict, Level::Deny));
        let numbers = (settings.max_results, settings.max_lines, settings.max_file_kb, settings.max_pages);
        assert_eq!(numbers, (1, 2, 3, 4));
        for nothing in ["null", "{}", r#"{"rules": null}"#] {
            assert_eq!(read(nothing), (Settings::default(), vec![]), "{nothing}");
        }
    }

    #[test]
    fn a_mistake_is_reported_with_its_place_and_the_settings_beside_it_hold() {
        for (mistake, warning) in [
            (r#""rules": {"whole-file": "deny", "search-ignored": "denny"}"#, "line 2, column"),
            (r#""rules": {"whole-file": "deny", "search-ignored": "denny"}"#, "hint: did you mean `deny`?"),
            (r#""rules": {"whole-file": "deny", "search-ignored": 7}"#, "line 2, column"),
            (
                r#""rules": {"whole-file": "deny", "serch-ignored": "off"}"#,
                "unknown rule `serch-ignored` of `graph-pretooluse`; hint: did you mean `search-ignored`?",
            ),
            (
                r#""rules": {"whole-file": "deny"}, "maxLine": 5"#,
                "unknown key `maxLine` of `graph-pretooluse`; hint: did you mean `maxLines`?",
            ),
            (r#""rules": {"whole-file": "deny"}, "maxLines": "5""#, "line 2, column"),
            (r#""rules": {"whole-file": "deny"}, "maxLines": -5"#, "line 2, column"),
        ] {
            let (settings, warnings) = read(&format!(r#"{{"preset": "strict", {mistake}, "maxPages": 9}}"#));
            assert_eq!((settings.preset, settings.max_pages), (Preset::Strict, 9), "{mistake}");
            assert_eq!(settings.level(Rule::WholeFile), Level::Deny, "{mistake}");
            assert_eq!(
                (settings.level(Rule::SearchIgnored), settings.max_lines),
                (Level::Ask, 1000),
                "{mistake}"
            );
            assert_eq!(warnings.len(), 1, "{warnings:?}");
            assert!(warnings[0].contains(warning), "{warnings:?}");
        }
    }

    #[test]
    fn a_section_or_rules_of_another_type_are_reported_as_a_whole() {
        let (settings, warnings) = read(r#"{"rules": ["whole-file"], "preset": "strict"}"#);
        assert_eq!((settings.preset, warnings.len()), (Preset::Strict, 1));
        assert!(warnings[0].contains("`graph-pretooluse.rules` must be an object"), "{warnings:?}");
        let (settings, warnings) = read("[]");
        assert_eq!((settings, warnings.len()), (Settings::default(), 1));
    }
}
