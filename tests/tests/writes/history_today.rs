//! A history under a definition that is another one than on the day of its changes (d131).

use listing::Context;
use listing_axum::Api;
use serde_json::{Value, json};

use crate::history::{PATH, client};
use crate::hooked::send;
use crate::plans::{App, on_each_planned, plan};

/// The same table with another whitelist: what a listing shows on another day.
mod tomorrow {
    use listing::Listing;
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, Listing)]
    #[sea_orm(table_name = "plans")]
    #[listing(
        segment = "tomorrow",
        authorize = |_| listing_axum::policy::allow_all(),
        history
    )]
    pub(super) struct Model {
        #[sea_orm(primary_key)]
        #[listing(sort)]
        pub(super) id: i64,
        pub(super) name: String,
        #[listing(default(alias = "name"), write)]
        pub(super) note: Option<String>,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

/// Rules d131, b1004.
#[test]
fn a_field_that_left_the_whitelist_is_not_shown_and_a_renamed_one_has_its_new_name() {
    on_each_planned(async |planned| {
        let client = client(planned, "history-tomorrow");
        let id = client.post(PATH, &plan("tomorrow")).await.created();
        let path = format!("{PATH}/{id}");
        let _ = send(&client, "PATCH", &path, &json!({ "name": "later" }))
            .await
            .ok();
        let _ = send(&client, "PATCH", &path, &json!({ "note": "renamed" }))
            .await
            .ok();
        let api = Api::<App>::new("/api").crud::<tomorrow::Entity>();
        let later = planned.with_listing::<tomorrow::Entity>();
        let later = later.client_of(api, "history-tomorrow", Context::new());
        let reply = later
            .get(&format!("/api/tomorrow/{id}/_history"))
            .await
            .ok();
        let said: Vec<_> = reply.items();
        let said: Vec<_> = said
            .iter()
            .map(|change| (&change["number"], &change["old"], &change["new"]))
            .collect();
        // `name` was the name of another column.
        assert_eq!(
            said,
            [
                (
                    &json!(2),
                    &json!({ "name": "A note." }),
                    &json!({ "name": "renamed" })
                ),
                (&json!(1), &Value::Null, &json!({ "name": "A note." })),
            ]
        );
    });
}
