//! Package registries.

use crate::class::{ALNUM, HEX, LOWER, URL64};
use crate::kind::{Kind, at_least, exactly, random, read, token};
use crate::npmrc;

pub(super) const KINDS: &[Kind] = &[
    token(
        "npm-token",
        &["npm_"],
        &[exactly(ALNUM, 36)],
        &["npm_{w36}", "//registry.npmjs.org/:_authToken=npm_{w36}"],
    )
    .but_not(&["npm_config_registry", "npm_lifecycle_event", "npm_package_json"]),
    read(
        "npm-registry-credential",
        &["/:_authToken", "/:_auth", "/:_password"],
        npmrc::credential,
        &[
            "//npm.host.org/:_authToken=MYTOKEN2",
            "//npm.host.org/:_auth = \"{w12}==\"",
            "//npm.host.org/repository/npm/:_password={w12}==",
        ],
    )
    .but_not(&[
        "//npm.host.org/:_authToken=${NPM_TOKEN}",
        "//npm.host.org/:_authToken=<token>",
        "//npm.host.org/:_authToken=",
        "//npm.host.org/:_auth=%AUTH%",
    ]),
    token(
        "pypi-token",
        &["pypi-AgEIcHlwaS5vcmc", "pypi-AgENdGVzdC5weXBpLm9yZw"],
        &[at_least(URL64, 50)],
        &["pypi-AgEIcHlwaS5vcmc{b140}", "pypi-AgENdGVzdC5weXBpLm9yZw{b140}"],
    ),
    random("crates-io-token", &["cio"], &[exactly(ALNUM, 32)], &["cio{w32}"]).but_not(&[
        "cio",
        "conciousness",
        "cio{w31}",
    ]),
    token("rubygems-key", &["rubygems_"], &[exactly(HEX, 48)], &["rubygems_{h48}"]),
    token("nuget-key", &["oy2"], &[exactly(LOWER, 43)], &["oy2{l43}"]),
    token(
        "docker-hub-token",
        &["dckr_pat_", "dckr_oat_"],
        &[at_least(URL64, 27)],
        &["dckr_pat_{b27}", "dckr_oat_{b32}"],
    ),
    token("clojars-token", &["CLOJARS_"], &[exactly(LOWER, 60)], &["CLOJARS_{l60}"]),
    token("packagist-token", &["packagist_"], &[at_least(ALNUM, 40)], &["packagist_{h68}"]),
    token("readme-key", &["rdme_"], &[exactly(LOWER, 70)], &["rdme_{l70}"]),
];
