//! Providers of language models, and services that agents use.

use crate::class::{ALNUM, Class, HEX, LOWER, URL64, WORD};
use crate::kind::{Kind, at_least, between, exactly, random, then, token};

pub(super) const KINDS: &[Kind] = &[
    token(
        "anthropic-key",
        &["sk-ant-"],
        &[at_least(URL64, 20)],
        &["sk-ant-api03-{b93}AA", "sk-ant-admin01-{b93}AA", "sk-ant-oat01-{b93}"],
    )
    .but_not(&["sk-ant-xxxxxxxxxxxxxxxxxxxxxxxx", "sk-ant-...", "sk-ant-your-key-goes-in-here"]),
    token(
        "openai-key",
        &["sk-proj-", "sk-svcacct-", "sk-admin-", "sk-None-"],
        &[at_least(URL64, 20)],
        &["sk-proj-{b48}T3BlbkFJ{b48}", "sk-svcacct-{b60}", "sk-proj-{w48}"],
    ),
    random(
        "openai-style-key",
        &["sk-"],
        &[at_least(URL64, 20)],
        &[
            "sk-{w48}",
            "sk-{w20}T3BlbkFJ{w20}",
            "sk-or-v1-{h64}",
            "sk-lf-{h8}-{h4}-{h4}-{h4}-{h12}",
            "sk-{h32}",
        ],
    )
    .but_not(&[
        "sk-folding-cube-loading-indicator",
        "task-management-of-the-year",
        "sk-circle12 sk-circle",
        "sk-your-openai-api-key-here",
    ]),
    token("huggingface-token", &["hf_", "api_org_"], &[at_least(ALNUM, 30)], &["hf_{w34}", "api_org_{w34}"])
        .but_not(&["hf_hub_download", "hf_model"]),
    token("groq-key", &["gsk_"], &[at_least(ALNUM, 40)], &["gsk_{w52}"]),
    token("replicate-token", &["r8_"], &[at_least(ALNUM, 36)], &["r8_{w37}"]),
    token("xai-key", &["xai-"], &[at_least(ALNUM, 60)], &["xai-{w80}"]),
    token("perplexity-key", &["pplx-"], &[at_least(ALNUM, 40)], &["pplx-{w48}", "pplx-{h48}"]),
    random("fireworks-key", &["fw_"], &[between(ALNUM, 22, 40)], &["fw_{w24}"])
        .but_not(&["fw_version", "fw_update_in_progress_flag"]),
    token(
        "langsmith-key",
        &["lsv2_pt_", "lsv2_sk_"],
        &[exactly(HEX, 32), then("_"), exactly(HEX, 10)],
        &["lsv2_pt_{h32}_{h10}"],
    ),
    token("pinecone-key", &["pcsk_"], &[at_least(WORD, 40)], &["pcsk_{w5}_{w63}"]),
    token("nvidia-key", &["nvapi-"], &[at_least(URL64, 40)], &["nvapi-{b64}"]),
    token("cerebras-key", &["csk-"], &[at_least(LOWER, 40)], &["csk-{l48}"]),
    token("tavily-key", &["tvly-"], &[at_least(URL64, 28)], &["tvly-{w32}", "tvly-dev-{w32}"]),
    token("brave-search-key", &["BSA"], &[exactly(URL64, 28)], &["BSA{w28}"]).but_not(&["BSA meeting"]),
    token("context7-key", &["ctx7sk-"], &[at_least(URL64, 28)], &["ctx7sk-{h8}-{h4}-{h4}-{h4}-{h12}"]),
    token("firecrawl-key", &["fc-"], &[exactly(HEX, 32)], &["fc-{h32}"]),
    token("jina-key", &["jina_"], &[at_least(URL64, 50)], &["jina_{h32}{b28}"]),
    token("elevenlabs-key", &["sk_"], &[exactly(HEX, 48)], &["sk_{h48}"]).but_not(&["sk_buff", "sk_{h20}"]),
    token("voyage-key", &["pa-"], &[exactly(URL64, 43)], &["pa-{w43}"]).but_not(&["pa-system"]),
    token("wandb-key", &["wandb_v1_"], &[at_least(WORD, 40)], &["wandb_v1_{w77}"]),
    token("together-key", &["tgp_v1_"], &[at_least(Class::of("A-Za-z0-9_-"), 40)], &["tgp_v1_{b43}"]),
];
