//! The addresses: pages for people, the same data as JSON below `/api/v1/`, events, metrics and assets.

use std::net::SocketAddr;
use std::sync::Arc;

use asks::{Answer, Scope};
use axum::extract::{ConnectInfo, Form, Path, Query, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use page::Frame;
use page::assets;
use serde::{Deserialize, Serialize};

use super::access::Refusal;
use super::change::{self, Change};
use super::{Web, data, editor, events, peer, stamp};

/// The sources that pages may load: only our own files, and no script or style within the page.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; \
                      form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// The most that a form may send.
const MAX_BODY: usize = 64 * 1024;

type Shared = State<Arc<Web>>;

/// Returns all routes.
pub(super) fn all(web: Arc<Web>) -> Router {
    let mut router = Router::new()
        .route("/", get(now))
        .route("/api/v1/now", get(api_now))
        .route("/sessions/{sid}", get(session))
        .route("/api/v1/sessions/{sid}", get(api_session))
        .route("/sessions/{sid}/runs/{run}", get(explained))
        .route("/api/v1/sessions/{sid}/runs/{run}", get(api_explained))
        .route("/sessions/{sid}/what-if", get(what_if).post(judge_again))
        .route("/api/v1/sessions/{sid}/what-if", get(api_what_if).post(api_judge_again))
        .route("/files", get(files))
        .route("/api/v1/files", get(api_files))
        .route("/files/{*path}", get(file))
        .route("/api/v1/files/{*path}", get(api_file))
        .route("/automations", get(automations))
        .route("/api/v1/automations", get(api_automations))
        .route("/automations/runs/{id}", get(run_output))
        .route("/api/v1/automations/runs/{id}", get(api_run_output))
        .route("/intents", get(intents))
        .route("/api/v1/intents", get(api_intents))
        .route("/intents/requests/{key}/accept", post(accept_request))
        .route("/intents/requests/{key}/decline", post(decline_request))
        .route("/asks", get(asks))
        .route("/api/v1/asks", get(api_asks))
        .route("/asks/{id}/{answer}", post(answer_ask))
        .route("/agents", get(agents))
        .route("/api/v1/agents", get(api_agents))
        .route("/plan", get(plan))
        .route("/api/v1/plan", get(api_plan))
        .route("/health", get(health))
        .route("/api/v1/health", get(api_health))
        .route("/api/v1/events", get(event_stream))
        .route("/metrics", get(metrics))
        .route("/enter", get(enter).post(redeem))
        .route("/automations/{id}/run", post(run_automation))
        .route("/automations/{id}/enable", post(enable_automation))
        .route("/automations/{id}/disable", post(disable_automation))
        .route("/automations/{id}/resume", post(resume_automation))
        .route("/automations/runs/{id}/cancel", post(cancel_run));
    router = router.merge(editor::routes());
    for asset in assets::ALL {
        let answer = move || async move {
            let kind = format!("{}; charset=utf-8", asset.media_type);
            (
                [
                    (header::CONTENT_TYPE, kind),
                    (header::CACHE_CONTROL, "max-age=31536000, immutable".to_owned()),
                ],
                asset.content,
            )
        };
        router = router.route(asset.path, get(answer));
    }
    router
        .fallback(unknown)
        .layer(middleware::from_fn_with_state(Arc::clone(&web), guard))
        .layer(axum::extract::DefaultBodyLimit::max(MAX_BODY))
        .with_state(web)
}

/// Refuses requests of other users, by other names and of other sites, and adds the headers of every answer.
async fn guard(
    State(web): Shared,
    ConnectInfo(from): ConnectInfo<SocketAddr>,
    request: Request,
    next: Next,
) -> Response {
    let checked = if peer::is_of_another_user(from, web.access.port()) {
        Err(Refusal("this page belongs to another user of this machine".to_owned()))
    } else {
        web.access.check_reading(request.headers())
    };
    let mut response = match checked {
        Ok(()) => next.run(request).await,
        Err(Refusal(why)) => (StatusCode::FORBIDDEN, why + "\n").into_response(),
    };
    let headers = response.headers_mut();
    for (name, value) in [
        ("content-security-policy", POLICY),
        ("x-content-type-options", "nosniff"),
        // With `no-referrer` browsers send a form with the origin `null`.
        ("referrer-policy", "same-origin"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

async fn now(State(web): Shared, headers: HeaderMap) -> Response {
    let frame = frame(&web, &headers);
    page_of(web, move |web| Some(page::now(&frame, &data::now(web)))).await
}

async fn api_now(State(web): Shared) -> Response {
    json_of(web, |web| Some(data::now(web))).await
}

async fn session(
    State(web): Shared,
    Path(sid): Path<String>,
    Query(part): Query<data::Part>,
    headers: HeaderMap,
) -> Response {
    let frame = frame(&web, &headers);
    page_of(web, move |web| Some(page::session(&frame, &data::session(web, &sid, &part)?))).await
}

async fn api_session(
    State(web): Shared,
    Path(sid): Path<String>,
    Query(part): Query<data::Part>,
) -> Response {
    json_of(web, move |web| data::session(web, &sid, &part)).await
}

async fn explained(
    State(web): Shared,
    Path((sid, run)): Path<(String, String)>,
    headers: HeaderMap,
) -> Response {
    let frame = frame(&web, &headers);
    page_of(web, move |web| Some(page::explained(&frame, &data::explained(web, &sid, &run)?))).await
}

async fn api_explained(State(web): Shared, Path((sid, run)): Path<(String, String)>) -> Response {
    json_of(web, move |web| data::explained(web, &sid, &run)).await
}

/// The manifest under which a session is judged again.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ManifestText {
    manifest: String,
}

async fn what_if(State(web): Shared, Path(sid): Path<String>, headers: HeaderMap) -> Response {
    let frame = frame(&web, &headers);
    page_of(web, move |web| Some(page::what_if(&frame, &data::what_if(web, &sid, None)?))).await
}

async fn api_what_if(State(web): Shared, Path(sid): Path<String>) -> Response {
    json_of(web, move |web| data::what_if(web, &sid, None)).await
}

/// Judges a session again. Changes nothing, but takes time: only our own pages may ask for it.
async fn judge_again(
    State(web): Shared,
    Path(sid): Path<String>,
    headers: HeaderMap,
    Form(ManifestText { manifest }): Form<ManifestText>,
) -> Response {
    if let Err(refusal) = web.access.check_origin(&headers) {
        return refused(&web, &headers, &refusal);
    }
    let frame = frame(&web, &headers);
    page_of(web, move |web| Some(page::what_if(&frame, &data::what_if(web, &sid, Some(&manifest))?))).await
}

async fn api_judge_again(
    State(web): Shared,
    Path(sid): Path<String>,
    Json(ManifestText { manifest }): Json<ManifestText>,
) -> Response {
    // A page of another site cannot send JSON without asking first, and we do not answer that question.
    json_of(web, move |web| data::what_if(web, &sid, Some(&manifest))).await
}

async fn files(State(web): Shared, Query(search): Query<Search>, headers: HeaderMap) -> Response {
    let frame = frame(&web, &headers);
    page_of(web, move |web| Some(page::files(&frame, &data::files(web, search.q.trim())))).await
}

async fn api_files(State(web): Shared, Query(search): Query<Search>) -> Response {
    json_of(web, move |web| Some(data::files(web, search.q.trim()))).await
}

async fn file(
    State(web): Shared,
    Path(path): Path<String>,
    Query(part): Query<data::FilePart>,
    headers: HeaderMap,
) -> Response {
    let frame = frame(&web, &headers);
    page_of(web, move |web| Some(page::file(&frame, &data::file(web, &path, &part)?))).await
}

async fn api_file(
    State(web): Shared,
    Path(path): Path<String>,
    Query(part): Query<data::FilePart>,
) -> Response {
    json_of(web, move |web| data::file(web, &path, &part)).await
}

/// The search in the history.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Search {
    q: String,
    status: String,
}

async fn automations(State(web): Shared, Query(search): Query<Search>, headers: HeaderMap) -> Response {
    let frame = frame(&web, &headers);
    page_of(web, move |web| {
        Some(page::automations(&frame, &data::automations(web, search.q.trim(), &search.status)))
    })
    .await
}

async fn api_automations(State(web): Shared, Query(search): Query<Search>) -> Response {
    json_of(web, move |web| Some(data::automations(web, search.q.trim(), &search.status))).await
}

async fn run_output(State(web): Shared, Path(id): Path<String>, headers: HeaderMap) -> Response {
    let frame = frame(&web, &headers);
    page_of(web, move |web| Some(page::run_output(&frame, &data::run_output(web, &id)?))).await
}

async fn api_run_output(State(web): Shared, Path(id): Path<String>) -> Response {
    json_of(web, move |web| data::run_output(web, &id)).await
}

async fn intents(State(web): Shared, headers: HeaderMap) -> Response {
    let frame = frame(&web, &headers);
    page_of(web, move |web| Some(page::intents(&frame, &data::intents(web)))).await
}

async fn api_intents(State(web): Shared) -> Response {
    json_of(web, |web| Some(data::intents(web))).await
}

async fn asks(State(web): Shared, headers: HeaderMap) -> Response {
    let frame = frame(&web, &headers);
    page_of(web, move |web| Some(page::asks(&frame, &data::asks(web)))).await
}

async fn api_asks(State(web): Shared) -> Response {
    json_of(web, |web| Some(data::asks(web))).await
}

/// A person's reason for a denial.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Reason {
    reason: String,
}

async fn answer_ask(
    web: Shared,
    from: ConnectInfo<SocketAddr>,
    headers: HeaderMap,
    Path((id, answer)): Path<(String, String)>,
    Form(Reason { reason }): Form<Reason>,
) -> Response {
    let answer = match answer.as_str() {
        "allow" => Answer::Allow { scope: Scope::Once },
        "allow-session" => Answer::Allow { scope: Scope::Session },
        "deny" => Answer::Deny { reason: Some(reason.trim().to_owned()).filter(|reason| !reason.is_empty()) },
        _ => return unknown(web, headers).await,
    };
    changed(web, from, headers, Change::Answer(id, answer)).await
}

async fn agents(State(web): Shared, headers: HeaderMap) -> Response {
    let frame = frame(&web, &headers);
    page_of(web, move |web| Some(page::agents(&frame, &data::agents(web)))).await
}

async fn api_agents(State(web): Shared) -> Response {
    json_of(web, |web| Some(data::agents(web))).await
}

async fn plan(State(web): Shared, headers: HeaderMap) -> Response {
    let frame = frame(&web, &headers);
    page_of(web, move |web| Some(page::plan(&frame, &data::plan(web)))).await
}

async fn api_plan(State(web): Shared) -> Response {
    json_of(web, |web| Some(data::plan(web))).await
}

async fn health(State(web): Shared, headers: HeaderMap) -> Response {
    let frame = frame(&web, &headers);
    page_of(web, move |web| Some(page::health(&frame, &data::health(web)))).await
}

async fn api_health(State(web): Shared) -> Response {
    json_of(web, |web| Some(data::health(web))).await
}

async fn event_stream(State(web): Shared) -> impl IntoResponse {
    events::look(&web).await;
    web.changes.stream()
}

async fn metrics(State(web): Shared) -> impl IntoResponse {
    (
        [(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")],
        web.snapshots.get().metrics.clone(),
    )
}

/// The token of the link.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Token {
    // Not called `token`: the log of the server redacts values of that name.
    once: String,
}

async fn enter(State(web): Shared, Query(Token { once }): Query<Token>, headers: HeaderMap) -> Html<String> {
    Html(page::enter(&frame(&web, &headers), &once))
}

/// Exchanges the token for a cookie; only a person's browser may.
async fn redeem(
    State(web): Shared,
    ConnectInfo(from): ConnectInfo<SocketAddr>,
    headers: HeaderMap,
    Form(Token { once }): Form<Token>,
) -> Response {
    let checked = web.access.check_origin(&headers).and_then(|()| change::check_person(&web, from));
    if let Err(refusal) = checked {
        return refused(&web, &headers, &refusal);
    }
    match web.access.redeem(&once) {
        Ok(Some(cookie)) => {
            (StatusCode::SEE_OTHER, [(header::LOCATION, "/".to_owned()), (header::SET_COOKIE, cookie)])
                .into_response()
        }
        Ok(None) => refused(
            &web,
            &headers,
            &Refusal("this link was used already; restart `steersman serve` for another".to_owned()),
        ),
        Err(error) => refused(&web, &headers, &Refusal(format!("cannot make a cookie: {error}"))),
    }
}

async fn run_automation(
    web: Shared,
    from: ConnectInfo<SocketAddr>,
    headers: HeaderMap,
    Path(id): Path<String>,
) -> Response {
    changed(web, from, headers, Change::Run(id)).await
}

async fn enable_automation(
    web: Shared,
    from: ConnectInfo<SocketAddr>,
    headers: HeaderMap,
    Path(id): Path<String>,
) -> Response {
    changed(web, from, headers, Change::Switch(id, true)).await
}

async fn disable_automation(
    web: Shared,
    from: ConnectInfo<SocketAddr>,
    headers: HeaderMap,
    Path(id): Path<String>,
) -> Response {
    changed(web, from, headers, Change::Switch(id, false)).await
}

async fn resume_automation(
    web: Shared,
    from: ConnectInfo<SocketAddr>,
    headers: HeaderMap,
    Path(id): Path<String>,
) -> Response {
    changed(web, from, headers, Change::Resume(id)).await
}

async fn accept_request(
    web: Shared,
    from: ConnectInfo<SocketAddr>,
    headers: HeaderMap,
    Path(key): Path<String>,
) -> Response {
    changed(web, from, headers, Change::Accept(key)).await
}

async fn decline_request(
    web: Shared,
    from: ConnectInfo<SocketAddr>,
    headers: HeaderMap,
    Path(key): Path<String>,
) -> Response {
    changed(web, from, headers, Change::Decline(key)).await
}

async fn cancel_run(
    web: Shared,
    from: ConnectInfo<SocketAddr>,
    headers: HeaderMap,
    Path(id): Path<String>,
) -> Response {
    changed(web, from, headers, Change::Cancel(id)).await
}

async fn changed(
    State(web): Shared,
    ConnectInfo(from): ConnectInfo<SocketAddr>,
    headers: HeaderMap,
    change: Change,
) -> Response {
    let worker = Arc::clone(&web);
    let sent = headers.clone();
    let back = change.page();
    let made = tokio::task::spawn_blocking(move || {
        change::check(&worker, &sent, from)?;
        change::make(&worker, &change)
    });
    match made.await {
        Ok(Ok(())) => {
            events::look(&web).await;
            (StatusCode::SEE_OTHER, [(header::LOCATION, back)]).into_response()
        }
        Ok(Err(refusal)) => refused(&web, &headers, &refusal),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

async fn unknown(State(web): Shared, headers: HeaderMap) -> Response {
    let page = page::not_found(&frame(&web, &headers), "Not found", "No page has this address.");
    (StatusCode::NOT_FOUND, Html(page)).into_response()
}

fn refused(web: &Web, headers: &HeaderMap, Refusal(why): &Refusal) -> Response {
    (StatusCode::FORBIDDEN, Html(page::not_found(&frame(web, headers), "Refused", why))).into_response()
}

fn frame(web: &Web, headers: &HeaderMap) -> Frame {
    Frame {
        stamp: events::shown(stamp::stamp(web)),
        workspace: web.workspace.root().to_string(),
        may_change: web.access.has_cookie(headers),
        n_asks: data::asks(web).asks.len(),
        n_requests: data::n_scope_requests(web),
        others: data::served_pages(web),
    }
}

/// Answers with a page; reading files must not keep other requests waiting.
async fn page_of(web: Arc<Web>, make: impl FnOnce(&Web) -> Option<String> + Send + 'static) -> Response {
    let reader = Arc::clone(&web);
    match tokio::task::spawn_blocking(move || make(&reader)).await {
        Ok(Some(page)) => Html(page).into_response(),
        Ok(None) => unknown(State(web), HeaderMap::new()).await,
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

/// Answers with JSON.
async fn json_of<T: Serialize + Send + 'static>(
    web: Arc<Web>,
    make: impl FnOnce(&Web) -> Option<T> + Send + 'static,
) -> Response {
    match tokio::task::spawn_blocking(move || make(&web)).await {
        Ok(Some(value)) => Json(value).into_response(),
        Ok(None) => (StatusCode::NOT_FOUND, Json(serde_json::json!({"error": "not found"}))).into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}
