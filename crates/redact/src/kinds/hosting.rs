//! Hosting of sites, functions and domains.

use crate::class::{ALNUM, Class, HEX, URL64};
use crate::kind::{Kind, at_least, exactly, then, token};

pub(super) const KINDS: &[Kind] = &[
    token(
        "heroku-key",
        &["HRKU-"],
        &[at_least(URL64, 36)],
        &["HRKU-{h8}-{h4}-{h4}-{h4}-{h12}", "HRKU-AA{b58}"],
    ),
    token(
        "cloudflare-origin-key",
        &["v1.0-"],
        &[exactly(HEX, 24), then("-"), exactly(HEX, 146)],
        &["v1.0-{h24}-{h146}"],
    )
    .but_not(&["v1.0-beta"]),
    token("cloudflare-token", &["cfut_", "cfat_", "cfk_"], &[at_least(URL64, 40)], &["cfut_{w40}{h8}"]),
    token(
        "fly-token",
        &["fo1_", "fm1r_", "fm1a_", "fm2_"],
        &[at_least(Class::of("A-Za-z0-9+/=_-"), 40)],
        &["fo1_{b43}", "FlyV1 fm2_{s200}"],
    ),
    token("vercel-token", &["vcp_", "vci_", "vca_", "vcr_", "vck_"], &[at_least(ALNUM, 24)], &["vcp_{w56}"]),
    token("vercel-blob-token", &["vercel_blob_rw_"], &[at_least(URL64, 30)], &["vercel_blob_rw_{w16}_{w30}"]),
    token("netlify-token", &["nfp_", "nfc_", "nfu_", "nfo_", "nfb_"], &[at_least(ALNUM, 36)], &["nfp_{w36}"]),
    token("render-key", &["rnd_"], &[exactly(ALNUM, 28)], &["rnd_{w28}"])
        .but_not(&["rnd_seed_for_the_test_run"]),
    token("deno-deploy-token", &["ddp_", "ddw_"], &[exactly(ALNUM, 36)], &["ddp_{w36}"]),
    token(
        "mapbox-secret-token",
        &["sk.eyJ"],
        &[at_least(URL64, 40), then("."), at_least(URL64, 20)],
        &["sk.eyJ{b80}.{b22}"],
    ),
];
