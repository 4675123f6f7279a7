//! Names of services that hand out keys: a table, longer than other files.
//!
//! `pinata_key` and `pinata key = …` name a secret, as `api_key` does; of an unknown owner, `row_key`, they only may. Left
//! out are names that are also words of programs, such as `segment`, `column` or `front`.

/// Returns whether `word` is the name of a service, in any case.
pub(super) fn is_service(word: &[u8]) -> bool {
    let mut lower = [0; MAX_LENGTH];
    let Some(lower) = lower.get_mut(..word.len()) else { return false };
    lower.copy_from_slice(word);
    lower.make_ascii_lowercase();
    SERVICES.binary_search_by(|name| name.as_bytes().cmp(lower)).is_ok()
}

/// The length of the longest name.
const MAX_LENGTH: usize = 21;

#[rustfmt::skip]
const SERVICES: [&str; 964] = [
    "abbysale", "abstractapi", "abuseipdb", "accuweather", "adafruit", "adafruitio", "adobe", "adobeio",
    "adzuna", "aerisweather", "aeroworkflow", "agora", "airbrake", "airship", "airtable", "airvisual",
    "aiven", "akamai", "alchemy", "alconost", "alegra", "aletheia", "algolia", "alibaba", "alienvault",
    "allsports", "alphavantage", "amadeus", "ambee", "amplitude", "anthropic", "anypoint", "apacta",
    "api2cart", "apideck", "apiflash", "apifonica", "apify", "apilayer", "apimatic", "apimetrics",
    "apiscience", "apitemplate", "apollo", "apollographql", "appcues", "appfollow", "appointedd",
    "appoptics", "appsynergy", "apptivo", "artifactory", "artsy", "asana", "assemblyai", "atera",
    "atlassian", "audd", "authress", "autodesk", "autoklose", "avalara", "avaza", "aviationstack",
    "axonaut", "aylien", "ayrshare", "bannerbear", "baremetrics", "baseapiio", "basecamp", "basistech",
    "basistheory", "beamer", "beebole", "besnappy", "besttime", "betterstack", "betteruptime",
    "billomat", "binance", "bitbar", "bitbucket", "bitcoinaverage", "bitfinex", "bitly", "bitmex",
    "bitrise", "bittrex", "blablabus", "blazemeter", "blitapp", "blocknative", "bombbomb", "boostnote",
    "borgbase", "braintree", "braintreepayments", "brandfetch", "brevo", "browserstack", "browshot",
    "bscscan", "buddyns", "budibase", "bugfender", "bugherd", "bugsnag", "buildkite", "bulbul",
    "bulksms", "buttercms", "bytescale", "caflou", "calendarific", "calendly", "calorieninja",
    "campayn", "cannyio", "capsulecrm", "captaindata", "carboninterface", "cashboard", "caspio",
    "censys", "centralstationcrm", "cerebras", "cexio", "chartmogul", "chatfule", "checio", "checklyhq",
    "checkmarket", "checkvist", "circleci", "clarifai", "clearbit", "clerkio", "clickhelp",
    "clickhouse", "clicksend", "clicksendsms", "clickup", "cliengo", "clientary", "clinchpad",
    "clockify", "clockworksms", "clojars", "closecrm", "cloudamqp", "cloudant", "cloudconvert",
    "cloudelements", "cloudflare", "cloudimage", "cloudinary", "cloudmersive", "cloudns", "cloudplan",
    "cloudsight", "cloudsmith", "cloudways", "cloverly", "cloze", "clustdoc", "cockroach", "codacy",
    "codeclimate", "codecov", "codemagic", "codequiry", "cohere", "coinapi", "coinbase", "coingecko",
    "coinlayer", "coinlib", "cometchat", "commercejs", "companyhub", "confluence", "confluent",
    "contentful", "contentstack", "conversiontools", "convertapi", "convertkit", "convier", "couchbase",
    "countrylayer", "coveralls", "craftmypdf", "cronitor", "crossbrowsertesting", "crowdin",
    "cryptocompare", "currencycloud", "currencyfreaks", "currencylayer", "currencyscoop", "currentsapi",
    "customerguru", "customerio", "customerlabs", "d7network", "dailyco", "dareboost", "databox",
    "databricks", "datadog", "datafire", "datagov", "debounce", "deepai", "deepgram", "deepinfra",
    "deepl", "deepseek", "delighted", "demio", "deno", "deployhq", "detectify", "detectlanguage",
    "dfuse", "diffbot", "diggernaut", "digitalocean", "discord", "disqus", "dnscheck", "dnsimple",
    "docparser", "documo", "docusign", "doppler", "dotmailer", "dovico", "dronahq", "droneci",
    "dropbox", "duffel", "duply", "dwolla", "dynadot", "dynalist", "dynatrace", "dyspatch",
    "eagleeyenetworks", "easydmarc", "easyinsight", "easypost", "ecostruxureit", "edamam", "edenai",
    "eightxeight", "elasticemail", "elasticpath", "electricitymaps", "elevenlabs", "emailoctopus",
    "enablex", "endorlabs", "equinix", "etherscan", "ethplorer", "etsy", "eventbrite", "everhour",
    "eversign", "exaai", "exchangerate", "exchangerateapi", "exchangeratesapi", "exportsdk",
    "extractorapi", "facebook", "faceplusplus", "fakejson", "fastforex", "fastly", "fastspring",
    "feedier", "feedly", "fetchrss", "fibery", "figma", "filestack", "finage", "financialmodelingprep",
    "findl", "finicity", "finnhub", "firebase", "firecrawl", "fireworksai", "fixerio", "flagsmith",
    "flatio", "fleetbase", "flexport", "flickr", "flightapi", "flightlabs", "flightstats", "flowdash",
    "flowdock", "flowflu", "flutterwave", "fmfw", "formbucket", "formcraft", "formio", "formsite",
    "foursquare", "frameio", "freemius", "freshbooks", "freshdesk", "freshping", "frontegg",
    "fullcontact", "fullstory", "fusebill", "fxmarket", "geckoboard", "gemini", "gengo", "geoapify",
    "geocodify", "geocodio", "geoipifi", "getemail", "getgeoapi", "getgist", "getresponse",
    "getsandbox", "gitguardian", "github", "gitlab", "gitter", "glassnode", "gocanvas", "gocardless",
    "godaddy", "gooddata", "goodday", "goshippo", "gosquared", "grafana", "graphcms", "graphhopper",
    "groovehq", "groq", "gtmetrix", "guardianapi", "gumroad", "gyazo", "happi", "happyscribe",
    "harness", "hashicorp", "hasura", "helicone", "hellosign", "helpcrunch", "helpscout", "hereapi",
    "heroku", "hetzner", "hightouch", "hiveage", "holidayapi", "honeybadger", "honeycomb", "hubspot",
    "huggingface", "humio", "hunterio", "hybiscus", "hypeauditor", "hypertrack", "ibm", "iconfinder",
    "iexapis", "iexcloud", "imagekit", "imagga", "imgur", "infracost", "infura", "inngest", "insightly",
    "instabot", "instamojo", "integromat", "intercom", "interseller", "intra42", "intrinio",
    "invoiceocean", "ip2location", "ipapi", "ipgeolocation", "ipify", "ipinfo", "ipinfodb", "ipquality",
    "ipstack", "jetbrains", "jfrog", "jina", "jira", "jotform", "jsonbin", "jumpcloud", "jumpseller",
    "jupiterone", "kairos", "kakaotalk", "kaleyra", "kanbantool", "karmacrm", "keenio", "kickbox",
    "kinsta", "kiteconnect", "klaviyo", "klipfolio", "knapsackpro", "kontent", "koyeb", "kraken",
    "kucoin", "kylas", "lacework", "lambdalabs", "langchain", "langfuse", "langsmith", "languagelayer",
    "lastfm", "launchdarkly", "leadfeeder", "lemlist", "lemonsqueezy", "lendflow", "lessannoyingcrm",
    "lexigram", "lightstep", "linear", "linearapi", "linemessaging", "linenotify", "linkedin",
    "linkpreview", "linode", "liveagent", "liveblocks", "livekit", "livestorm", "loadmill", "lob",
    "locationiq", "loggly", "loginradius", "logz", "logzio", "lokalise", "looker", "loyverse",
    "lunchmoney", "luno", "macaddress", "madkudu", "magicbell", "mailboxlayer", "mailchimp",
    "mailerlite", "mailersend", "mailgun", "mailjet", "mailmodo", "mailsac", "mailtrap", "mandrill",
    "mapbox", "mapquest", "marketstack", "mattermost", "mavenlink", "maxmind", "meaningcloud",
    "mediastack", "meistertask", "meraki", "mercadopago", "mesibo", "messagebird", "messari", "metaapi",
    "metabase", "metrilo", "mezmo", "mindmeister", "mintlify", "miro", "mistral", "mixcloud", "mixmax",
    "mixpanel", "mockaroo", "moderationapi", "mollie", "mongodb", "monkeylearn", "moonclerk", "moosend",
    "moralis", "mrticktock", "myfreshworks", "myintervals", "namecheap", "nasdaq", "nasdaqdatalink",
    "neon", "netdata", "nethunt", "netlify", "netsuite", "neutrinoapi", "newrelic", "newsapi",
    "newscatcher", "nexmo", "nftport", "ngrok", "nicehash", "nicereply", "nightfall", "nomics",
    "nordigen", "northflank", "noticeable", "notion", "novita", "novu", "nozbeteams", "npmjs",
    "numverify", "nutritionix", "nylas", "nytimes", "oanda", "ocrspace", "octopus", "ohdear", "okta",
    "omnisend", "onbuka", "onedesk", "onelogin", "onepagecrm", "onesignal", "onfleet", "onwater",
    "onwaterio", "oopspam", "openai", "opencage", "opencagedata", "opendatasoft", "opengraphr",
    "openmeteo", "openrouter", "openuv", "openvpn", "openweather", "opsgenie", "optimizely",
    "outscraper", "overloop", "owlbot", "packagecloud", "pagarme", "pagerduty", "pandadoc",
    "pandascore", "paperform", "papertrail", "paralleldots", "parsehub", "parseur", "partnerstack",
    "passbase", "pastebin", "patreon", "paydirtapp", "payhip", "paymo", "paymoapp", "paymongo",
    "paypal", "paystack", "pdflayer", "pdfshift", "peopledatalabs", "pepipost", "perplexity", "pexels",
    "pinata", "pinecone", "pingdom", "pipedream", "pipedrive", "pivotaltracker", "pixabay", "plaid",
    "planetscale", "planview", "planviewleankit", "planyo", "plausible", "plivo", "podio", "pollsapi",
    "poloniex", "porkbun", "portainer", "positionstack", "postageapp", "postbacks", "posthog",
    "postman", "postmark", "postmarkapp", "powrbot", "prefect", "printfection", "prismic", "processst",
    "prodpad", "prospectcrm", "prospectio", "protocolsio", "proxycrawl", "proxyscrape", "pubnub",
    "pulumi", "purestake", "pushbullet", "pusher", "pusherapp", "pypi", "qase", "qdrant", "qualaroo",
    "qubole", "quickbooks", "quickmetrics", "quicknode", "rapidapi", "rawg", "razorpay", "reachmail",
    "reallysimplesystems", "rebrandly", "recaptcha", "rechargepayments", "recurly", "rentman",
    "repairshopr", "replicate", "replyio", "requestfinance", "resend", "restpack", "retool",
    "revampcrm", "ringcentral", "riotgames", "ritekit", "rocketreach", "rockset", "rollbar", "roninapp",
    "rootly", "route4me", "rownd", "rubygems", "runpod", "runrunit", "salesblink", "salescookie",
    "salesflare", "salesforce", "salesmate", "samsara", "satismeter", "saucelabs", "scaleway", "scalr",
    "scrapeowl", "scraperapi", "scraperbox", "scrapersite", "scrapestack", "scrapfly", "scrapingant",
    "scrapingbee", "scrapingdog", "screenshotapi", "screenshotlayer", "scrutinizerci", "securitytrails",
    "selectpdf", "sellfy", "sellsy", "sendbird", "sendgrid", "sendinblue", "sendinbluev2", "sendlayer",
    "sendoso", "sendpulse", "sentry", "serpapi", "serper", "serphouse", "serpstack", "sheety",
    "sherpadesk", "shipday", "shippo", "shodan", "shopee", "shopify", "shotstack", "shutterstock",
    "sightengine", "signable", "signalwire", "signaturit", "signupgenius", "sigopt", "simfin",
    "simplesat", "simplybook", "simplynoted", "simvoly", "sinch", "sinchmessage", "sirv", "siteleaf",
    "skrappio", "skybiometry", "slack", "smartsheet", "smartsheets", "smartystreets", "smooch",
    "smsapi", "snipcart", "snov", "snowflake", "snyk", "socketdev", "softlayer", "sonarcloud",
    "sonarqube", "sonatype", "sourcegraph", "sparkpost", "speechtextai", "splitio", "splunk",
    "spoonacular", "sportradar", "sportsmonk", "spotify", "squareapp", "squarespace", "squareup",
    "sslmate", "statsig", "statuscake", "statuspage", "statuspal", "steamapi", "stitchdata",
    "stockdata", "storecove", "stormboard", "stormglass", "storyblok", "storychief", "strava",
    "streamchat", "stripe", "stripo", "stytch", "sugester", "sumologic", "supabase", "supernotes",
    "surveyanyplace", "surveybot", "surveysparrow", "survicate", "svix", "swaggerhub", "swiftype",
    "tailscale", "tallyfy", "tatum", "tatumio", "tavily", "taxjar", "teamgate", "teamviewer",
    "teamwork", "teamworkcrm", "technicalanalysisapi", "telegram", "telesign", "teletype", "telnyx",
    "tencent", "terraform", "testingbot", "text2data", "textmagic", "theoddsapi", "thinkific",
    "thousandeyes", "ticketmaster", "tickettailor", "ticktick", "tiingo", "timecamp", "timezoneapi",
    "tineswebhook", "tinybird", "tmetric", "todoist", "togetherai", "toggl", "toggltrack", "tokeet",
    "tomorrowio", "tomtom", "tradier", "transferwise", "travelpayouts", "travisci", "trello",
    "trufflehog", "turso", "twelvedata", "twilio", "twistapp", "twitch", "twitter", "tyntec",
    "typeform", "typesense", "typetalk", "ubidots", "uclassify", "unifyid", "unkey", "unplugg",
    "unsplash", "upcdatabase", "uplead", "uploadcare", "upstash", "uptimerobot", "uptrace", "upwave",
    "urlscan", "userflow", "userstack", "vagrantcloud", "vapi", "vatlayer", "vbout", "veevavault",
    "vercel", "verimail", "veriphone", "versioneye", "viewneo", "vimeo", "virustotal", "visualcrossing",
    "voiceflow", "voicegain", "vonage", "voodoosms", "vouchery", "voyageai", "vpnapi", "vultr", "vyte",
    "wakatime", "walkscore", "wasabi", "weatherbit", "weatherstack", "weaviate", "web3storage",
    "webengage", "webex", "webflow", "webscraper", "webscraping", "websitepulse", "wechat",
    "weightsandbiases", "wepay", "whoxy", "wistia", "witai", "woopra", "workos", "worksnaps",
    "workstack", "worldcoinindex", "worldweather", "wpengine", "wrike", "writesonic", "xai", "xero",
    "yandex", "yelp", "yext", "yextapi", "youneedabudget", "yousign", "youtube", "zapier", "zendesk",
    "zendeskapi", "zenkit", "zenkitapi", "zenrows", "zenscrape", "zenserp", "zeplin", "zerobounce",
    "zerotier", "zipapi", "zipbooks", "zipcodeapi", "zixflow", "zoho", "zohocrm", "zohomail",
    "zonkafeedback", "zulipchat", "zyte",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_its_longest_name_is_measured() {
        assert!(SERVICES.is_sorted_by(|one, other| one < other));
        assert_eq!(SERVICES.iter().map(|name| name.len()).max(), Some(MAX_LENGTH));
        assert!(
            SERVICES
                .iter()
                .all(|name| name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()))
        );
    }

    #[test]
    fn a_name_is_found_in_any_case_and_only_whole() {
        assert!(is_service(b"Pinata") && is_service(b"ZENDESK"));
        assert!(!is_service(b"pin") && !is_service(b"pinatas") && !is_service(b""));
    }
}
