//! Logs, metrics, errors, feature flags.

use crate::class::{ALNUM, BASE64, Class, HEX, HEX_ANY, UPPER, URL64};
use crate::kind::{Kind, UUID, at_least, exactly, then, token};

pub(super) const KINDS: &[Kind] = &[
    token(
        "new-relic-key",
        &["NRAK-", "NRIQ-", "NRRA-", "NRSP-", "NRJS-"],
        &[at_least(URL64, 19)],
        &["NRAK-{A27}", "NRIQ-{b32}", "NRJS-{h19}"],
    ),
    token("new-relic-insert-key", &["NRII-"], &[exactly(URL64, 32)], &["NRII-{b32}"]),
    token("new-relic-license", &["FFFFNRAL", "NRAL"], &[], &["{h36}FFFFNRAL"])
        .led_by(HEX_ANY, 32, 36)
        .but_not(&["NRAL"]),
    token(
        "grafana-service-account",
        &["glsa_"],
        &[exactly(ALNUM, 32), then("_"), exactly(HEX_ANY, 8)],
        &["glsa_{w32}_{h8}"],
    ),
    token("grafana-cloud-token", &["glc_"], &[at_least(BASE64, 32)], &["glc_eyJ{s120}="]),
    token("grafana-api-key", &["eyJrIjoi"], &[at_least(BASE64, 70)], &["eyJrIjoi{s80}"]),
    token(
        "sentry-org-token",
        &["sntrys_eyJ"],
        &[at_least(Class::of("A-Za-z0-9+/=_-"), 60)],
        &["sntrys_eyJ{s120}_{b43}"],
    ),
    token("sentry-user-token", &["sntryu_"], &[exactly(HEX, 64)], &["sntryu_{h64}"]),
    token(
        "dynatrace-token",
        &["dt0c01.", "dt0s01.", "dt0s16."],
        &[exactly(UPPER, 24), then("."), exactly(UPPER, 64)],
        &["dt0c01.{A24}.{A64}"],
    ),
    token(
        "honeycomb-key",
        &["hcaik_", "hcamk_", "hcbik_", "hcxik_", "hcalk_"],
        &[at_least(ALNUM, 32)],
        &["hcaik_{l58}"],
    ),
    token("logfire-token", &["pylf_v1_"], &[at_least(Class::of("A-Za-z0-9_"), 40)], &["pylf_v1_us_{w43}"]),
    token("posthog-personal-key", &["phx_"], &[at_least(ALNUM, 40)], &["phx_{w43}"]),
    token(
        "datadog-client-or-app-key",
        &["ddapp_", "ddpat_"],
        &[at_least(ALNUM, 32)],
        &["ddapp_{w34}", "ddpat_{w34}"],
    ),
    token("axiom-token", &["xaat-", "xapt-"], UUID, &["xaat-{h8}-{h4}-{h4}-{h4}-{h12}"]),
];
