//! Cloud platforms.

use crate::aws;
use crate::class::{ALNUM, BASE64, Class, DOTTED, HEX, LOWER, UPPER, URL64};
use crate::kind::{Kind, at_least, between, exactly, random, read, token};

const PERCENT: Class = Class::of("A-Za-z0-9%+/=_-");
const AZURE: Class = Class::of("A-Za-z0-9_~.-");

pub(super) const KINDS: &[Kind] = &[
    read(
        "aws-access-key",
        &["AKIA", "ASIA", "ABIA", "ACCA"],
        aws::read,
        &["AKIA{A16}", "id ASIA{A16},{s40}", "\\nAKIA{A16}"],
    )
    .but_not(&[
        "AKIAIOSFODNN7EXAMPLE",
        "AKIAXXXXXXXXXXXXXXXX",
        "AKIA{A15}",
        "AKIA{A17}",
        "ASIAN MARKETS",
    ]),
    random(
        "aws-bedrock-key",
        &["ABSK"],
        &[between(BASE64, 80, 271)],
        &["ABSKQmVkcm9ja0FQSUtleS{w90}", "ABSK{w109}="],
    )
    .but_not(&["ABSK{w20}"]),
    token(
        "aws-bedrock-short-key",
        &["bedrock-api-key-"],
        &[at_least(BASE64, 60)],
        &["bedrock-api-key-YmVkcm9jay5hbWF6b25hd3MuY29t{w90}"],
    )
    .but_not(&["bedrock-api-key-rotation"]),
    token("adobe-client-secret", &["p8e-"], &[exactly(ALNUM, 32)], &["p8e-{w32}"]).but_not(&["p8e-{w12}"]),
    token(
        "aws-signature",
        &["Signature="],
        &[exactly(HEX, 64)],
        &["https://s3.example.org/k?X-Amz-Signature={h64}"],
    ),
    token("google-api-key", &["AIza"], &[exactly(URL64, 35)], &["AIza{b35}", "?key=AIza{b35}&x=1"])
        .but_not(&["AIza{b12}"]),
    token("google-oauth-token", &["ya29."], &[at_least(URL64, 20)], &["ya29.{b60}", "ya29.a0{b160}"]),
    token("google-client-secret", &["GOCSPX-"], &[exactly(URL64, 28)], &["GOCSPX-{b28}"]),
    random("google-refresh-token", &["1//0"], &[at_least(URL64, 36)], &["1//0{b60}"]),
    token("google-signature", &["X-Goog-Signature="], &[at_least(HEX, 64)], &["&X-Goog-Signature={h128}"]),
    token(
        "azure-client-secret",
        &["0Q~", "1Q~", "2Q~", "3Q~", "4Q~", "5Q~", "6Q~", "7Q~", "8Q~", "9Q~"],
        &[between(AZURE, 31, 34)],
        &["{w3}8Q~{w34}"],
    )
    .led_by(AZURE, 3, 3),
    token(
        "azure-shared-access-signature",
        &["&sig=", "?sig=", ";sig="],
        &[at_least(PERCENT, 40)],
        &["?sv=2022-11-02&sig={s43}%3D&se=2024"],
    )
    .but_not(&["?sig=short", "&sig=true"]),
    token("azure-devops-token", &["AZDO"], &[exactly(ALNUM, 4)], &["{w76}AZDO{w4}"]).led_by(ALNUM, 76, 76),
    token("alibaba-access-key", &["LTAI"], &[between(ALNUM, 17, 26)], &["LTAI{w20}"]).but_not(&["LTAIR"]),
    token("tencent-secret-id", &["AKID"], &[between(ALNUM, 32, 36)], &["AKID{w32}"]),
    token("yandex-api-key", &["AQVN"], &[between(URL64, 35, 38)], &["AQVN{b35}"]),
    token(
        "digitalocean-token",
        &["dop_v1_", "doo_v1_", "dor_v1_"],
        &[exactly(HEX, 64)],
        &["dop_v1_{h64}", "doo_v1_{h64}"],
    ),
    token("scaleway-key", &["SCW"], &[exactly(UPPER, 17)], &["SCW{A17}"]).but_not(&["SCW12"]),
    token("supabase-token", &["sbp_"], &[at_least(HEX, 40)], &["sbp_{h40}"]),
    token("supabase-secret-key", &["sb_secret_"], &[at_least(URL64, 20)], &["sb_secret_{b31}"]),
    token(
        "planetscale-token",
        &["pscale_tkn_", "pscale_pw_", "pscale_oauth_"],
        &[at_least(DOTTED, 32)],
        &["pscale_tkn_{b43}", "pscale_pw_{b43}"],
    ),
    token("databricks-token", &["dapi"], &[exactly(HEX, 32)], &["dapi{h32}", "dapi{h32}-2"])
        .but_not(&["dapi-client", "dapi{h31}"]),
    token(
        "snowflake-token",
        &["ver:1-hint:"],
        &[at_least(Class::of("A-Za-z0-9+/=-"), 40)],
        &["ver:1-hint:12345-{s80}"],
    ),
    token("neon-api-key", &["napi_"], &[at_least(LOWER, 40)], &["napi_{l64}"]),
    token("xata-key", &["xau_"], &[at_least(ALNUM, 24)], &["xau_{w32}"]),
    token(
        "tailscale-key",
        &["tskey-"],
        &[at_least(URL64, 20)],
        &["tskey-auth-{w16}-{w32}", "tskey-api-{w12}-{w24}"],
    ),
];
