//! Code hosts, continuous integration and infrastructure as code.

use crate::class::{ALNUM, Class, HEX, PADDED, URL64, WORD};
use crate::kind::{Kind, UUID, at_least, exactly, random, then, token};

pub(super) const KINDS: &[Kind] = &[
    token(
        "github-token",
        &["ghp_", "gho_", "ghu_", "ghs_", "ghr_"],
        &[at_least(ALNUM, 36)],
        &["ghp_{w36}", "gho_{w36}", "ghu_{w36}", "ghs_{w36}", "ghr_{w76}"],
    )
    .but_not(&["ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "ghp_your_token_here", "ghp_{w10}"]),
    token("github-fine-grained-token", &["github_pat_"], &[at_least(WORD, 36)], &["github_pat_{w22}_{w59}"])
        .but_not(&["github_pat_token_for_the_release_job_x"]),
    token(
        "gitlab-token",
        &[
            "glpat-", "gldt-", "glrt-", "glptt-", "glft-", "glsoat-", "glcbt-", "glimt-", "glagent-",
            "gloas-", "glffct-",
        ],
        &[at_least(Class::of("A-Za-z0-9_.-"), 20)],
        &["glpat-{b20}", "gldt-{b20}", "glrt-{b20}", "glagent-{b50}", "glpat-{b27}.01.{l9}"],
    ),
    token("gitlab-runner-registration-token", &["GR1348941"], &[exactly(URL64, 20)], &["GR1348941{b20}"]),
    token(
        "atlassian-token",
        &["ATATT3", "ATCTT3", "ATSTT3"],
        &[at_least(Class::of("A-Za-z0-9_=-"), 60)],
        &["ATATT3{b180}={X8}", "ATCTT3{b180}"],
    ),
    token("bitbucket-app-password", &["ATBB"], &[exactly(ALNUM, 32)], &["ATBB{w32}"]),
    token(
        "terraform-cloud-token",
        &[".atlasv1."],
        &[at_least(PADDED, 60)],
        &["{w14}.atlasv1.{b67}", "{w14}.atlasv1.{w20}={w44}"],
    )
    .led_by(ALNUM, 14, 14),
    token(
        "vault-token",
        &["hvs.", "hvb.", "hvr."],
        &[at_least(URL64, 24)],
        &["hvs.{b90}", "hvb.{b140}", "hvs.{w24}"],
    ),
    token(
        "doppler-token",
        &["dp.pt.", "dp.st.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit."],
        &[at_least(Class::of("A-Za-z0-9_."), 40)],
        &["dp.pt.{w43}", "dp.st.prd.{w43}", "dp.audit.{w43}"],
    ),
    token(
        "onepassword-service-account",
        &["ops_eyJ"],
        &[at_least(Class::of("A-Za-z0-9+/=_-"), 80)],
        &["ops_eyJ{b250}"],
    ),
    token(
        "onepassword-secret-key",
        &["A3-"],
        &[exactly(Class::of("A-Z0-9"), 6), then("-"), at_least(Class::of("A-Z0-9-"), 27)],
        &["A3-{A6}-{A6}-{A5}-{A5}-{A5}-{A5}"],
    )
    .but_not(&["A3-SIZE PAPER"]),
    token("pulumi-token", &["pul-"], &[exactly(HEX, 40)], &["pul-{h40}"]),
    token("buildkite-token", &["bkua_", "bkaj_", "bkct_"], &[at_least(ALNUM, 32)], &["bkua_{h40}"]),
    token(
        "circleci-token",
        &["CCIPAT_", "CCIPRJ_"],
        &[at_least(Class::of("A-Za-z0-9_"), 40)],
        &["CCIPAT_{w22}_{h40}"],
    ),
    token("sonar-token", &["squ_", "sqp_", "sqa_"], &[exactly(HEX, 40)], &["squ_{h40}", "sqp_{h40}"]),
    token("jfrog-api-key", &["AKCp"], &[at_least(ALNUM, 60)], &["AKCp{w69}"]),
    random("jfrog-reference-token", &["cmVmd"], &[exactly(ALNUM, 59)], &["cmVmdGtuO{w55}"]),
    token("prefect-key", &["pnu_", "pnb_"], &[at_least(ALNUM, 36)], &["pnu_{w36}"]),
    token("infracost-key", &["ico-"], &[exactly(ALNUM, 32)], &["ico-{w32}"]),
    token("octopus-key", &["API-"], &[exactly(Class::of("A-Z0-9"), 26)], &["API-{A26}"])
        .but_not(&["API-ONLY", "API-{w26}x"]),
    token(
        "harness-token",
        &["pat.", "sat."],
        &[exactly(URL64, 22), then("."), exactly(HEX, 24), then("."), exactly(ALNUM, 20)],
        &["pat.{w22}.{h24}.{w20}"],
    ),
    token("sourcegraph-token", &["sgp_"], &[at_least(WORD, 40)], &["sgp_{h40}", "sgp_{h16}_{h40}"]),
    token("launchdarkly-key", &["sdk-", "api-", "mob-"], UUID, &["sdk-{h8}-{h4}-{h4}-{h4}-{h12}"])
        .but_not(&["api-gateway", "sdk-tools"]),
];
