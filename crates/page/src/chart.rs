//! Charts as inline SVG without styles of their own: classes carry the colours, so that dark mode and the content
//! security policy hold.

use std::fmt::Write;

use maud::{Markup, html};

use crate::moment;
use crate::view::{Activity, AutomationRow, Bucket};

const WIDTH: u64 = 720;
const HEIGHT: u64 = 120;

/// Draws the calls of each bucket as a bar: denied at the bottom, asked above, passed on top.
pub(crate) fn calls(activity: &Activity) -> Markup {
    let (passed, asked, denied) = activity.sums();
    let highest = activity.buckets.iter().map(Bucket::calls).max().unwrap_or(0).max(1);
    let label = format!("{passed} calls passed, {asked} asked about, {denied} denied");
    html! {
        figure.chart {
            figcaption {
                "Tool calls"
                span.key.passed { (passed) " passed" }
                span.key.asked { (asked) " asked" }
                span.key.denied { (denied) " denied" }
            }
            (top(&highest.to_string()))
            svg viewBox=(view_box()) role="img" aria-label=(label) preserveAspectRatio="none" {
                (grid())
                @for (index, bucket) in activity.buckets.iter().enumerate() {
                    @let (x, width) = place(index, activity.buckets.len());
                    @let heights = [bucket.denied, bucket.asked, bucket.passed].map(|n| scaled(n, highest));
                    @let tops = stacked(heights);
                    @if bucket.calls() > 0 {
                        g {
                            title { (tip(bucket)) }
                            rect.denied x=(x) width=(width) y=(tops[0]) height=(heights[0]) {}
                            rect.asked x=(x) width=(width) y=(tops[1]) height=(heights[1]) {}
                            rect.passed x=(x) width=(width) y=(tops[2]) height=(heights[2]) {}
                        }
                    }
                }
            }
            (times(activity))
        }
    }
}

/// Draws the median time of a hook as an area and the 95th percentile as a line.
pub(crate) fn latency(activity: &Activity) -> Markup {
    let highest = activity.buckets.iter().map(|it| it.p95_us).max().unwrap_or(0).max(1);
    let n = activity.buckets.len();
    let mut area = String::new();
    let mut line = String::new();
    for (index, bucket) in activity.buckets.iter().enumerate() {
        let (x, width) = place(index, n);
        let y = |us: u64| HEIGHT - scaled(us, highest);
        let _ = write!(area, "M{x} {HEIGHT}V{}h{width}V{HEIGHT}z", y(bucket.p50_us));
        if bucket.p95_us > 0 {
            let _ = write!(line, "M{x} {}h{width}", y(bucket.p95_us));
        }
    }
    html! {
        figure.chart {
            figcaption {
                "Time of a hook"
                span.key.median { "median" }
                span.key.p95 { "95th percentile" }
            }
            (top(&moment::micros(highest)))
            svg viewBox=(view_box()) role="img" preserveAspectRatio="none"
                aria-label={ "Times of hooks, at most " (moment::micros(highest)) " at the 95th percentile" } {
                (grid())
                path.median d=(area) {}
                path.p95 d=(line) {}
            }
            (times(activity))
        }
    }
}

/// Draws the prompts that approvals saved, as a bar for each bucket.
pub(crate) fn saved_prompts(activity: &Activity) -> Markup {
    let highest = activity.buckets.iter().map(|it| it.approved).max().unwrap_or(0).max(1);
    let n = activity.approved();
    if n == 0 {
        return html! {
            figure.chart {
                figcaption { "Saved prompts" }
                p.none { "steersman approved no call for you in this time." }
            }
        };
    }
    html! {
        figure.chart {
            figcaption { "Saved prompts" span.key.passed { (n) @if n == 1 { " call" } @else { " calls" } " approved for you" } }
            (top(&highest.to_string()))
            svg viewBox=(view_box()) role="img" aria-label={ (n) " prompts saved" } preserveAspectRatio="none" {
                (grid())
                @for (index, bucket) in activity.buckets.iter().enumerate().filter(|(_, it)| it.approved > 0) {
                    @let (x, width) = place(index, activity.buckets.len());
                    @let height = scaled(bucket.approved, highest);
                    g {
                        title { (moment::minute(bucket.ts)) ": " (bucket.approved) " saved" }
                        rect.passed x=(x) width=(width) y=(HEIGHT - height) height=(height) {}
                    }
                }
            }
            (times(activity))
        }
    }
}

/// How many automations a chart shows.
const MAX_BARS: usize = 12;

/// Draws the number of runs of the automations, those with the most first.
pub(crate) fn runs(automations: &[AutomationRow]) -> Markup {
    let mut most: Vec<&AutomationRow> = automations.iter().filter(|it| it.n_runs > 0).collect();
    most.sort_by_key(|it| std::cmp::Reverse(it.n_runs));
    most.truncate(MAX_BARS);
    let highest = most.first().map_or(1, |it| it.n_runs.max(1));
    html! {
        figure.chart {
            figcaption { "Runs per automation" }
            dl.bars {
                @for it in most {
                    dt { (it.label) }
                    dd {
                        svg viewBox="0 0 300 10" preserveAspectRatio="none" aria-hidden="true" {
                            rect.passed width=((it.n_runs * 300).div_ceil(highest)) height="10" rx="2" {}
                        }
                        span { (it.n_runs) }
                    }
                }
            }
        }
    }
}

/// Draws the statuses of the latest runs as a row of ticks.
pub(crate) fn ticks(statuses: &[String]) -> Markup {
    html! {
        span.ticks role="img" aria-label={ "Latest runs: " (statuses.join(", ")) } {
            @for status in statuses {
                span class={ "tick " (status) } title=(status) {}
            }
        }
    }
}

fn view_box() -> String {
    format!("0 0 {WIDTH} {}", HEIGHT + 2)
}

/// Names the value of the top line. Outside of the drawing, which is stretched to the width of the page.
fn top(highest: &str) -> Markup {
    html! { div.top aria-hidden="true" { (highest) } }
}

fn grid() -> Markup {
    html! {
        line.grid x1="0" x2=(WIDTH) y1="1" y2="1" {}
        line.grid x1="0" x2=(WIDTH) y1=(HEIGHT / 2) y2=(HEIGHT / 2) {}
        line.grid x1="0" x2=(WIDTH) y1=(HEIGHT) y2=(HEIGHT) {}
    }
}

fn times(activity: &Activity) -> Markup {
    let (first, last) = (activity.buckets.first(), activity.buckets.last());
    let middle = activity.buckets.get(activity.buckets.len() / 2);
    html! {
        div.axis aria-hidden="true" {
            @for bucket in [first, middle, last].into_iter().flatten() {
                span { (moment::minute(bucket.ts)) }
            }
        }
    }
}

fn tip(bucket: &Bucket) -> String {
    let Bucket { ts, passed, asked, denied, .. } = bucket;
    format!("{}: {passed} passed, {asked} asked, {denied} denied", moment::minute(*ts))
}

/// Returns the left edge and the width of a bar.
fn place(index: usize, n: usize) -> (u64, u64) {
    let n = u64::try_from(n).unwrap_or(1).max(1);
    let index = u64::try_from(index).unwrap_or(0);
    let (left, right) = (index * WIDTH / n, (index + 1) * WIDTH / n);
    (left, (right - left).saturating_sub(1).max(1))
}

/// Returns the height of a value; a value above zero is visible.
fn scaled(value: u64, highest: u64) -> u64 {
    let height = value * (HEIGHT - 1) / highest;
    if value > 0 { height.max(2) } else { 0 }
}

fn stacked(heights: [u64; 3]) -> [u64; 3] {
    let mut top = HEIGHT;
    heights.map(|height| {
        top = top.saturating_sub(height);
        top
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn activity() -> Activity {
        let bucket =
            |ts, passed, denied| Bucket { ts, passed, denied, p50_us: 400, p95_us: 900, ..Bucket::default() };
        Activity {
            bucket_ms: 300_000,
            buckets: vec![bucket(0, 10, 0), bucket(300_000, 5, 5), bucket(600_000, 0, 0)],
        }
    }

    #[test]
    fn bars_are_stacked_on_the_base_line_and_empty_buckets_have_none() {
        let svg = calls(&activity()).into_string();
        assert_eq!(svg.matches("<g>").count(), 2);
        assert!(svg.contains("15 calls passed, 0 asked about, 5 denied"), "{svg}");
        let [denied, asked, passed] = stacked([scaled(5, 10), 0, scaled(5, 10)]);
        assert!(denied == asked && passed < denied && denied < HEIGHT);
    }

    #[test]
    fn no_chart_has_a_style_attribute_which_the_policy_would_refuse() {
        let all = calls(&activity()).into_string()
            + &latency(&activity()).into_string()
            + &latency(&Activity::default()).into_string()
            + &saved_prompts(&activity()).into_string()
            + &ticks(&["failed".to_owned()]).into_string();
        assert!(!all.contains("style="));
    }

    #[test]
    fn small_values_stay_visible() {
        assert_eq!((scaled(1, 100_000), scaled(0, 9)), (2, 0));
    }
}
