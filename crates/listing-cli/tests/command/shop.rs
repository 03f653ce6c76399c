//! A generated application, with entities from a database and one that was written by hand.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Mutex, OnceLock, PoisonError};

use sea_orm::{ConnectionTrait, Database};

/// Tables that were there before the application.
pub(crate) const LEGACY: &str = "
    CREATE TABLE customers (id integer PRIMARY KEY AUTOINCREMENT, name varchar(255) NOT NULL,
        email varchar(255) NOT NULL UNIQUE, api_token varchar(64));
    CREATE TABLE orders (id integer PRIMARY KEY AUTOINCREMENT, number varchar(20) NOT NULL UNIQUE,
        customer_id bigint NOT NULL REFERENCES customers (id), parent_id bigint REFERENCES orders (id),
        total decimal(10, 2) NOT NULL, type varchar(20), note text, weight double NOT NULL DEFAULT 0,
        created_at timestamp_with_timezone_text NOT NULL);
    CREATE TABLE accounts (id integer PRIMARY KEY AUTOINCREMENT, customer_id bigint REFERENCES customers (id),
        login varchar(100) NOT NULL UNIQUE, password_hash varchar(255) NOT NULL, reset_token varchar(64),
        state varchar(10) NOT NULL, biography text, deleted_at timestamp_with_timezone_text)
";

/// An entity that a developer wrote.
pub(crate) const ACCOUNT: &str = r#"//! The entity of the table `accounts`.

use sea_orm::entity::prelude::*;

/// The state of an account.
#[derive(Clone, Debug, PartialEq, Eq, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "String(StringLen::N(10))")]
pub enum State {
    /// Not confirmed.
    #[sea_orm(string_value = "new")]
    New,
    /// In use.
    #[sea_orm(string_value = "open")]
    Open,
}

/// An account.
#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "accounts")]
pub struct Model {
    /// Primary key.
    #[sea_orm(primary_key)]
    pub id: i64,
    /// Its customer.
    pub customer_id: Option<i64>,
    /// The name to sign in with.
    #[sea_orm(column_type = "String(StringLen::N(100))", unique)]
    pub login: String,
    /// A secret.
    pub password_hash: String,
    /// Another secret.
    pub reset_token: Option<String>,
    /// Its state.
    pub state: State,
    /// A long text.
    #[sea_orm(column_type = "Text", nullable)]
    pub biography: Option<String>,
    /// When it was closed.
    pub deleted_at: Option<DateTimeUtc>,
    /// Relation `customer`.
    #[sea_orm(belongs_to, from = "customer_id", to = "id")]
    pub customer: BelongsTo<Option<super::customer::Entity>>,
}

impl ActiveModelBehavior for ActiveModel {}
"#;

/// How a command ended.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) ok: bool,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl From<Output> for Ended {
    fn from(output: Output) -> Self {
        Self {
            ok: output.status.success(),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

impl Ended {
    #[track_caller]
    pub(crate) fn well(self) -> Self {
        assert!(self.ok, "{}\n{}", self.out, self.err);
        self
    }

    #[track_caller]
    pub(crate) fn badly(self) -> Self {
        assert!(!self.ok, "{}\n{}", self.out, self.err);
        self
    }

    #[track_caller]
    pub(crate) fn says(self, text: &str) -> Self {
        let said = format!("{}\n{}", self.out, self.err);
        assert!(said.contains(text), "`{text}` is not in:\n{said}");
        self
    }
}

/// The folder of these tests.
pub(crate) fn room() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("listing-cli")
}

/// Where applications are built: with this workspace, so that dependencies that both have are compiled once.
pub(crate) fn target() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("..")
}

/// The command, in a folder.
pub(crate) fn listing(folder: &Path, arguments: &[&str]) -> Ended {
    let command = Command::new(env!("CARGO_BIN_EXE_listing"));
    run(command, folder, arguments)
}

/// Cargo, in a folder. Lints are checked while it builds: a build of its own for clippy would compile every
/// dependency a second time.
pub(crate) fn cargo(folder: &Path, arguments: &[&str]) -> Ended {
    run(Command::new(env!("CARGO")), folder, arguments)
}

pub(crate) fn run(mut command: Command, folder: &Path, arguments: &[&str]) -> Ended {
    let deny_warnings = "-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__";
    command
        .args(arguments)
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", target())
        .env("CARGO_NET_OFFLINE", "true")
        .env("CARGO_PROFILE_DEV_DEBUG", "0")
        .env("CARGO_INCREMENTAL", "0")
        .env_remove("DATABASE_URL");
    if has_clippy() {
        command
            .env("RUSTC_WORKSPACE_WRAPPER", "clippy-driver")
            .env("CLIPPY_ARGS", deny_warnings);
    }
    Ended::from(command.output().unwrap())
}

/// Whether the lints are installed; where they are not, the rest can be tested all the same.
fn has_clippy() -> bool {
    static HAS: OnceLock<bool> = OnceLock::new();
    *HAS.get_or_init(|| {
        let asked = Command::new("clippy-driver").arg("--version").output();
        asked.is_ok_and(|output| output.status.success())
    })
}

/// Runs statements on a SQLite file, which is created if it does not exist.
pub(crate) fn on_sqlite(file: &Path, statements: &str) {
    let url = format!("sqlite:{}?mode=rwc", file.display());
    on_database(&url, statements);
}

pub(crate) fn on_database(url: &str, statements: &str) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let db = Database::connect(url).await.unwrap();
        for statement in statements.split(';').filter(|text| !text.trim().is_empty()) {
            db.execute_unprepared(statement)
                .await
                .unwrap_or_else(|error| panic!("{statement}: {error}"));
        }
    });
}

/// The application: new, with two entities from a database and one by hand. Its sources are not changed by tests.
pub(crate) fn shop() -> PathBuf {
    static SHOP: OnceLock<PathBuf> = OnceLock::new();
    SHOP.get_or_init(create).clone()
}

fn create() -> PathBuf {
    let room = room();
    let shop = room.join("shop");
    let _ = fs::remove_dir_all(&shop);
    fs::create_dir_all(&room).unwrap();
    listing(&room, &["new", "shop"]).well();
    // No network: the versions are those of this workspace.
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    fs::copy(workspace.join("Cargo.lock"), shop.join("Cargo.lock")).unwrap();
    with_lints_of(&workspace, &shop);
    let legacy = shop.join("legacy.sqlite");
    on_sqlite(&legacy, LEGACY);
    let url = format!("sqlite:{}", legacy.display());
    for entity in ["Customer", "Order"] {
        listing(&shop, &["make", entity, "--crud", "--from-database", &url]).well();
    }
    without_slashes(&shop, "src/listings/customer.rs");
    without_slashes(&shop, "src/resources/customer.rs");
    fs::write(shop.join("src/entity/account.rs"), ACCOUNT).unwrap();
    let entities = fs::read_to_string(shop.join("src/entity/mod.rs")).unwrap();
    fs::write(
        shop.join("src/entity/mod.rs"),
        entities + "pub mod account;\n",
    )
    .unwrap();
    listing(&shop, &["make", "Account", "--explicit"]).well();
    for made in [CATEGORY, REVIEW] {
        let words: Vec<_> = made.split_whitespace().collect();
        listing(&shop, &words).well();
    }
    without_slashes(&shop, "src/entity/review.rs");
    cargo(&shop, &["fmt"]).well();
    shop
}

/// An entity that references itself, and one with a column of each type.
const CATEGORY: &str = "make Category name:string:unique parent:references?:category";
const REVIEW: &str = "make Review title:string body:text? rating:integer votes:bigint cost:decimal weight:float \
    is_public:boolean day:date read_at:datetime? code:uuid extra:json type:string? product:references \
    replaced:references?:product";

/// Deletes the slashes before code that was left out, as the comments there say: secrets and hooks.
fn without_slashes(shop: &Path, file: &str) {
    let text = fs::read_to_string(shop.join(file)).unwrap();
    let lines = text
        .lines()
        .map(|line| match line.trim().strip_prefix("// ") {
            Some(code) if !code.ends_with(':') && !code.ends_with('.') => code,
            _ => line,
        });
    let changed: Vec<_> = lines.collect();
    let changed = changed.join("\n") + "\n";
    assert_ne!(changed, text, "{file}");
    fs::write(shop.join(file), changed).unwrap();
}

/// The lints of this workspace in place of those of a new application.
fn with_lints_of(workspace: &Path, shop: &Path) {
    let ours = fs::read_to_string(workspace.join("Cargo.toml")).unwrap();
    let start = ours.find("[workspace.lints.rust]").unwrap();
    let end = ours.find("[profile.dev]").unwrap();
    let lints = ours[start..end].replace("workspace.lints", "lints");
    let manifest = fs::read_to_string(shop.join("Cargo.toml")).unwrap();
    let (before, after) = manifest.split_at(manifest.find("[lints.rust]").unwrap());
    let workspace_table = after.find("[workspace]").map_or("", |at| &after[at..]);
    let text = format!("{before}{lints}{workspace_table}");
    fs::write(shop.join("Cargo.toml"), text).unwrap();
}

/// The manifest with what only the shop depends on, so that both have the same dependencies with the same features, and these
/// are compiled once.
pub(crate) fn with_dependencies_of_shop(manifest: &str) -> String {
    let shop = fs::read_to_string(shop().join("Cargo.toml")).unwrap();
    let is_extra = |line: &&str| line.starts_with("sea-orm-migration =");
    let extra = shop.lines().find(is_extra).unwrap();
    manifest
        .replacen("[dependencies]\n", &format!("[dependencies]\n{extra}\n"), 1)
        .replacen("\"log\", ", "\"log\", \"migrations\", ", 1)
}

/// The application, built and tested; its exit code and its words.
pub(crate) fn tested_shop() -> PathBuf {
    static TESTED: Mutex<bool> = Mutex::new(false);
    let shop = shop();
    let mut tested = TESTED.lock().unwrap_or_else(PoisonError::into_inner);
    if !*tested {
        cargo(&shop, &["test", "--quiet"])
            .well()
            .says("4 passed")
            .says("2 passed");
        *tested = true;
    }
    shop
}

/// The application's whole schema in a file of its own: its own tables and those that were there before.
pub(crate) fn database(name: &str) -> (PathBuf, String) {
    let shop = tested_shop();
    let file = shop.join(format!("{name}.sqlite"));
    let _ = fs::remove_file(&file);
    on_sqlite(&file, LEGACY);
    let url = format!("sqlite:{}", file.display());
    let mut migrate = Command::new(target().join("debug/shop"));
    migrate.env("DATABASE_URL", &url).arg("migrate");
    // Not by `run`, which takes the variable away.
    let ended = Ended::from(migrate.current_dir(&shop).output().unwrap());
    ended.well();
    (file, url)
}
