//! Services for developers: search, analytics, scraping, notifications, test devices.

use crate::class::{ALNUM, BASE64, Class, DIGIT, HEX, LOWER, UPPER, URL64};
use crate::kind::{Kind, UUID, at_least, between, exactly, random, then, token};

pub(super) const KINDS: &[Kind] = &[
    token(
        "authress-key",
        &["sc_", "ext_", "scauth_", "authress_"],
        &[
            between(LOWER, 5, 30),
            then("."),
            between(LOWER, 4, 6),
            then(".acc"),
            exactly(Class::of("_-"), 1),
            between(Class::of("a-z0-9-"), 10, 32),
            then("."),
            between(Class::of("A-Za-z0-9+/_=-"), 30, 120),
        ],
        &["sc_{l10}.{l5}.acc_{l12}.{b40}"],
    )
    .but_not(&["ext_module.name.account.value"]),
    token(
        "defined-networking-key",
        &["dnkey-"],
        &[exactly(Class::of("A-Za-z0-9=_-"), 26), then("-"), exactly(Class::of("A-Za-z0-9=_-"), 52)],
        &["dnkey-{l26}-{l52}"],
    ),
    token("gitlab-session", &["_gitlab_session="], &[exactly(LOWER, 32)], &["_gitlab_session={l32}"]),
    random("encoded-web-token", &["ZXlK"], &[at_least(Class::of("A-Za-z0-9+/=_-"), 60)], &["ZXlK{w120}"])
        .but_not(&["ZXlK{w20}"]),
    random("lob-secret-key", &["live_", "test_"], &[exactly(HEX, 35)], &["live_{h35}", "test_{h35}"])
        .but_not(&["test_parses_the_whole_file", "live_{h20}"]),
    token("openshift-token", &["sha256~"], &[exactly(URL64, 43)], &["sha256~{b43}"]),
    token(
        "settlemint-token",
        &["sm_aat_", "sm_pat_", "sm_sat_"],
        &[exactly(ALNUM, 16)],
        &["sm_aat_{w16}", "sm_pat_{w16}"],
    ),
    token(
        "sidekiq-secret",
        &["CONTRIBSYS__COM=", "CONTRIBSYS__COM: ", "CONTRIBSYS__COM=\"", "CONTRIBSYS__COM='"],
        &[exactly(HEX, 8), then(":"), exactly(HEX, 8)],
        &["BUNDLE_ENTERPRISE__CONTRIBSYS__COM={h8}:{h8}"],
    ),
    random("clickhouse-key", &["4b1d"], &[exactly(ALNUM, 38)], &["4b1d{w38}"]).but_not(&["4b1d{h36}"]),
    token(
        "clickup-token",
        &["pk_"],
        &[between(DIGIT, 6, 8), then("_"), exactly(UPPER, 32)],
        &["pk_{d7}_{A32}"],
    )
    .but_not(&["pk_test", "pk_{d7}"]),
    token("klaviyo-key", &["pk_"], &[exactly(HEX, 34)], &["pk_{h34}"]).but_not(&["pk_live_{w24}"]),
    token("runpod-key", &["rpa_"], &[at_least(UPPER, 36)], &["rpa_{A46}"]),
    token("spectral-key", &["spu-"], &[exactly(HEX, 32)], &["spu-{h32}"]),
    token("ubidots-token", &["BBFF-", "BBUS-"], &[at_least(ALNUM, 30)], &["BBFF-{w30}"]),
    token("wakatime-key", &["waka_"], UUID, &["waka_{h8}-{h4}-{h4}-{h4}-{h12}"]),
    token("apify-token", &["apify_api_"], &[at_least(ALNUM, 30)], &["apify_api_{w36}"]),
    token("e2b-key", &["e2b_"], &[exactly(HEX, 40)], &["e2b_{h40}"]),
    token("plane-key", &["plane_api_"], &[exactly(HEX, 32)], &["plane_api_{h32}"]),
    token("zoho-token", &["1000."], &[exactly(HEX, 32), then("."), exactly(HEX, 32)], &["1000.{h32}.{h32}"])
        .but_not(&["1000.50"]),
    token(
        "softlayer-address",
        &["softlayer.com/soap/v3/", "softlayer.com/soap/v3.1/"],
        &[exactly(LOWER, 64)],
        &["http://api.softlayer.com/soap/v3.1/{h64}"],
    ),
    token(
        "devcycle-key",
        &["dvc_server_", "dvc_client_"],
        &[at_least(URL64, 32)],
        &["dvc_server_{w32}_{h7}"],
    ),
    token(
        "ory-token",
        &["ory_at_", "ory_rt_", "ory_pat_", "ory_apikey_"],
        &[at_least(Class::of("A-Za-z0-9_.-"), 24)],
        &["ory_at_{b43}.{b43}"],
    ),
    token("unkey-root-key", &["unkey_"], &[at_least(ALNUM, 20)], &["unkey_{w22}"]).but_not(&["unkey_rows"]),
    token("val-town-token", &["vtwn_"], &[at_least(ALNUM, 24)], &["vtwn_{w28}"]),
    token("turso-token", &["tur_"], &[at_least(ALNUM, 32)], &["tur_{w40}"]),
    token(
        "depot-token",
        &["depot_org_", "depot_user_", "depot_project_"],
        &[at_least(ALNUM, 32)],
        &["depot_org_{h64}"],
    ),
    token("mergify-key", &["mka_"], &[at_least(BASE64, 40)], &["mka_{s60}"]),
    token(
        "onfido-token",
        &["api_live.", "api_sandbox.", "api_live_us.", "api_live_ca."],
        &[at_least(Class::of("A-Za-z0-9_.-"), 30)],
        &["api_live.{b11}.{b32}"],
    ),
    token("nightfall-key", &["NF-"], &[exactly(ALNUM, 32)], &["NF-{w32}"]).but_not(&["NF-SERIES"]),
];
