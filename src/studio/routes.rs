//! Maps requests to their handlers.

use axum::Router;
use axum::extract::{DefaultBodyLimit, Json, Path, Request, State};
use axum::http::StatusCode;
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::timeout;

use crate::text::one_line;

use super::app::{App, Unanswered, refused};
use super::design::Faults;
use super::jobs::{Job, Jobs};
use super::{
    Folder, NotInFolder, assets, design, gallery, game, gate, mailbox::Mailbox, pages, play, scripts, sweep,
};

/// Maximum size of a request body in bytes: two rulesets, with some room for JSON escapes.
const MOST_BODY: usize = 1 << 20;
/// Time limit for a request to arrive and be answered; a stream only has to start within it.
const PATIENCE: Duration = Duration::from_secs(20);

/// Time limit for a strategy to think about one position, including the wait for others; and the paths it applies to.
const THOUGHT: Duration = Duration::from_secs(120);
const HINT: &str = "/api/hint";

type Answer = Result<Response, Unanswered>;

pub(super) fn router(app: App) -> Router {
    let gate = app.gate.clone();
    Router::new()
        .route("/", get(|app| page(app, pages::design)))
        .route("/table", get(|app| page(app, pages::table)))
        .route("/scripts", get(|app| page(app, pages::scripts)))
        .route("/gallery", get(|app| page(app, pages::gallery)))
        .route("/reports/{*path}", get(report))
        .route("/assets/{name}", get(|Path(name): Path<String>| async move { assets::asset(&name) }))
        .route("/favicon.ico", get(|| async { assets::asset("icon.svg") }))
        .route("/api/file", post(file))
        .route("/api/save", post(save))
        .route("/api/shelf", post(shelf))
        .route(
            "/api/rules",
            post(|app, asked| answer(app, asked, |it, folder| Ok(design::judge(it, folder)))),
        )
        .route(
            "/api/script",
            post(|app, asked| answer(app, asked, |it, folder| Ok(scripts::judge(&it, folder)))),
        )
        .route(
            "/api/play",
            post(|app, it| stream(app, it, play::Ready::new, play::Ready::players, play::Ready::play)),
        )
        .route(
            "/api/sweep",
            post(|app, it| stream(app, it, sweep::Ready::new, sweep::Ready::points, sweep::Ready::play)),
        )
        .route(
            "/api/compare",
            post(|app, it| stream(app, it, scripts::Rivals::new, |_| 1, scripts::Rivals::play)),
        )
        .route("/api/profile", post(|app, it| run(app, it, scripts::profile)))
        .route("/api/review", post(|app, it| run(app, it, game::Asked::review)))
        .route("/api/lost", post(|app, it| run(app, it, game::Asked::lost)))
        .route("/api/watch", post(watch))
        .route("/api/table", post(|app, it| answer(app, it, game::Asked::state)))
        .route(HINT, post(hint))
        .route("/api/record", post(record))
        .route("/api/jobs", post(jobs))
        .route("/api/jobs/{what}", post(job))
        .fallback(|| async { (StatusCode::NOT_FOUND, "there is no such page\n") })
        .with_state(app)
        .layer(DefaultBodyLimit::max(MOST_BODY))
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

async fn page(State(app): State<App>, render: fn(&Folder, &str) -> String) -> Answer {
    let token = app.gate.page_token().to_string();
    Ok(Html(app.work(move |folder| render(folder, &token)).await?).into_response())
}

/// Answers with the result of a short task.
async fn answer<A: Send + 'static, T: Serialize + Send + 'static>(
    State(app): State<App>,
    Json(asked): Json<A>,
    work: fn(A, &Folder) -> Result<T, Faults>,
) -> Answer {
    Ok(Json(app.work(move |folder| work(asked, folder)).await??).into_response())
}

/// Streams a run of a valid request, with this many senders.
async fn stream<A: Send + 'static, R: Send + 'static>(
    State(app): State<App>,
    Json(asked): Json<A>,
    ready: fn(&Folder, A) -> Result<R, Faults>,
    senders: fn(&R) -> usize,
    play: fn(&R, &Mailbox),
) -> Answer {
    let ready = app.work(move |folder| ready(folder, asked)).await??;
    app.stream(senders(&ready), move |_, mailbox| play(&ready, mailbox))
}

/// Streams a run that finds out itself whether its request is valid.
async fn run<A: Send + 'static>(
    State(app): State<App>,
    Json(asked): Json<A>,
    run: fn(&A, &Folder, &Mailbox),
) -> Answer {
    app.stream(1, move |folder, mailbox| run(&asked, folder, mailbox))
}

async fn shelf(Json(Named { name }): Json<Named>) -> Answer {
    let text = scripts::shelf_text(&name).ok_or(NotInFolder::Outside(name))?;
    Ok(Json(json!({ "text": text })).into_response())
}

async fn report(State(app): State<App>, Path(path): Path<String>) -> Answer {
    let found = app.work(move |folder| gallery::file(folder, &path)).await?;
    Ok(found.unwrap_or_else(|_| (StatusCode::NOT_FOUND, "there is no such report\n").into_response()))
}

#[derive(Deserialize)]
struct Named {
    name: String,
}

/// Returns the text of a ruleset or a script, and of no other file in the folder.
async fn file(State(app): State<App>, Json(Named { name }): Json<Named>) -> Answer {
    if !is_text(&name) {
        return Err(NotInFolder::Outside(name).into());
    }
    let text = app.work(move |folder| folder.text(&name)).await??;
    Ok(Json(json!({ "text": text })).into_response())
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

async fn save(State(app): State<App>, Json(saved): Json<Saved>) -> Answer {
    let done = app.work(move |folder| {
        let Saved { name, text, known, replace } = saved;
        if ["", ".toml", ".rhai"].contains(&name.trim()) {
            let why = "give the file a name first, such as my-house.toml";
            return Ok(refused(StatusCode::UNPROCESSABLE_ENTITY, why));
        }
        if !is_text(&name) {
            let name = format!("{name}, which ends neither in .toml nor in .rhai,");
            return Err(NotInFolder::Outside(name));
        }
        // An unfinished script may be saved; a ruleset must be valid, because others in the folder may extend it.
        if name.ends_with(".toml") && design::read(folder, &name, &text).is_err() {
            return Ok(refused(StatusCode::UNPROCESSABLE_ENTITY, "only a ruleset without errors is saved"));
        }
        let known = if replace { folder.text(&name).ok() } else { known };
        folder.save(&name, &text, known.as_deref())?;
        Ok(Json(json!({ "text": text })).into_response())
    });
    Ok(done.await??)
}

async fn jobs(State(app): State<App>) -> Answer {
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

impl AboutJob {
    /// Does what is asked, and returns the name of the job.
    fn handle(self, what: &str, jobs: &Jobs) -> Result<Value, Faults> {
        let name = match (what, self) {
            ("start", AboutJob::New(job)) => jobs.start(job)?,
            (_, AboutJob::Old(Named { name })) => {
                match what {
                    "resume" => jobs.resume(&name)?,
                    "remove" => jobs.remove(&name)?,
                    "stop" => jobs.stop(&name),
                    _ => return Err(NO_ACTION.into()),
                }
                name
            }
            _ => return Err(NO_ACTION.into()),
        };
        Ok(json!({ "name": name }))
    }
}

const NO_ACTION: &str = "a job is started, stopped, resumed or removed";

async fn job(State(app): State<App>, Path(what): Path<String>, Json(about): Json<AboutJob>) -> Answer {
    let jobs = app.jobs.clone();
    Ok(Json(app.work(move |_| about.handle(&what, &jobs)).await??).into_response())
}

async fn hint(State(app): State<App>, Json(asked): Json<game::Asked>) -> Answer {
    let Some(hint) = app.think(THOUGHT, move |folder| asked.hint(folder)).await? else {
        return Err(Faults::from(format!(
            "no move within {} seconds: the player thinks too long, or others are thinking; ask one who thinks less, \
             such as search:level=1",
            THOUGHT.as_secs()
        ))
        .into());
    };
    Ok(Json(hint?).into_response())
}

async fn record(State(app): State<App>, Json(asked): Json<game::Asked>) -> Answer {
    let done = app.work(move |folder| {
        let record = asked.record(folder)?;
        let name = &asked.rules.name;
        if folder.text(name).is_ok_and(|text| text == asked.rules.text) {
            return Ok::<_, Faults>(Json(record).into_response());
        }
        let why = format!("a record names the file {}, which does not have these rules", one_line(name));
        Ok(refused(StatusCode::CONFLICT, why))
    });
    Ok(done.await??)
}

async fn watch(State(app): State<App>, Json(asked): Json<game::Asked>) -> Answer {
    app.watch(move |folder, mailbox, thinking| asked.watch(folder, mailbox, thinking))
}
