//! Writes a new application that runs and passes its tests at once.

pub(crate) mod again;
mod from_database;
mod url;

use std::path::Path;

use anyhow::{Context, Result, bail};
use heck::{ToKebabCase, ToSnakeCase};

use crate::arguments::NewArguments;
use crate::database::{Directions, Wanted};
use crate::files::Files;
use crate::model::secrets;
use crate::source::resource::Readers;
use crate::{make, naming, terminal};

/// The files of a new application. `{{crate}}` is its name as Rust writes it, `{{package}}` as cargo does,
/// `{{listing}}` and `{{listing-axum}}` say where the crates are.
const TEMPLATE: &[(&str, &str)] = &[
    (
        ".cargo/config.toml",
        include_str!("template/cargo_config.toml.txt"),
    ),
    (".gitignore", include_str!("template/gitignore.txt")),
    ("Cargo.toml", include_str!("template/Cargo.toml.txt")),
    ("README.md", include_str!("template/README.md.txt")),
    ("listing.toml", include_str!("template/listing.toml.txt")),
    ("src/entity/mod.rs", include_str!("template/entity.rs.txt")),
    (
        "src/entity/product.rs",
        include_str!("template/product.rs.txt"),
    ),
    ("src/lib.rs", include_str!("template/lib.rs.txt")),
    ("src/main.rs", include_str!("template/main.rs.txt")),
    (
        "src/migration/mod.rs",
        include_str!("template/migration.rs.txt"),
    ),
    (
        "src/migration/m20260101_000001_create_products.rs",
        include_str!("template/create_products.rs.txt"),
    ),
    ("src/service.rs", include_str!("template/service.rs.txt")),
    (
        make::APPLICATION_IN_TESTS,
        include_str!("template/application.rs.txt"),
    ),
    ("tests/products.rs", include_str!("template/tests.rs.txt")),
];

pub(crate) fn run(arguments: &NewArguments) -> Result<()> {
    let path = &arguments.path;
    let name = path
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .with_context(|| format!("{} does not name a folder", path.display()))?;
    let (package, krate) = (name.to_kebab_case(), name.to_snake_case());
    // A word of the language, or a crate on which the application depends.
    let taken =
        ["gen", "axum", "core", "listing", "std", "test", "tokio"].contains(&krate.as_str());
    if taken || syn::parse_str::<syn::Ident>(&krate).is_err() {
        bail!(
            "`{name}` cannot be the name of a package; use letters, digits and `-`, and no word that Rust reserves"
        );
    }
    if path
        .read_dir()
        .is_ok_and(|mut entries| entries.next().is_some())
    {
        bail!("{} already exists and is not empty", path.display());
    }
    let checkout = checkout(arguments.listing_path.as_deref())?;
    let dependency = |name: &str| match &checkout {
        Some(root) => format!(
            "path = {}",
            naming::literal(&format!("{root}/crates/{name}"))
        ),
        None => format!("version = \"{}\"", env!("CARGO_PKG_VERSION")),
    };
    let mut files = Files::new(path, false);
    let readers = Readers::of(arguments.public);
    let form = match arguments.explicit {
        true => make::Form::Functions,
        false => make::Form::Words,
    };
    let filled = |text: &str| {
        text.replace("{{package}}", &package)
            .replace("{{crate}}", &krate)
            .replace("{{listing}}", &dependency("listing"))
            .replace("{{listing-axum}}", &dependency("listing-axum"))
            .replace("{{needs}}", needs(readers))
            .replace("{{files}}", files_of(form))
            .replace("{{do}}", only_callers(readers))
            .replace("{{unknown}}", readers.status_of_unknown())
    };
    let mut told = None;
    let mut has_callers = true;
    match &arguments.from_database {
        None => {
            for (file, text) in TEMPLATE {
                files.create(file, filled(text))?;
            }
        }
        Some(url) => {
            let wanted = Wanted {
                except: &arguments.except,
                ..Wanted::default()
            };
            let application = from_database::Application::read(
                url,
                wanted,
                arguments.crud,
                readers,
                Directions::Both,
            )?;
            has_callers = application.has_callers();
            for (file, text) in application.files() {
                files.create(&file, filled(&text))?;
            }
            told = Some(application.told());
        }
    }
    if is_inside_a_workspace(path) {
        let manifest = files.read("Cargo.toml").unwrap_or_default();
        files.edit("Cargo.toml", manifest + "\n[workspace]\n");
    }
    if arguments.from_database.is_none() {
        // The same code as for every other entity, so that readers learn the general form here.
        let wanted = make::Wanted {
            endpoints: make::Endpoints::Crud,
            readers,
            form,
        };
        make::add_listing(&mut files, path, "Product", wanted)?;
    }
    files.apply(arguments.dry_run)?;
    let mut environment = String::new();
    if let Some(told) = told {
        for note in &told.notes {
            terminal::doubtful("note", note);
        }
        terminal::line(&format!("\n{}", told.summary));
        secrets::tell(&told.left_out, secrets::IN_FILES);
        if told.secret {
            environment =
                "  export DATABASE_URL=…        # the URL has a password, which is in no file\n"
                    .to_owned();
        }
    }
    if !arguments.dry_run {
        let shown = path.display();
        terminal::heading("\nNext:");
        // The token of the first caller.
        let run = match has_callers {
            true => "API_TOKEN=secret cargo run   # callers send `authorization: Bearer secret`",
            false => "cargo run",
        };
        terminal::line(&format!("  cd {shown}\n{environment}  cargo test\n  {run}"));
    }
    Ok(())
}

/// The message of a program that was started without a token.
fn needs(readers: Readers) -> &'static str {
    match readers {
        Readers::SignedIn => "Every request needs a token",
        Readers::Everybody => "Writing needs a token",
    }
}

/// The lines of the README about the files in which entities are.
fn files_of(form: make::Form) -> &'static str {
    match form {
        make::Form::Words => {
            "| `src/entity` | the tables, as SeaORM entities; the words at each column say what clients can do with it |\n\
             | `src/resources` | which entities are served |"
        }
        make::Form::Functions => {
            "| `src/entity` | the tables, as SeaORM entities |\n\
             | `src/listings` | what clients can ask of each: fields, relations, filters, sorts |\n\
             | `src/resources` | which entities are served, who may read and write them, and what clients send |"
        }
    }
}

/// The operations of signed-in callers.
fn only_callers(readers: Readers) -> &'static str {
    match readers {
        Readers::SignedIn => "read_and_write",
        Readers::Everybody => "write",
    }
}

/// Cargo treats a package inside a workspace as a member, unless it has its own workspace.
fn is_inside_a_workspace(path: &Path) -> bool {
    let Ok(path) = std::path::absolute(path) else {
        return false;
    };
    let is_root = |folder: &Path| {
        std::fs::read_to_string(folder.join("Cargo.toml"))
            .is_ok_and(|text| text.lines().any(|line| line.trim() == "[workspace]"))
    };
    path.ancestors().skip(1).any(is_root)
}

/// The checkout of the project on which the application depends: the one that was named, or the one from which this
/// command was built. None if the command was installed from published crates: the application then uses those too.
fn checkout(named: Option<&Path>) -> Result<Option<String>> {
    let built_from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let root = named.unwrap_or(&built_from);
    let root = root.canonicalize().ok().filter(|root| {
        let has = |name: &str| root.join("crates").join(name).join("Cargo.toml").is_file();
        has("listing") && has("listing-axum")
    });
    match root {
        Some(root) => Ok(Some(root.to_string_lossy().replace('\\', "/"))),
        None if named.is_some() => bail!(
            "the crates are not in that folder; name a checkout of the project with `--listing-path FOLDER`"
        ),
        None => Ok(None),
    }
}
