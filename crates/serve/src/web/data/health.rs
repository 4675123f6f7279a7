//! Fills the page about the health of steersman itself.

use page::view::Health;

use super::super::Web;

/// Returns the health page.
pub(in crate::web) fn health(web: &Web) -> Health {
    let ts = store::now().as_millis();
    let runs = web.hook_runs.read(&web.workspace, ts);
    let snapshot = web.snapshots.get();
    let impeded = snapshot
        .automations
        .iter()
        .filter_map(|it| Some(format!("{}: {}", it.label, it.impediment.as_ref()?)));
    let paused = snapshot.paused.iter().map(|(id, why)| format!("{id} is paused: {why}"));
    let objection = snapshot.objection.iter().filter(|_| !snapshot.automations.is_empty()).cloned();
    let times = runs.times();
    Health {
        ts,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        activity: runs.activity(ts),
        n_hooks: times.n,
        p50_us: times.p50,
        p95_us: times.p95,
        longest_us: times.longest,
        out_of_time: runs.n_out_of_time(),
        modules: runs.modules(),
        faults: runs.faults(),
        doctor: web.doctor.latest(ts),
        problems: objection.chain(paused).chain(impeded).collect(),
    }
}
