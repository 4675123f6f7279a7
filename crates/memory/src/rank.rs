//! Ranks lessons by how often and how recently they occurred.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::lesson::Lesson;
use super::{Candidate, Experience, ExperienceKind, LessonKind};

const DAY_MS: f64 = 24.0 * 3600.0 * 1000.0;

/// The section `memory-journal` of `config.json`: the ranking of lessons.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct Ranking {
    /// After this many days an occurrence counts half.
    pub half_life_days: u32,
    /// How many lessons `candidates.json` lists.
    pub max_candidates: usize,
}

impl Default for Ranking {
    fn default() -> Self {
        Self { half_life_days: 14, max_candidates: 100 }
    }
}

/// How many runs a candidate lists as evidence.
const EVIDENCE: usize = 5;

/// Returns the lessons of these experiences, the highest score first, without those of `known` ids.
pub(super) fn rank(
    experiences: &[Experience],
    now: u64,
    known: &BTreeSet<String>,
    ranking: &Ranking,
) -> Vec<Candidate> {
    let fixed = fixed_failures(experiences);
    let mut seen = BTreeSet::new();
    let mut gathered: BTreeMap<String, LessonTally<'_>> = BTreeMap::new();
    for it in experiences {
        let Some(lesson) = Lesson::of(it) else { continue };
        let was_fixed = lesson.kind == LessonKind::Failure
            && fixed.contains(&(it.session_id.as_str(), it.tool.as_str(), it.subject.as_str()));
        // Two runs that end a turn at the same time may have recorded the same experience twice.
        let is_new = seen.insert((lesson.id.clone(), &it.session_id, &it.hook_run_id));
        if was_fixed || !is_new || known.contains(&lesson.id) {
            continue;
        }
        gathered.entry(lesson.id.clone()).or_default().add(it, lesson);
    }
    let half_life = DAY_MS * f64::from(ranking.half_life_days.max(1));
    let mut ranked: Vec<_> = gathered.into_values().filter_map(|it| it.finish(now, half_life)).collect();
    ranked.sort_by(|one, other| {
        other.score.total_cmp(&one.score).then(other.last_ts.cmp(&one.last_ts)).then(one.id.cmp(&other.id))
    });
    ranked
}

/// Returns the failures that succeeded later in the same session.
fn fixed_failures(experiences: &[Experience]) -> BTreeSet<(&str, &str, &str)> {
    let worked = |it: &&Experience| matches!(it.kind, ExperienceKind::Fixed | ExperienceKind::Tried);
    let key = |it: &'_ Experience| (it.session_id.clone(), it.tool.clone(), it.subject.clone());
    let mut last_worked: BTreeMap<_, u64> = BTreeMap::new();
    for it in experiences.iter().filter(worked) {
        let last = last_worked.entry(key(it)).or_default();
        *last = it.ts.max(*last);
    }
    let is_fixed = |it: &&Experience| last_worked.get(&key(it)).is_some_and(|last| *last >= it.ts);
    let failed = experiences.iter().filter(|it| it.kind == ExperienceKind::Failed).filter(is_fixed);
    failed.map(|it| (it.session_id.as_str(), it.tool.as_str(), it.subject.as_str())).collect()
}

/// All occurrences of one lesson.
#[derive(Default)]
struct LessonTally<'a> {
    times: Vec<(u64, &'a Experience)>,
    /// The lesson of the latest occurrence.
    last: Option<Lesson>,
    paths: BTreeSet<String>,
}

impl<'a> LessonTally<'a> {
    fn add(&mut self, it: &'a Experience, lesson: Lesson) {
        self.paths.extend(lesson.paths.iter().cloned());
        if self.times.iter().all(|(ts, _)| *ts <= it.ts) {
            self.last = Some(lesson);
        }
        self.times.push((it.ts, it));
    }

    fn finish(mut self, now: u64, half_life: f64) -> Option<Candidate> {
        self.times.sort_by_key(|(ts, _)| std::cmp::Reverse(*ts));
        let last = self.last?;
        let mut per_session: BTreeMap<&str, u32> = BTreeMap::new();
        let mut score = 0.0;
        for (ts, it) in &self.times {
            let nth = per_session.entry(&it.session_id).or_default();
            *nth += 1;
            #[expect(clippy::cast_precision_loss, reason = "an age in milliseconds fits a float well enough")]
            let age = now.saturating_sub(*ts) as f64;
            score += 0.5_f64.powf(age / half_life) / f64::from(*nth);
        }
        let evidence = self.times.iter().take(EVIDENCE);
        Some(Candidate {
            id: last.id,
            kind: last.kind,
            title: last.title,
            lesson: last.text,
            paths: self.paths.into_iter().take(20).collect(),
            words: last.words,
            times: self.times.len() as u64,
            sessions: per_session.len() as u64,
            first_ts: self.times.last()?.0,
            last_ts: self.times.first()?.0,
            score: (score * 1000.0).round() / 1000.0,
            evidence: evidence.map(|(_, it)| format!("{}/{}", it.session_id, it.hook_run_id)).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: u64 = 24 * 3600 * 1000;

    fn learned(session: &str, ts: u64, kind: ExperienceKind, subject: &str) -> Experience {
        Experience {
            v: 1,
            ts,
            hook_run_id: format!("PostToolUse-1-{ts}"),
            session_id: session.into(),
            work_id: "w001".into(),
            agent_id: "u00".into(),
            turn_id: 1,
            kind,
            tool: "Bash".into(),
            subject: subject.into(),
            text: "exit 1".into(),
            by: None,
            worked: None,
            paths: Vec::new(),
        }
    }

    fn ranked(experiences: &[Experience]) -> Vec<(String, u64, u64, f64)> {
        let ranked = rank(experiences, 100 * DAY, &BTreeSet::new(), &Ranking::default());
        ranked.into_iter().map(|it| (it.title, it.times, it.sessions, it.score)).collect()
    }

    #[test]
    fn other_sessions_count_more_than_repetition_and_today_more_than_long_ago() {
        use ExperienceKind::Failed;
        let now = 100 * DAY;
        let experiences = [
            learned("a", now - 28 * DAY, Failed, "old"),
            learned("a", now, Failed, "loop"),
            learned("a", now - 1, Failed, "loop"),
            learned("a", now - 2, Failed, "loop"),
            learned("a", now, Failed, "wide"),
            learned("b", now, Failed, "wide"),
        ];
        let expected = [("wide", 2, 2, 2.0), ("loop", 3, 1, 1.833), ("old", 1, 1, 0.25)];
        let expected = expected
            .map(|(name, times, sessions, score)| (format!("`{name}` fails here"), times, sessions, score));
        assert_eq!(ranked(&experiences), expected);
    }

    #[test]
    fn a_failure_that_was_fixed_in_its_session_is_a_fix_and_no_failure() {
        use ExperienceKind::{Failed, Fixed};
        let experiences =
            [learned("a", 1, Failed, "x"), learned("a", 2, Fixed, "x"), learned("b", 3, Failed, "x")];
        let titles: Vec<_> = ranked(&experiences).into_iter().map(|it| (it.0, it.1)).collect();
        assert_eq!(
            titles,
            [("`x` fails here".to_owned(), 1), ("`x` may work the second time".to_owned(), 1)]
        );
    }

    #[test]
    fn the_same_run_told_twice_counts_once_and_what_is_known_is_left_out() {
        let twice =
            [learned("a", 1, ExperienceKind::Failed, "x"), learned("a", 1, ExperienceKind::Failed, "x")];
        assert_eq!(ranked(&twice)[0].1, 1);
        let id = Lesson::id_of_failure(&twice[0]);
        assert_eq!(rank(&twice, 2, &BTreeSet::from([id]), &Ranking::default()), []);
    }
}
