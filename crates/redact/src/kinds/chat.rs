//! Chat, mail, telephone and social networks.

use crate::class::{ALNUM, Class, DIGIT, HEX, URL64, WORD};
use crate::kind::{Kind, at_least, between, exactly, random, then, token};

pub(super) const KINDS: &[Kind] = &[
    token(
        "slack-token",
        &[
            "xoxb-",
            "xoxp-",
            "xoxa-",
            "xoxo-",
            "xoxs-",
            "xoxr-",
            "xoxc-",
            "xoxd-",
            "xoxe-",
            "xoxe.xoxp-",
            "xoxe.xoxb-",
        ],
        &[at_least(Class::of("A-Za-z0-9%/-"), 12)],
        &[
            "xoxb-{d12}-{d13}-{w24}",
            "xoxp-{d11}-{d12}-{d12}-{h32}",
            "xoxe.xoxp-1-{w160}",
            "xoxs-{d10}-{d10}-{h20}",
        ],
    )
    .but_not(&["xoxb-your-token", "xoxb-xxxxxxxxxxxx-xxxx", "xoxo-love"]),
    token(
        "slack-app-token",
        &["xapp-"],
        &[exactly(DIGIT, 1), then("-"), at_least(Class::of("A-Za-z0-9-"), 20)],
        &["xapp-1-{A11}-{d13}-{h64}"],
    ),
    token(
        "slack-webhook",
        &["hooks.slack.com/services/", "hooks.slack.com/workflows/", "hooks.slack.com/triggers/"],
        &[at_least(Class::of("A-Za-z0-9+/"), 30)],
        &["https://hooks.slack.com/services/T{A8}/B{A8}/{w24}"],
    )
    .but_not(&["https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX"]),
    token(
        "discord-webhook",
        &["discord.com/api/webhooks/", "discordapp.com/api/webhooks/"],
        &[between(DIGIT, 15, 22), then("/"), at_least(URL64, 50)],
        &["https://discord.com/api/webhooks/{d18}/{b68}"],
    ),
    token(
        "discord-token",
        DISCORD,
        &[
            between(Class::of("A-Za-z0-9"), 20, 25),
            then("."),
            exactly(URL64, 6),
            then("."),
            between(URL64, 27, 40),
        ],
        &["MTA{w21}.{w6}.{b38}", "NDc{w21}.{w6}.{b27}"],
    )
    .but_not(&["MTAtext.and.more"]),
    token(
        "teams-webhook",
        &[".webhook.office.com/webhookb2/", "outlook.office.com/webhook/", "outlook.office365.com/webhook/"],
        &[at_least(Class::of("A-Za-z0-9@/-"), 80)],
        &[
            "https://acme.webhook.office.com/webhookb2/{h8}-{h4}-{h4}-{h4}-{h12}@{h8}-{h4}-{h4}-{h4}-{h12}/IncomingWebhook/{h32}/{h8}-{h4}-{h4}-{h4}-{h12}",
        ],
    ),
    token(
        "telegram-bot-token",
        &[":AA"],
        &[exactly(URL64, 33)],
        &["{d10}:AA{b33}", "https://api.telegram.org/bot{d9}:AA{b33}/getMe"],
    )
    .led_by(DIGIT, 5, 16)
    .but_not(&["12345678:AA{b12}", "10:AA"]),
    token(
        "twilio-api-key",
        &[
            "SK0", "SK1", "SK2", "SK3", "SK4", "SK5", "SK6", "SK7", "SK8", "SK9", "SKa", "SKb", "SKc", "SKd",
            "SKe", "SKf",
        ],
        &[exactly(HEX, 31)],
        &["SK{h32}"],
    )
    .but_not(&["SKU-{h32}", "SK{h31}"]),
    token(
        "sendgrid-key",
        &["SG."],
        &[between(URL64, 16, 32), then("."), between(URL64, 16, 64)],
        &["SG.{b22}.{b43}"],
    )
    .but_not(&["SG.1 release", "SG.module.name"]),
    token("mailgun-key", &["key-", "pubkey-"], &[exactly(HEX, 32)], &["key-{h32}", "pubkey-{h32}"])
        .but_not(&["key-value", "key-{h31}"]),
    token("mailchimp-key", &["-us"], &[between(DIGIT, 1, 2)], &["{h32}-us6", "{h32}-us20"])
        .led_by(HEX, 32, 32)
        .but_not(&["-us1", "{h30}-us6"]),
    token(
        "brevo-key",
        &["xkeysib-", "xsmtpsib-"],
        &[exactly(HEX, 64), then("-"), exactly(ALNUM, 16)],
        &["xkeysib-{h64}-{w16}"],
    ),
    token("resend-key", &["re_"], &[exactly(ALNUM, 8), then("_"), exactly(ALNUM, 24)], &["re_{w8}_{w24}"])
        .but_not(&["re_compile_pattern"]),
    token("facebook-token", &["EAACEdEose0cBA"], &[at_least(ALNUM, 20)], &["EAACEdEose0cBA{w60}"]),
    random(
        "facebook-access-token",
        &["EAAB", "EAAC", "EAAG", "EAAM", "EAAS"],
        &[at_least(ALNUM, 80)],
        &["EAAB{w150}"],
    ),
    token(
        "twitter-bearer",
        &["AAAAAAAAAAAAAAAAAAAAA"],
        &[at_least(Class::of("A-Za-z0-9%"), 60)],
        &["AAAAAAAAAAAAAAAAAAAAA{w20}%3D{w60}"],
    )
    .but_not(&[
        "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    ]),
    token("matrix-token", &["syt_"], &[at_least(WORD, 24)], &["syt_{w12}_{w20}_{w6}"]),
    token(
        "linkedin-secret",
        &["WPL_AP1."],
        &[at_least(Class::of("A-Za-z0-9.=/+"), 16)],
        &["WPL_AP1.{w16}.{w6}=="],
    ),
    token("twitch-token", &["oauth:"], &[exactly(Class::of("a-z0-9"), 30)], &["oauth:{l30}"])
        .but_not(&["oauth:authorize"]),
];

/// A bot's token begins with its id in base64. Ids are decimal, so only these begin one:
/// the first digit gives two letters, the second digit the third.
const DISCORD: &[&str] = &[
    "MDA", "MDE", "MDI", "MDM", "MDQ", "MDU", "MDY", "MDc", "MDg", "MDk", "MTA", "MTE", "MTI", "MTM", "MTQ",
    "MTU", "MTY", "MTc", "MTg", "MTk", "MjA", "MjE", "MjI", "MjM", "MjQ", "MjU", "MjY", "Mjc", "Mjg", "Mjk",
    "MzA", "MzE", "MzI", "MzM", "MzQ", "MzU", "MzY", "Mzc", "Mzg", "Mzk", "NDA", "NDE", "NDI", "NDM", "NDQ",
    "NDU", "NDY", "NDc", "NDg", "NDk", "NTA", "NTE", "NTI", "NTM", "NTQ", "NTU", "NTY", "NTc", "NTg", "NTk",
    "NjA", "NjE", "NjI", "NjM", "NjQ", "NjU", "NjY", "Njc", "Njg", "Njk", "NzA", "NzE", "NzI", "NzM", "NzQ",
    "NzU", "NzY", "Nzc", "Nzg", "Nzk", "ODA", "ODE", "ODI", "ODM", "ODQ", "ODU", "ODY", "ODc", "ODg", "ODk",
    "OTA", "OTE", "OTI", "OTM", "OTQ", "OTU", "OTY", "OTc", "OTg", "OTk",
];
