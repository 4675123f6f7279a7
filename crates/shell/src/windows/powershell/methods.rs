//! Methods of the platform and of objects in PowerShell: `[IO.File]::Delete("…")`, `$client.UploadFile("…")`.

use super::super::to_posix;
use super::Reader;
use crate::guard::RuleId;
use crate::reading::Doubt;
use crate::text::{Taint, Text};

impl Reader<'_, '_, '_> {
    /// The first argument of a method, if it is a string or a variable.
    fn first_argument(&mut self, inside: &str) -> Option<Text> {
        let inside = inside.trim_start();
        let variables = self.variables.clone();
        let mut reader = Reader { walker: self.walker, text: inside, at: 0, variables, piped: Vec::new() };
        let mut word = Text::default();
        match inside.chars().next()? {
            '"' => reader.double(&mut word),
            '\'' => word.push_str(inside[1..].split('\'').next().unwrap_or("")),
            '$' => reader.variable(&mut word),
            _ => return None,
        }
        Some(word)
    }

    /// `[IO.File]::Delete("…")`: the effect of a platform method, as far as its name tells.
    pub(super) fn method(&mut self, name: &str, open: usize) {
        /// Types whose methods only compute.
        const HARMLESS: [&str; 11] = [
            "[math]",
            "[string]",
            "[datetime]",
            "[guid]",
            "[convert]",
            "[int]",
            "[version]",
            "[timespan]",
            "[environment]",
            "[io.path]",
            "[text.encoding]",
        ];
        let lower = name.to_ascii_lowercase().replace("[system.", "[");
        let inside = self.text.get(open..self.at.saturating_sub(1)).unwrap_or("");
        let Some((kind, method)) = lower.split_once("::") else {
            self.instance_method(&lower, inside, open);
            return;
        };
        if !kind.starts_with('[') || HARMLESS.contains(&kind) {
            return;
        }
        let span = self.span(open);
        let path = self.first_argument(inside).map(|path| match path.value() {
            Some(known) => Text::known(to_posix(known)),
            None => path,
        });
        match (method, path) {
            ("delete", Some(path)) => self.walker.delete_path(&path, kind.ends_with("directory]"), span),
            ("writealltext" | "writeallbytes" | "writealllines" | "appendalltext" | "create", Some(path)) => {
                self.walker.write_path(&path, span);
            }
            _ => self.walker.doubt(Doubt::Code, name, span),
        }
    }

    /// `$client.UploadFile("…", ".env")`: the effect of an object's method, as far as its name tells.
    fn instance_method(&mut self, name: &str, inside: &str, open: usize) {
        /// Methods that only compute.
        const HARMLESS: [&str; 34] = [
            "tostring",
            "split",
            "trim",
            "trimstart",
            "trimend",
            "replace",
            "substring",
            "startswith",
            "endswith",
            "contains",
            "containskey",
            "tolower",
            "toupper",
            "gettype",
            "padleft",
            "padright",
            "indexof",
            "lastindexof",
            "equals",
            "getenumerator",
            "insert",
            "adddays",
            "addhours",
            "addminutes",
            "subtract",
            "tochararray",
            "where",
            "matches",
            "ismatch",
            "compareto",
            "touniversaltime",
            "tolocaltime",
            "getbytes",
            "getstring",
        ];
        let Some((_, method)) = name.rsplit_once('.') else { return };
        if HARMLESS.contains(&method) {
            return;
        }
        let span = self.span(open);
        if method.starts_with("upload") {
            self.walker.reading.network = true;
            // Each string may name the file, or be what is sent.
            let parts: Vec<&str> = inside.split(['"', '\'']).collect();
            let sends = parts.iter().any(|part| {
                let path = self.walker.resolve(&Text::known(to_posix(part))).0;
                self.walker.secrecy(&path).has(Taint::SECRET)
            });
            if sends {
                self.walker.risk(RuleId::SecretExfiltration, method, span);
            }
        }
        if !method.starts_with("download") || method == "downloadfile" {
            self.walker.doubt(Doubt::Code, format!(".{method}()"), span);
        }
    }
}
