//! Payment and shops.

use crate::class::{ALNUM, HEX, LOWER, PADDED, URL64};
use crate::kind::{Kind, UUID, at_least, between, exactly, random, then, token};

pub(super) const KINDS: &[Kind] = &[
    token(
        "stripe-key",
        &["sk_live_", "sk_test_", "rk_live_", "rk_test_", "sk_prod_", "rk_prod_"],
        &[at_least(ALNUM, 10)],
        &["sk_live_{w24}", "rk_live_{w24}", "sk_test_{w99}"],
    )
    .but_not(&["sk_test_mode", "sk_live_xxxxxxxxxxxxxxxxxxxxxxxx", "pk_live_{w24}"]),
    token("stripe-webhook-secret", &["whsec_"], &[at_least(ALNUM, 24)], &["whsec_{w32}"]),
    token(
        "square-token",
        &["sq0atp-", "sq0csp-", "sq0idp-"],
        &[at_least(URL64, 22)],
        &["sq0atp-{b22}", "sq0csp-{b43}"],
    ),
    random("square-access-token", &["EAAA"], &[at_least(URL64, 56)], &["EAAA{b60}"]),
    token(
        "braintree-token",
        &["access_token$production$", "access_token$sandbox$"],
        &[exactly(LOWER, 16), then("$"), exactly(HEX, 32)],
        &["access_token$production${l16}${h32}"],
    ),
    token(
        "shopify-token",
        &["shpat_", "shpca_", "shppa_", "shpss_"],
        &[exactly(HEX, 32)],
        &["shpat_{h32}", "shpss_{h32}"],
    ),
    token(
        "flutterwave-key",
        &["FLWSECK_TEST-", "FLWSECK-", "FLWPUBK_TEST-"],
        &[at_least(LOWER, 12)],
        &["FLWSECK_TEST-{h32}"],
    ),
    token("easypost-key", &["EZAK", "EZTK"], &[exactly(ALNUM, 54)], &["EZAK{w54}"]),
    token("shippo-token", &["shippo_live_", "shippo_test_"], &[exactly(HEX, 40)], &["shippo_live_{h40}"]),
    token(
        "plaid-token",
        &["access-sandbox-", "access-development-", "access-production-"],
        UUID,
        &["access-sandbox-{h8}-{h4}-{h4}-{h4}-{h12}"],
    ),
    token(
        "duffel-token",
        &["duffel_live_", "duffel_test_"],
        &[exactly(PADDED, 43)],
        &["duffel_live_{b43}", "duffel_test_{w20}={w22}"],
    ),
    token("lob-key", &["live_pub_", "test_pub_"], &[exactly(HEX, 31)], &["live_pub_{h31}"]),
    token("razorpay-key", &["rzp_live_", "rzp_test_"], &[between(ALNUM, 14, 24)], &["rzp_live_{w14}"]),
    token(
        "paddle-key",
        &["pdl_live_apikey_", "pdl_sdbx_apikey_"],
        &[at_least(crate::class::WORD, 40)],
        &["pdl_live_apikey_{l26}_{w22}_{w3}"],
    ),
];
