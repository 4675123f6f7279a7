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
const SERVICES: [&str; 810] = [
    "abbysale", "abstractapi", "abuseipdb", "accuweather", "adafruit", "adobe", "adzuna", "aerisweather",
    "aeroworkflow", "agora", "airbrake", "airship", "airtable", "airvisual", "akamai", "alchemy",
    "alconost", "alegra", "aletheia", "algolia", "alibaba", "alienvault", "allsports", "alphavantage",
    "amadeus", "ambee", "amplitude", "anthropic", "anypoint", "apacta", "apideck", "apiflash", "apifonica",
    "apify", "apilayer", "apimatic", "apiscience", "apitemplate", "apollo", "appcues", "appfollow",
    "appointedd", "appsynergy", "apptivo", "artifactory", "artsy", "asana", "assemblyai", "atera",
    "atlassian", "audd", "authress", "autodesk", "autoklose", "avalara", "avaza", "aviationstack",
    "axonaut", "aylien", "ayrshare", "bannerbear", "baremetrics", "basecamp", "basistheory", "beamer",
    "beebole", "besnappy", "besttime", "billomat", "binance", "bitbar", "bitbucket", "bitcoinaverage",
    "bitfinex", "bitly", "bitmex", "bittrex", "blablabus", "blazemeter", "blitapp", "bombbomb", "boostnote",
    "borgbase", "braintree", "brandfetch", "brevo", "browserstack", "browshot", "buddyns", "bugherd",
    "bugsnag", "buildkite", "bulbul", "buttercms", "caflou", "calendarific", "calendly", "calorieninja",
    "campayn", "cannyio", "capsulecrm", "captaindata", "carboninterface", "cashboard", "caspio", "censys",
    "cerebras", "cexio", "chartmogul", "chatfule", "checio", "checklyhq", "checkmarket", "checkvist",
    "circleci", "clarifai", "clearbit", "clickhelp", "clickhouse", "clicksend", "clickup", "cliengo",
    "clientary", "clinchpad", "clockify", "clockworksms", "clojars", "cloudant", "cloudflare", "cloudimage",
    "cloudinary", "cloudmersive", "cloudplan", "cloudsight", "cloudsmith", "cloudways", "cloverly", "cloze",
    "clustdoc", "cockroach", "codacy", "codeclimate", "codecov", "codemagic", "codequiry", "cohere",
    "coinapi", "coinbase", "coingecko", "coinlayer", "coinlib", "cometchat", "commercejs", "companyhub",
    "confluence", "confluent", "contentful", "contentstack", "convertkit", "countrylayer", "coveralls",
    "craftmypdf", "crossbrowsertesting", "crowdin", "cryptocompare", "currencycloud", "currencyfreaks",
    "currencylayer", "currencyscoop", "currentsapi", "customerguru", "customerio", "d7network", "dailyco",
    "dareboost", "databox", "databricks", "datadog", "datafire", "datagov", "debounce", "deepai",
    "deepgram", "deepl", "deepseek", "delighted", "demio", "deno", "detectify", "detectlanguage", "dfuse",
    "diffbot", "diggernaut", "digitalocean", "discord", "disqus", "dnscheck", "docparser", "documo",
    "docusign", "doppler", "dotmailer", "dovico", "dronahq", "droneci", "dropbox", "duffel", "duply",
    "dwolla", "dynalist", "dynatrace", "dyspatch", "eagleeyenetworks", "easyinsight", "easypost", "edamam",
    "edenai", "eightxeight", "elasticemail", "elasticpath", "elevenlabs", "emailoctopus", "enablex",
    "equinix", "etherscan", "ethplorer", "etsy", "eventbrite", "everhour", "eversign", "exchangerate",
    "exportsdk", "extractorapi", "facebook", "faceplusplus", "fakejson", "fastforex", "fastly",
    "fastspring", "feedier", "feedly", "fetchrss", "fibery", "figma", "filestack", "finage",
    "financialmodelingprep", "findl", "finicity", "finnhub", "firebase", "fixerio", "flagsmith", "flatio",
    "fleetbase", "flexport", "flickr", "flightapi", "flightstats", "flowdash", "flowdock", "flowflu",
    "flutterwave", "fmfw", "formbucket", "formcraft", "formio", "foursquare", "frameio", "freemius",
    "freshbooks", "freshdesk", "fullcontact", "fullstory", "fusebill", "fxmarket", "geckoboard", "gemini",
    "gengo", "geoapify", "geocodify", "geocodio", "geoipifi", "getemail", "getgeoapi", "getgist",
    "getresponse", "getsandbox", "github", "gitlab", "gitter", "glassnode", "gocanvas", "gocardless",
    "gooddata", "goodday", "goshippo", "gosquared", "grafana", "graphcms", "graphhopper", "groovehq",
    "groq", "gtmetrix", "guardianapi", "gumroad", "gyazo", "happi", "happyscribe", "harness", "hashicorp",
    "helicone", "hellosign", "helpcrunch", "helpscout", "hereapi", "heroku", "hiveage", "holidayapi",
    "honeybadger", "honeycomb", "hubspot", "huggingface", "humio", "hunterio", "hybiscus", "hypeauditor",
    "hypertrack", "ibm", "iconfinder", "iexapis", "iexcloud", "imagekit", "imagga", "imgur", "infracost",
    "infura", "insightly", "instabot", "integromat", "intercom", "intrinio", "invoiceocean", "ipapi",
    "ipgeolocation", "ipify", "ipinfodb", "ipquality", "ipstack", "jfrog", "jina", "jira", "jotform",
    "jsonbin", "jumpcloud", "jumpseller", "kairos", "kakaotalk", "kaleyra", "karmacrm", "keenio", "kickbox",
    "kiteconnect", "klaviyo", "klipfolio", "knapsackpro", "kontent", "kraken", "kucoin", "kylas",
    "langfuse", "langsmith", "languagelayer", "lastfm", "launchdarkly", "leadfeeder", "lemlist",
    "lemonsqueezy", "lendflow", "lessannoyingcrm", "lexigram", "linear", "linemessaging", "linenotify",
    "linkedin", "linkpreview", "linode", "liveagent", "livestorm", "loadmill", "lob", "locationiq",
    "loggly", "loginradius", "logz", "lokalise", "looker", "loyverse", "lunchmoney", "luno", "macaddress",
    "madkudu", "magicbell", "mailboxlayer", "mailchimp", "mailerlite", "mailgun", "mailjet", "mailmodo",
    "mailsac", "mandrill", "mapbox", "mapquest", "marketstack", "mattermost", "mavenlink", "maxmind",
    "meaningcloud", "mediastack", "meistertask", "meraki", "mercadopago", "mesibo", "messagebird",
    "messari", "metaapi", "metabase", "metrilo", "mindmeister", "miro", "mistral", "mixcloud", "mixmax",
    "mixpanel", "mockaroo", "moderationapi", "mollie", "mongodb", "monkeylearn", "moonclerk", "moosend",
    "mrticktock", "myfreshworks", "myintervals", "nasdaq", "neon", "nethunt", "netlify", "netsuite",
    "neutrinoapi", "newrelic", "newsapi", "newscatcher", "nexmo", "nftport", "ngrok", "nicehash",
    "nicereply", "nordigen", "notion", "novita", "nozbeteams", "npmjs", "numverify", "nutritionix", "nylas",
    "nytimes", "oanda", "ocrspace", "octopus", "okta", "omnisend", "onbuka", "onedesk", "onelogin",
    "onepagecrm", "onesignal", "onfleet", "onwater", "oopspam", "openai", "opencage", "opencagedata",
    "opendatasoft", "opengraphr", "openrouter", "openuv", "openvpn", "openweather", "opsgenie",
    "optimizely", "overloop", "owlbot", "packagecloud", "pagarme", "pagerduty", "pandadoc", "pandascore",
    "paperform", "paralleldots", "parsehub", "parseur", "partnerstack", "passbase", "pastebin",
    "paydirtapp", "paymo", "paymoapp", "paymongo", "paypal", "paystack", "pdflayer", "pdfshift",
    "peopledatalabs", "pepipost", "perplexity", "pinata", "pinecone", "pipedream", "pipedrive",
    "pivotaltracker", "pixabay", "plaid", "planetscale", "planview", "planyo", "plivo", "podio", "poloniex",
    "portainer", "positionstack", "postageapp", "postbacks", "posthog", "postman", "postmark", "powrbot",
    "prefect", "printfection", "processst", "prodpad", "prospectcrm", "prospectio", "protocolsio",
    "proxycrawl", "pubnub", "pulumi", "purestake", "pushbullet", "pusher", "pypi", "qase", "qualaroo",
    "qubole", "quickmetrics", "rapidapi", "rawg", "razorpay", "reachmail", "reallysimplesystems",
    "rebrandly", "recaptcha", "rechargepayments", "recurly", "repairshopr", "replicate", "replyio",
    "resend", "restpack", "retool", "revampcrm", "ringcentral", "riotgames", "ritekit", "rocketreach",
    "rockset", "rootly", "route4me", "rownd", "rubygems", "runpod", "runrunit", "salesblink", "salescookie",
    "salesflare", "salesforce", "salesmate", "samsara", "satismeter", "saucelabs", "scaleway", "scalr",
    "scrapeowl", "scraperapi", "scraperbox", "scrapersite", "scrapestack", "scrapfly", "scrapingant",
    "scrapingbee", "scrapingdog", "screenshotapi", "screenshotlayer", "scrutinizerci", "securitytrails",
    "selectpdf", "sellfy", "sellsy", "sendbird", "sendgrid", "sendinblue", "sendoso", "sentry", "serphouse",
    "serpstack", "sheety", "sherpadesk", "shipday", "shippo", "shodan", "shopee", "shopify", "shotstack",
    "shutterstock", "signable", "signalwire", "signaturit", "signupgenius", "sigopt", "simfin", "simplesat",
    "simplybook", "simplynoted", "simvoly", "sinch", "sirv", "siteleaf", "skrappio", "skybiometry", "slack",
    "smartsheet", "smartsheets", "smartystreets", "smooch", "smsapi", "snipcart", "snowflake", "snyk",
    "softlayer", "sonarcloud", "sonarqube", "sourcegraph", "sparkpost", "speechtextai", "splunk",
    "spoonacular", "sportradar", "sportsmonk", "spotify", "squareapp", "squarespace", "squareup", "sslmate",
    "statuscake", "statuspage", "statuspal", "stitchdata", "stockdata", "storecove", "stormboard",
    "stormglass", "storyblok", "storychief", "strava", "streamchat", "stripe", "stripo", "stytch",
    "sugester", "sumologic", "supabase", "supernotes", "surveyanyplace", "surveybot", "surveysparrow",
    "survicate", "swiftype", "tailscale", "tallyfy", "tatum", "tatumio", "tavily", "taxjar", "teamgate",
    "teamviewer", "teamwork", "telegram", "telesign", "teletype", "telnyx", "tencent", "terraform",
    "testingbot", "text2data", "textmagic", "theoddsapi", "thinkific", "thousandeyes", "ticketmaster",
    "ticktick", "tiingo", "timecamp", "timezoneapi", "tineswebhook", "tmetric", "todoist", "togetherai",
    "toggl", "tomorrowio", "tomtom", "tradier", "travelpayouts", "travisci", "trello", "trufflehog",
    "twelvedata", "twilio", "twitch", "twitter", "tyntec", "typeform", "typetalk", "ubidots", "uclassify",
    "unifyid", "unplugg", "unsplash", "upcdatabase", "uplead", "uploadcare", "uptimerobot", "upwave",
    "urlscan", "userflow", "userstack", "vagrantcloud", "vatlayer", "veevavault", "vercel", "verimail",
    "veriphone", "versioneye", "viewneo", "virustotal", "visualcrossing", "voiceflow", "voicegain",
    "vonage", "voodoosms", "vouchery", "vpnapi", "vultr", "vyte", "wakatime", "walkscore", "weatherbit",
    "weatherstack", "web3storage", "webengage", "webex", "webflow", "webscraper", "webscraping",
    "websitepulse", "wechat", "weightsandbiases", "wepay", "whoxy", "wistia", "witai", "woopra",
    "worksnaps", "workstack", "worldcoinindex", "worldweather", "wpengine", "wrike", "xai", "yandex",
    "yelp", "yext", "youneedabudget", "yousign", "youtube", "zapier", "zendesk", "zenkit", "zenrows",
    "zenscrape", "zenserp", "zeplin", "zerobounce", "zerotier", "zipapi", "zipbooks", "zipcodeapi", "zoho",
    "zohocrm", "zonkafeedback", "zulipchat",
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
