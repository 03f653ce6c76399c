//! What is refused: addresses that are not public, and targets that say what they must not.

use blog::entity::tag;
use listing_axum::config::ConfigError;
use listing_axum::{Api, PublicRead};

use crate::*;

/// Rules d130, b1192.
#[test]
fn a_name_that_leads_to_a_private_address_is_not_connected_to() {
    on_each_fresh(async |world| {
        let receiver = Receiver::taking().await;
        let mut closed = target(&receiver.url.replace("127.0.0.1", "localhost"));
        closed.allow_private = false;
        let mut open = closed.clone();
        open.allow_private = true;
        let running = Running::start(dispatcher(world, &config([("crm", closed)])));
        create(&world.client(), &["one"]).await;
        until(world, "two attempts were refused", async |world| {
            let attempts: Vec<i32> = world.deliveries("attempts").await;
            attempts.first().is_some_and(|attempts| *attempts >= 2)
        })
        .await;
        running.end().await;
        let outcome: Vec<String> = world.deliveries("outcome").await;
        let refused = "the host has no public address, and `allow_private` is off";
        assert_eq!(outcome, [refused]);
        assert_eq!(receiver.all().len(), 0);
        // The same name, where it is allowed.
        let running = Running::start(dispatcher(world, &config([("crm", open)])));
        receiver.wait_for(1).await;
        all_are_delivered(world).await;
        running.end().await;
    });
}

/// Rules b1191, b1192.
#[test]
fn a_target_that_cannot_be_right_is_refused_at_start_up() {
    let refused = |change: &dyn Fn(&mut WebhookConfig)| {
        let mut crm = WebhookConfig::new("https://crm.example.org/hooks", SECRET);
        change(&mut crm);
        let refused = Webhooks::new(&config([("crm", crm)]), &routes()).unwrap_err();
        let shown = format!("{refused} {refused:?}");
        assert!(!shown.contains("hunter2"), "{shown}");
        refused.to_string()
    };
    let events = |words: &[&str]| {
        let words: Vec<_> = words.iter().map(|word| (*word).to_owned()).collect();
        refused(&|crm| crm.events.clone_from(&words))
    };
    for (words, problem) in [
        (
            &["nots.store"][..],
            "there is no list `nots`; did you mean `notes`?",
        ),
        (
            &["orders.*"],
            "there is no list `orders`; lists with events: notes",
        ),
        (
            &["tags.*"],
            "the list `tags` has no events; lists with events: notes",
        ),
        (
            &["notes.*", "notes.updated"],
            "there is no operation `updated`; did you mean `update`?",
        ),
        (
            &["notes.show"],
            "there is no operation `show`; operations: store, update, destroy, force_destroy, restore, *",
        ),
        (
            &["notes"],
            "`notes` is not a list and an operation, such as `notes.*`",
        ),
    ] {
        assert_eq!(events(words), format!("`webhooks.crm.events`: {problem}"));
    }
    for private in [
        "http://127.0.0.1/hunter2",
        "https://[::1]/hunter2",
        "http://169.254.169.254/",
        "http://[::ffff:10.0.0.1]/",
    ] {
        assert_eq!(
            refused(&|crm| crm.url = private.into()),
            "`webhooks.crm.url`: its address is private, and `allow_private` is off"
        );
    }
    assert_eq!(
        refused(&|crm| crm.url = "ftp://hunter2/".into()),
        "`webhooks.crm.url`: expected an `https://` or `http://` URL without user and fragment"
    );
    assert_eq!(
        refused(&|crm| crm.secret = "hunter2".into()),
        "`webhooks.crm.secret`: expected `whsec_` and 24 to 64 bytes in base64"
    );
    let unreadable = refused(&|crm| "no such folder/ca.pem".clone_into(&mut crm.ca_file));
    assert!(
        unreadable.starts_with("`webhooks.crm.ca_file`: no such folder/ca.pem: "),
        "{unreadable}"
    );

    let without = Api::<World>::new("/api")
        .read::<PublicRead<tag::Entity>>()
        .finish()
        .unwrap()
        .1;
    let crm = WebhookConfig::new("https://crm.example.org/hooks", SECRET);
    let refused = Webhooks::new(&config([("crm", crm)]), &without).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "`webhooks.crm.events`: no list has events (`WritableResource::events`)"
    );
}

const FILE: &str = r#"
    [webhooks.crm]
    url = "https://crm.example.org/hooks"
    secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    events = ["articles.store", "comments.*"]
    timeout_seconds = 5
    [webhooks.search_index]
    url = "http://search:9200/"
    allow_private = true
    concurrency = 1
    ca_file = "ca.pem"
"#;

fn read(file: &str, variables: &[(&str, &str)]) -> Result<Config, ConfigError> {
    let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    Config::from_parts("listing.toml", file, variables.iter().map(owned))
}

/// Rules d130, b1191.
#[test]
fn targets_are_read_from_the_file_and_the_environment() {
    let secret = ("LISTING_WEBHOOKS_SEARCH_INDEX_SECRET", SECRET);
    let targets = read(FILE, &[secret]).unwrap().webhooks;
    let names: Vec<_> = targets.keys().collect();
    assert_eq!(names, ["crm", "search_index"]);
    let mut crm = WebhookConfig::new("https://crm.example.org/hooks", SECRET);
    crm.events = vec!["articles.store".to_owned(), "comments.*".to_owned()];
    crm.timeout_seconds = 5;
    assert_eq!(targets["crm"], crm);
    let mut index = WebhookConfig::new("http://search:9200/", SECRET);
    (index.allow_private, index.concurrency) = (true, 1);
    "ca.pem".clone_into(&mut index.ca_file);
    assert_eq!(targets["search_index"], index);

    // The environment goes before the file, and needs none.
    let variables = [
        ("LISTING_WEBHOOKS_CRM_URL", "https://crm.example.org/hooks"),
        ("LISTING_WEBHOOKS_CRM_SECRET", SECRET),
        ("LISTING_WEBHOOKS_CRM_EVENTS", "articles.store, comments.*"),
        ("LISTING_WEBHOOKS_CRM_TIMEOUT_SECONDS", "5"),
        // Of Kubernetes, for a service that is called `listing-webhooks`.
        ("LISTING_WEBHOOKS_SERVICE_HOST", "10.0.0.1"),
    ];
    assert_eq!(read("", &variables).unwrap().webhooks["crm"], crm);
    let other = read(
        FILE,
        &[secret, ("LISTING_WEBHOOKS_CRM_ALLOW_PRIVATE", "true")],
    )
    .unwrap();
    assert!(other.webhooks["crm"].allow_private);
    assert!(read("", &[]).unwrap().webhooks.is_empty());
}

/// Rules b1191, b61.
#[test]
fn a_mistake_in_a_target_is_told_with_its_place_and_without_what_is_secret() {
    let told = |file: &str, variables: &[(&str, &str)]| {
        let refused = read(file, variables).unwrap_err();
        let shown = format!("{refused} {refused:?}");
        assert!(!shown.contains("hunter2"), "{shown}");
        refused.to_string()
    };
    for (file, problem) in [
        (
            "webhooks = 1",
            "there is no key `webhooks`; a target is a table, `[webhooks.<name>]`",
        ),
        (
            "[webhooks]\nurl = \"hunter2\"",
            "there is no key `webhooks.url`; a target is a table, `[webhooks.<name>]`",
        ),
        (
            "[webhooks.\"My CRM\"]",
            "there is no key `webhooks.My CRM`; the name of a target has lowercase letters, digits and `_`, begins with a letter, and has at most 64 characters",
        ),
        (
            "[webhooks.crm]\nsecrets = \"hunter2\"",
            "there is no key `webhooks.crm.secrets`; did you mean `secret`?",
        ),
        (
            "[webhooks.crm]\nzzz = 1",
            "there is no key `webhooks.crm.zzz`; keys of a target: url, secret, events, allow_private, timeout_seconds, concurrency, ca_file",
        ),
        (
            "[webhooks.crm]\nurl = \"hunter2\"",
            "`webhooks.crm.url` is a value that is not shown, expected an `https://` or `http://` URL without user and fragment",
        ),
        (
            "[webhooks.crm]\nsecret = [\"hunter2\"]",
            "`webhooks.crm.secret` is a value that is not shown, expected `whsec_` and 24 to 64 bytes in base64",
        ),
        (
            "[webhooks.crm]\ntimeout_seconds = 301",
            "`webhooks.crm.timeout_seconds` is 301, expected an integer from 1 to 300",
        ),
        (
            "[webhooks.crm]\nconcurrency = \"3\"",
            "`webhooks.crm.concurrency` is \"3\", expected an integer from 1 to 100",
        ),
        (
            "[webhooks.crm]\nevents = []",
            "`webhooks.crm.events` is [], expected a list such as `[\"articles.store\", \"comments.*\"]`, in the environment separated by commas",
        ),
    ] {
        assert_eq!(told(file, &[]), format!("listing.toml: {problem}"));
    }
    let missing = |key: &str| {
        let variable = key.replace('.', "_").to_uppercase();
        format!("`{key}` is missing: set it in the file, or by the variable LISTING_{variable}")
    };
    assert_eq!(told(FILE, &[]), missing("webhooks.search_index.secret"));
    // A target that is misspelt has no address.
    let misspelt = ("LISTING_WEBHOOKS_SEARCH_INDX_SECRET", SECRET);
    let other = ("LISTING_WEBHOOKS_SEARCH_INDEX_SECRET", SECRET);
    assert_eq!(
        told(FILE, &[misspelt, other]),
        missing("webhooks.search_indx.url")
    );
    let variable = |name: &str, value: &str| told(FILE, &[other, (name, value)]);
    assert_eq!(
        variable("LISTING_WEBHOOKS_CRM_SECRETS", "hunter2"),
        "the variable LISTING_WEBHOOKS_CRM_SECRETS is unknown; did you mean `LISTING_WEBHOOKS_CRM_SECRET`?"
    );
    assert_eq!(
        variable("LISTING_WEBHOOKS_CRM_SECRET", "hunter2"),
        "the variable LISTING_WEBHOOKS_CRM_SECRET: `webhooks.crm.secret` is a value that is not shown, expected `whsec_` and 24 to 64 bytes in base64"
    );
    assert_eq!(
        variable("LISTING_WEBHOOKS_CRM_CONCURRENCY", "many"),
        "the variable LISTING_WEBHOOKS_CRM_CONCURRENCY: `webhooks.crm.concurrency` is \"many\", expected an integer from 1 to 100"
    );
}
