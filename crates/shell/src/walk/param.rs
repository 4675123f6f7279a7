//! Parameters: `$x`, `${x:-y}`, `${x#y}`, `"$@"`.

use super::Walker;
use super::expand::Part;
use super::glob;
use crate::reading::{Doubt, Span};
use crate::syntax::Param;
use crate::text::{Taint, Text};

impl Walker<'_> {
    /// Expands a parameter to parts.
    pub(super) fn param(&mut self, param: &Param, quoted: bool, span: Span, parts: &mut Vec<Part>) {
        let argument =
            if param.argument.is_empty() { Text::default() } else { self.value_of(&param.argument, span) };
        let is_positional = matches!(param.name.as_str(), "@" | "*");
        let slice = (param.operator == ":").then(|| argument.text.trim_start_matches(['@', '*']).to_owned());
        let is_part = slice.as_ref().is_some_and(|slice| slice.len() < argument.text.len());
        if (is_positional || is_part || matches!(argument.text.as_str(), "@" | "*")) && !param.length {
            let list = if is_positional {
                Some(self.state.positional.clone())
            } else {
                self.state.variable(&param.name).and_then(|variable| variable.elements.clone())
            };
            let list = match slice {
                // The first of `"$@"` is number one, the first of an array number zero.
                Some(slice) => list.and_then(|list| part_of(list, &slice, usize::from(is_positional))),
                None => list,
            };
            match list {
                Some(list) => {
                    for (index, element) in list.into_iter().enumerate() {
                        if index > 0 {
                            parts.push(Part::Break);
                        }
                        parts.push(if quoted { Part::Fixed(element) } else { Part::Loose(element) });
                    }
                }
                None => parts.push(Part::Loose(Text::unknown(param.source.clone(), Taint::NONE))),
            }
            return;
        }
        let value = self.param_value(param, argument);
        parts.push(if quoted { Part::Fixed(value) } else { Part::Loose(value) });
    }

    fn param_value(&mut self, param: &Param, argument: Text) -> Text {
        let mut found = self.lookup(&param.name);
        if param.indirect
            && let Some(name) = found.as_ref().and_then(Text::value).map(str::to_owned)
        {
            found = self.lookup(&name);
        }
        let unknown = |taint| Text::unknown(param.source.clone(), taint);
        if param.length {
            return match found.as_ref().and_then(Text::value) {
                Some(value) => Text::known(value.chars().count().to_string()),
                None => unknown(Taint::PRINTED),
            };
        }
        // `${x@P}` expands the value once more, as a prompt.
        if param.operator == "@" && argument.text == "P" {
            self.expand_prompt(found.as_ref(), Span::default());
        }
        match param.operator.as_str() {
            "" if argument.text.is_empty() => found.unwrap_or_else(|| unknown(taint_of_name(&param.name))),
            // An element of an array: any of them may be meant.
            "" => self.element(&param.name, &argument).unwrap_or_else(|| unknown(Taint::NONE)),
            ":-" | "-" => match found {
                Some(value) if !value.text.is_empty() => value,
                _ => argument,
            },
            ":=" | "=" => match found {
                Some(value) if !value.text.is_empty() => value,
                _ => {
                    self.state.assign(&param.name, argument.clone());
                    argument
                }
            },
            ":+" | "+" => match found {
                Some(value) if value.text.is_empty() => Text::default(),
                // Whether it is set is not known; the dangerous reading is that it is.
                _ => argument,
            },
            // Fails when it is empty, so an empty value never reaches the command.
            ":?" | "?" => {
                found.unwrap_or_else(|| Text::unknown(format!("{}?", param.source), Taint::PRINTED))
            }
            operator => match found.as_ref().and_then(Text::value) {
                Some(value) => edit(value, operator, &argument).unwrap_or_else(|| unknown(Taint::NONE)),
                None => unknown(found.map_or(Taint::NONE, |value| value.taint)),
            },
        }
    }

    fn expand_prompt(&mut self, value: Option<&Text>, span: Span) {
        match value.and_then(Text::value).map(str::to_owned) {
            Some(text) if !text.contains(['$', '`']) => {}
            Some(text) => self.substituted(&text, span),
            None => self.doubt(Doubt::Code, "@P", span),
        }
    }

    fn element(&mut self, name: &str, index: &Text) -> Option<Text> {
        let elements = self.state.variable(name)?.elements.clone()?;
        let index: i64 = index.value()?.trim().parse().ok()?;
        let index = if index < 0 { i64::try_from(elements.len()).ok()? + index } else { index };
        elements.get(usize::try_from(index).ok()?).cloned()
    }

    /// Returns whether the line sets another home, in which programs find no settings of the user.
    pub(crate) fn sets_home(&self) -> bool {
        self.state.variable("HOME").is_some_and(|home| {
            home.values.iter().any(|value| value.value() != Some(self.reading.home.as_str()))
        })
    }

    /// Returns the value of a variable at this point, when it is known to have one.
    pub(super) fn lookup(&mut self, name: &str) -> Option<Text> {
        let referred = self.state.references.iter().rev().find(|(known, _)| known == name);
        let referred = referred.map(|(_, target)| target.clone()).filter(|target| target != name);
        let name = referred.as_deref().unwrap_or(name);
        if let Some(variable) = self.state.variable(name) {
            let n = variable.values.len();
            let value = variable.values.get(self.alternative % n.max(1)).cloned();
            self.n_alternatives = self.n_alternatives.max(n);
            self.copy(value.as_ref().map_or(0, |value| value.text.len()));
            return value;
        }
        match name {
            "HOME" => Some(Text::known(self.reading.home.clone())),
            "PWD" => self.state.cwd.clone().map(Text::known),
            "XDG_STATE_HOME" => {
                let state = self.reading.user_state.as_deref()?.strip_suffix("/steersman")?;
                Some(Text::known(state))
            }
            "OLDPWD" => self.state.previous.clone().map(Text::known),
            "IFS" => Some(Text::known(" \t\n")),
            "TMPDIR" => Some(Text::known("/tmp")),
            "SHELL" => Some(Text::known("/bin/bash")),
            "0" => Some(Text::known("bash")),
            "#" => Some(Text::known(self.state.positional.len().to_string())),
            "CLAUDE_PROJECT_DIR" | "GITHUB_WORKSPACE" | "CI_PROJECT_DIR" | "WORKSPACE_FOLDER" => {
                Some(Text::known(self.reading.workspace.clone()))
            }
            digits if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
                let index: usize = digits.parse().ok()?;
                let in_script = !self.stack.is_empty();
                match self.state.positional.get(index.checked_sub(1)?) {
                    Some(value) => Some(value.clone()),
                    None => in_script.then(Text::default),
                }
            }
            _ => None,
        }
    }
}

/// `${list[@]:offset:length}`; `None` when the numbers are decided at run time.
fn part_of(list: Vec<Text>, slice: &str, first: usize) -> Option<Vec<Text>> {
    let (offset, length) =
        slice.split_once(':').map_or((slice, None), |(offset, length)| (offset, Some(length)));
    let offset: i64 = offset.trim().parse().ok()?;
    let skip = if offset < 0 {
        list.len().checked_sub(usize::try_from(-offset).ok()?)?
    } else {
        usize::try_from(offset).ok()?.saturating_sub(first)
    };
    let take = length.map_or(Some(list.len()), |length| length.trim().parse().ok())?;
    Some(list.into_iter().skip(skip).take(take).collect())
}

/// A name that says that its value is a secret.
fn taint_of_name(name: &str) -> Taint {
    if matches!(name, "RANDOM" | "$" | "SECONDS" | "BASHPID" | "PPID" | "?" | "!" | "LINENO" | "UID" | "EUID")
    {
        Taint::PRINTED
    } else {
        Taint::NONE
    }
}

/// Applies `#`, `%`, `/`, `:`, `^`, `,` and `@` to a known value.
fn edit(value: &str, operator: &str, argument: &Text) -> Option<Text> {
    let pattern = argument.value()?;
    let result = match operator {
        "#" | "##" => glob::strip_prefix(value, pattern, operator == "##").to_owned(),
        "%" | "%%" => glob::strip_suffix(value, pattern, operator == "%%").to_owned(),
        "/" | "//" | "/#" | "/%" => {
            let (from, to) = pattern.split_once('/').unwrap_or((pattern, ""));
            if from.is_empty() || from.contains(['*', '?', '[']) {
                return None;
            }
            match operator {
                "//" => value.replace(from, to),
                "/" => value.replacen(from, to, 1),
                "/#" => value.strip_prefix(from).map_or(value.to_owned(), |rest| format!("{to}{rest}")),
                _ => value.strip_suffix(from).map_or(value.to_owned(), |rest| format!("{rest}{to}")),
            }
        }
        "^^" => value.to_uppercase(),
        ",," => value.to_lowercase(),
        "^" | "," => {
            let mut characters = value.chars();
            let first = characters.next()?;
            let rest = characters.as_str();
            if operator == "^" {
                format!("{}{rest}", first.to_uppercase())
            } else {
                format!("{}{rest}", first.to_lowercase())
            }
        }
        ":" => {
            let (offset, length) =
                pattern.split_once(':').map_or((pattern, None), |(offset, length)| (offset, Some(length)));
            let n = value.chars().count();
            let offset: i64 = offset.trim().parse().ok()?;
            let start = if offset < 0 {
                n.checked_sub(usize::try_from(-offset).ok()?)?
            } else {
                usize::try_from(offset).ok()?
            };
            let take = match length {
                None => n,
                Some(length) => {
                    let length: i64 = length.trim().parse().ok()?;
                    if length < 0 {
                        n.checked_sub(start)?.checked_sub(usize::try_from(-length).ok()?)?
                    } else {
                        usize::try_from(length).ok()?
                    }
                }
            };
            value.chars().skip(start).take(take).collect()
        }
        "@" if matches!(pattern, "Q" | "E" | "P") => value.to_owned(),
        "@" if pattern == "U" => value.to_uppercase(),
        "@" if pattern == "L" => value.to_lowercase(),
        _ => return None,
    };
    Some(Text::known(result))
}
