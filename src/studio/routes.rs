//! Maps requests to their handlers.

use axum::Router;
use axum::extract::{Json, Path, Request, State};
use axum::http::StatusCode;
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};
use serde::{Deserialize, Serialize};
use std::time::Duration;
use tokio::time::timeout;

use crate::text::one_line;

use super::app::{App, Unanswered};
use super::design::{self, Told};
use super::jobs::Job;
use super::players::{Draft, fault};
use super::{Folder, NotInFolder, assets, clients, export, gallery, game, gate, pages, play, scripts, sweep};

/// Time limit for a request to arrive and be answered; a stream only has to start within it.
const PATIENCE: Duration = Duration::from_secs(20);

/// Time limit for a strategy to think about one position, including the wait for others; and the paths it applies to.
const THOUGHT: Duration = Duration::from_secs(120);
const HINT: &str = "/api/hint";

/// Builds all routes, behind the gate.
pub(super) fn router(app: App) -> Router {
    let gate = app.gate.clone();
    Router::new()
        .route("/", get(|app| page(app, pages::design)))
        .route("/gallery", get(|app| page(app, pages::gallery)))
        .route("/reports/{*path}", get(report))
        .route("/assets/{name}", get(|Path(name): Path<String>| async move { assets::asset(&name) }))
        .route("/favicon.ico", get(|| async { assets::asset("icon.svg") }))
        .route("/api/rules", post(rules))
        .route("/api/file", post(file))
        .route("/api/save", post(save))
        .route("/api/play", post(play))
        .route("/api/sweep", post(sweep))
        .route("/api/export", post(report_of))
        .route("/scripts", get(|app| page(app, pages::scripts)))
        .route("/api/script", post(script))
        .route("/api/shelf", post(shelf))
        .route("/api/profile", post(profile))
        .route("/api/compare", post(compare))
        .route("/api/jobs", post(jobs))
        .route("/api/jobs/{what}", post(job))
        .route("/table", get(|app| page(app, pages::table)))
        .route("/api/table", post(state))
        .route(HINT, post(hint))
        .route("/api/record", post(record))
        .route("/api/watch", post(watch))
        .route("/api/review", post(review))
        .route("/api/lost", post(lost))
        .fallback(|| async { (StatusCode::NOT_FOUND, "there is no such page\n") })
        .with_state(app)
        .layer(from_fn(clients::count))
        .layer(from_fn(in_time))
        .layer(from_fn_with_state(gate, gate::guard))
}

/// Middleware that gives up on requests that take too long.
async fn in_time(request: Request, next: Next) -> Response {
    let thought = if request.uri().path() == HINT { THOUGHT } else { Duration::ZERO };
    match timeout(PATIENCE + thought, next.run(request)).await {
        Ok(response) => response,
        Err(_) => (StatusCode::REQUEST_TIMEOUT, "the request took too long\n").into_response(),
    }
}

async fn script(State(app): State<App>, Json(draft): Json<Draft>) -> Result<Response, Unanswered> {
    let judged: scripts::Judged = app.work(move |folder| scripts::judge(folder, &draft)).await?;
    Ok(Json(judged).into_response())
}

/// Answers with a page.
async fn page(State(app): State<App>, render: fn(&Folder, &str) -> String) -> Result<Response, Unanswered> {
    let token = app.gate.page_token().to_string();
    Ok(Html(app.work(move |folder| render(folder, &token)).await?).into_response())
}

/// Returns the text of a script of the shelf.
async fn shelf(Json(Named { name }): Json<Named>) -> Response {
    match scripts::shelf_text(&name) {
        Some(text) => Json(Text { text: text.into() }).into_response(),
        None => refused(&NotInFolder::Outside(name)),
    }
}

async fn profile(
    State(app): State<App>,
    Json(asked): Json<scripts::ProfileAsked>,
) -> Result<Response, Unanswered> {
    let folder = app.folder.clone();
    app.stream(1, move |mailbox| scripts::profile(&folder, &asked, mailbox))
}

async fn compare(
    State(app): State<App>,
    Json(asked): Json<scripts::RivalAsked>,
) -> Result<Response, Unanswered> {
    match app.work(move |folder| scripts::Rivals::new(folder, &asked)).await? {
        Ok(ready) => app.stream(1, move |mailbox| ready.play(mailbox)),
        Err(faults) => Ok(faulty(faults)),
    }
}

async fn report(State(app): State<App>, Path(path): Path<String>) -> Result<Response, Unanswered> {
    let found = app.work(move |folder| gallery::file(folder, &path)).await?;
    Ok(found.unwrap_or_else(|_| (StatusCode::NOT_FOUND, "there is no such report\n").into_response()))
}

async fn rules(State(app): State<App>, Json(asked): Json<design::Asked>) -> Result<Response, Unanswered> {
    let judged = app.work(move |folder| design::judge(folder, asked)).await?;
    Ok(Json(judged).into_response())
}

#[derive(Deserialize, Serialize)]
struct Named {
    name: String,
}

#[derive(Serialize)]
struct Text {
    text: String,
}

/// Error message for a page.
#[derive(Serialize)]
struct Refused {
    refused: String,
}

fn refused(error: &NotInFolder) -> Response {
    let status = match error {
        NotInFolder::Changed(_) => StatusCode::CONFLICT,
        NotInFolder::Outside(_) => StatusCode::FORBIDDEN,
        NotInFolder::Io(..) => StatusCode::UNPROCESSABLE_ENTITY,
    };
    (status, Json(Refused { refused: error.to_string() })).into_response()
}

/// Returns the text of a ruleset or a script, and of no other file in the folder.
async fn file(State(app): State<App>, Json(Named { name }): Json<Named>) -> Result<Response, Unanswered> {
    if !is_text(&name) {
        return Ok(refused(&NotInFolder::Outside(name)));
    }
    let read = app.work(move |folder| folder.text(&name)).await?;
    Ok(match read {
        Ok(text) => Json(Text { text }).into_response(),
        Err(error) => refused(&error),
    })
}

/// Returns whether a name is that of a ruleset or a script, the only texts that are read and written.
fn is_text(name: &str) -> bool {
    [".toml", ".rhai"].iter().any(|end| name.ends_with(end))
}

#[derive(Deserialize)]
struct Saved {
    name: String,
    text: String,
    /// The text that the file is expected to have, if it exists.
    known: Option<String>,
    /// Whether to replace the file whatever its text is.
    #[serde(default)]
    replace: bool,
}

async fn save(State(app): State<App>, Json(saved): Json<Saved>) -> Result<Response, Unanswered> {
    let done = app.work(move |folder| {
        let Saved { name, text, known, replace } = saved;
        if ["", ".toml", ".rhai"].contains(&name.trim()) {
            let refused = "give the file a name first, such as my-house.toml".to_string();
            return (StatusCode::UNPROCESSABLE_ENTITY, Json(Refused { refused })).into_response();
        }
        if !is_text(&name) {
            return refused(&NotInFolder::Outside(format!(
                "{name}, which ends neither in .toml nor in .rhai,"
            )));
        }
        // An unfinished script may be saved; a ruleset must be valid, because others in the folder may extend it.
        if name.ends_with(".toml") && design::read(folder, &name, &text).is_err() {
            let refused = "only a ruleset without errors is saved".to_string();
            return (StatusCode::UNPROCESSABLE_ENTITY, Json(Refused { refused })).into_response();
        }
        let known = if replace { folder.text(&name).ok() } else { known };
        match folder.save(&name, &text, known.as_deref()) {
            Ok(()) => Json(Text { text }).into_response(),
            Err(error) => refused(&error),
        }
    });
    done.await
}

/// Faults of a request, for a page.
#[derive(Serialize)]
struct Faults {
    faults: Vec<Told>,
}

fn faulty(faults: Vec<Told>) -> Response {
    (StatusCode::UNPROCESSABLE_ENTITY, Json(Faults { faults })).into_response()
}

async fn play(State(app): State<App>, Json(asked): Json<play::Asked>) -> Result<Response, Unanswered> {
    match app.work(move |folder| play::Ready::new(folder, asked)).await? {
        Ok(ready) => app.stream(ready.players(), move |mailbox| play::run(&ready, mailbox)),
        Err(faults) => Ok(faulty(faults)),
    }
}

async fn sweep(State(app): State<App>, Json(asked): Json<sweep::Asked>) -> Result<Response, Unanswered> {
    match app.work(move |folder| sweep::Ready::new(folder, asked)).await? {
        Ok(ready) => app.stream(ready.points(), move |mailbox| ready.play(mailbox)),
        Err(faults) => Ok(faulty(faults)),
    }
}

/// Makes the report of a saved ruleset.
async fn report_of(State(app): State<App>, Json(asked): Json<export::Asked>) -> Result<Response, Unanswered> {
    let (text, name) = (asked.text.clone(), asked.name.clone());
    let (strategies, seed, games) = (asked.strategies.clone(), asked.seed, asked.games);
    let games = app.work(move |folder| {
        let same = folder.text(&name).is_ok_and(|found| found == text);
        let unsaved = || vec![fault(format!("save {name} first: the report is of the file"))];
        // The same limits as for the simulation on the page.
        let asked =
            play::Asked { name: name.clone(), text, strategies, seed, games, target: 0.0, pinned: None };
        gallery::has_place(folder, seed).map_err(|error| vec![fault(error.to_string())])?;
        play::Ready::new(folder, asked).and_then(|it| if same { Ok(it.games()) } else { Err(unsaved()) })
    });
    let asked = match games.await? {
        Ok(games) => export::Asked { games, ..asked },
        Err(faults) => return Ok(faulty(faults)),
    };
    let ready = export::Ready { program: app.program.clone(), folder: app.folder.clone(), asked };
    app.stream(1, move |mailbox| ready.make(mailbox))
}

async fn jobs(State(app): State<App>) -> Result<Response, Unanswered> {
    let all = app.jobs.clone();
    Ok(Json(app.work(move |_| all.list()).await?).into_response())
}

/// Request about jobs: a new job, or the name of one.
#[derive(Deserialize)]
#[serde(untagged)]
enum AboutJob {
    New(Job),
    Old(Named),
}

async fn job(
    State(app): State<App>,
    Path(what): Path<String>,
    Json(about): Json<AboutJob>,
) -> Result<Response, Unanswered> {
    let jobs = app.jobs.clone();
    let name = |name: String| Named { name };
    let done = app.work(move |_| match (&*what, about) {
        ("start", AboutJob::New(job)) => jobs.start(job).map(name),
        ("resume", AboutJob::Old(Named { name })) => jobs.resume(&name).map(|()| Named { name }),
        ("remove", AboutJob::Old(Named { name })) => jobs.remove(&name).map(|()| Named { name }),
        ("stop", AboutJob::Old(Named { name })) => {
            jobs.stop(&name);
            Ok(Named { name })
        }
        _ => Err(vec![fault("a job is started, stopped, resumed or removed".into())]),
    });
    Ok(found(done.await?))
}

/// Answers with a result, or with its faults.
fn found<T: Serialize>(found: Result<T, Vec<Told>>) -> Response {
    match found {
        Ok(found) => Json(found).into_response(),
        Err(faults) => faulty(faults),
    }
}

async fn state(State(app): State<App>, Json(asked): Json<game::Asked>) -> Result<Response, Unanswered> {
    Ok(found(app.work(move |folder| asked.state(folder)).await?))
}

async fn hint(State(app): State<App>, Json(asked): Json<game::Asked>) -> Result<Response, Unanswered> {
    let thought = app.think(THOUGHT, move |folder| asked.hint(folder)).await?;
    let too_long = || {
        vec![fault(format!(
            "no move within {} seconds: the player thinks too long, or others are thinking; ask one who thinks less, \
             such as search:level=1",
            THOUGHT.as_secs()
        ))]
    };
    Ok(found(thought.unwrap_or_else(|| Err(too_long()))))
}

async fn record(State(app): State<App>, Json(asked): Json<game::Asked>) -> Result<Response, Unanswered> {
    let done = app.work(move |folder| {
        let record = asked.record(folder)?;
        let unsaved = || Refused {
            refused: format!(
                "a record names the file {}, which does not have these rules",
                one_line(&asked.name)
            ),
        };
        Ok(if asked.is_saved(folder) { Ok(record) } else { Err(unsaved()) })
    });
    Ok(match done.await? {
        Ok(Ok(record)) => Json(record).into_response(),
        Ok(Err(unsaved)) => (StatusCode::CONFLICT, Json(unsaved)).into_response(),
        Err(faults) => faulty(faults),
    })
}

async fn watch(State(app): State<App>, Json(asked): Json<game::Asked>) -> Result<Response, Unanswered> {
    let folder = app.folder.clone();
    app.watch(move |mailbox, thinking| asked.watch(&folder, mailbox, thinking))
}

async fn lost(State(app): State<App>, Json(asked): Json<game::Asked>) -> Result<Response, Unanswered> {
    let folder = app.folder.clone();
    app.stream(1, move |mailbox| asked.lost(&folder, mailbox))
}

async fn review(State(app): State<App>, Json(asked): Json<game::Asked>) -> Result<Response, Unanswered> {
    let folder = app.folder.clone();
    app.stream(0, move |mailbox| asked.review(&folder, mailbox))
}
