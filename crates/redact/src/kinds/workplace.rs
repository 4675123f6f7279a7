//! Documents, designs, tickets, files.

use crate::class::{ALNUM, Class, HEX, PADDED, URL64};
use crate::kind::{Kind, UUID, at_least, exactly, random, then, token};

pub(super) const KINDS: &[Kind] = &[
    token(
        "linear-key",
        &["lin_api_", "lin_oauth_"],
        &[at_least(ALNUM, 40)],
        &["lin_api_{w40}", "lin_oauth_{h64}"],
    ),
    token("notion-token", &["ntn_"], &[at_least(ALNUM, 40)], &["ntn_{d11}{w35}"]),
    random("notion-secret", &["secret_"], &[exactly(ALNUM, 43)], &["secret_{w43}"])
        .but_not(&["secret_access_key", "secret_name_of_the_parameter_in_the_store"]),
    random(
        "airtable-token",
        &["pat"],
        &[exactly(ALNUM, 14), then("."), exactly(HEX, 64)],
        &["pat{w14}.{h64}"],
    )
    .but_not(&["path", "pattern.rs", "patch.{h64}"]),
    token("figma-token", &["figd_", "figu_", "figo_"], &[at_least(URL64, 36)], &["figd_{b40}"]),
    token("postman-key", &["PMAK-"], &[exactly(HEX, 24), then("-"), exactly(HEX, 34)], &["PMAK-{h24}-{h34}"]),
    token("postman-collection-key", &["PMAT-"], &[exactly(ALNUM, 26)], &["PMAT-{A26}"]),
    token("contentful-token", &["CFPAT-"], &[at_least(URL64, 43)], &["CFPAT-{b43}"]),
    token(
        "hubspot-token",
        &["pat-na1-", "pat-na2-", "pat-eu1-", "pat-ap1-"],
        UUID,
        &["pat-na1-{h8}-{h4}-{h4}-{h4}-{h12}"],
    ),
    random(
        "dropbox-token",
        &["sl.u.", "sl.B", "sl.A"],
        &[at_least(URL64, 120)],
        &["sl.B{b140}", "sl.u.{b300}"],
    ),
    token(
        "typeform-token",
        &["tfp_"],
        &[at_least(Class::of("A-Za-z0-9_.=-"), 40)],
        &["tfp_{w44}_{w14}", "tfp_{w20}={w38}"],
    ),
    token("frameio-token", &["fio-u-"], &[at_least(PADDED, 60)], &["fio-u-{b64}", "fio-u-{w20}={w43}"]),
    token("rootly-token", &["rootly_"], &[exactly(HEX, 64)], &["rootly_{h64}"]),
    token("adafruit-key", &["aio_"], &[exactly(ALNUM, 28)], &["aio_{w28}"])
        .but_not(&["aio_read_callback_for_the_file"]),
    token("scalingo-token", &["tk-us-"], &[exactly(URL64, 48)], &["tk-us-{b48}"]),
    token("intra42-secret", &["s-s4t2ud-", "s-s4t2af-"], &[exactly(HEX, 64)], &["s-s4t2ud-{h64}"]),
    token("okta-token", &["SSWS "], &[at_least(URL64, 40)], &["Authorization: SSWS 00{b40}"]),
    token("maxmind-key", &["_mmk"], &[], &["{w6}_{w29}_mmk"]).led_by(Class::of("A-Za-z0-9_"), 36, 36),
    token("lichess-token", &["lip_"], &[at_least(ALNUM, 20)], &["lip_{w20}"]),
    token(
        "asana-token",
        &["1/1"],
        &[at_least(Class::of("0-9"), 12), then(":"), exactly(HEX, 32)],
        &["1/1{d15}:{h32}"],
    ),
];
