//! The same listing twice, by words at columns and by functions: what is verified from both is the same.

use listing::describe::{self, Audience};
use listing::{Dialect, HasListing, Listings, Settings};
use serde_json::Value;

/// Whose rows a caller sees.
struct Owner(i64);

mod author {
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::Listing)]
    #[sea_orm(table_name = "authors")]
    #[listing(sort = "name")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub id: i64,
        #[listing(default, filter(eq))]
        pub name: String,
        pub email: String,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

/// Has no listing: what is shown of it is named.
mod cover {
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::NamedRelations)]
    #[sea_orm(table_name = "covers")]
    pub struct Model {
        #[sea_orm(primary_key)]
        pub id: i64,
        pub picture: String,
        pub painter: String,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

macro_rules! note {
    () => {
        #[allow(dead_code, reason = "SeaORM writes more than is used here")]
        pub mod note {
            use sea_orm::entity::prelude::*;

            #[sea_orm::model]
            #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel, listing::Listing)]
            #[sea_orm(table_name = "notes")]
            pub struct Model {
                #[sea_orm(primary_key)]
                pub id: i64,
                pub page_id: i64,
                #[listing(default, filter(eq))]
                pub text: String,
                pub written_at: DateTimeUtc,
                #[sea_orm(belongs_to, from = "page_id", to = "id")]
                pub page: BelongsTo<super::page::Entity>,
            }

            impl ActiveModelBehavior for ActiveModel {}
        }
    };
}

mod words {
    note!();

    pub mod page {
        use listing::prelude::*;
        use listing::{CountMode, Names, Plans};
        use sea_orm::entity::prelude::*;
        use sea_orm::sea_query::Query;

        use super::super::{Owner, author};

        #[sea_orm::model]
        #[derive(Clone, Debug, PartialEq, DeriveEntityModel, listing::Listing)]
        #[sea_orm(table_name = "pages")]
        #[listing(
            populate(author),
            search(full_text(title, body), language("english"), relevance),
            soft_delete = deleted_at,
            sort = "pinned:desc,author.name,one",
            show(title, owner_id),
            numeric_timestamps(created_at),
            fields = with_one,
            relations = |relations| relations,
            filters = with_long,
            sorts = |sorts| sorts.add("two"),
            scope = own,
            trashed = |context| context.get::<Owner>().is_some(),
            count = CountMode::Capped(50),
            exact_count = false,
            plans = Plans::ForEachRequest,
            names = Names::AsDefined,
            paging = Paging::new().page_size(7).max_page_size(9),
            has_key = true
        )]
        pub struct Model {
            #[sea_orm(primary_key)]
            #[listing(filter(for_keys), sort)]
            pub id: i64,
            #[listing(
                default,
                sort,
                filter(
                    eq,
                    ne,
                    lt,
                    lte,
                    gt,
                    gte,
                    contains,
                    in,
                    notIn,
                    null,
                    notNull,
                    between,
                    startsWith,
                    endsWith,
                    startsWithi,
                    endsWithi,
                    eqi,
                    nei,
                    notContains
                )
            )]
            pub title: String,
            #[listing(field, filter(text, equality, nulls))]
            pub body: Option<String>,
            #[listing(
                default(as_text),
                alias = "owner",
                filter(comparisons),
                sort(nulls_first)
            )]
            pub owner_id: Option<i64>,
            #[listing(filter(for_numbers, alias("read")), sort(nulls_last, alias("read")))]
            pub views: Option<i32>,
            #[listing(default, filter(for_booleans, default_value(true), labels([("true", "Pinned")])), sort)]
            pub pinned: bool,
            #[listing(filter(for_text))]
            pub r#type: String,
            #[listing(field(alias("written")), filter(for_times))]
            pub created_at: DateTimeUtc,
            pub deleted_at: Option<DateTimeUtc>,
            #[listing(filter(eq, labels_from(author::Column::Name), default_from(|owner: &Owner| owner.0)))]
            pub author_id: i64,
            pub cover_id: Option<i64>,
            pub secret: String,
            #[sea_orm(belongs_to, from = "author_id", to = "id")]
            #[listing(filter)]
            pub author: BelongsTo<super::super::author::Entity>,
            #[sea_orm(belongs_to, from = "cover_id", to = "id")]
            #[listing(
                default,
                populate(only(picture, painter)),
                filter(only(picture)),
                sort(picture, painter)
            )]
            pub cover: BelongsTo<Option<super::super::cover::Entity>>,
            #[sea_orm(has_many)]
            #[listing(
                alias = "remarks",
                populate(limit(3), order_by("written_at:desc,id")),
                filter,
                count(default, sort)
            )]
            pub notes: HasMany<super::note::Entity>,
        }

        impl ActiveModelBehavior for ActiveModel {}

        fn with_one(fields: Fields<Entity>) -> Fields<Entity> {
            fields
                .add(Field::computed(|| Query::select().expr(1).take(), "one").kind(Kind::Integer))
                .add(Field::computed(|| Query::select().expr(2).take(), "two").kind(Kind::Integer))
        }

        fn with_long(mut filters: Vec<Filter<Entity>>) -> Vec<Filter<Entity>> {
            let long = Filter::make("long").allowed_operators(FilterOperator::Equal);
            filters.push(long.custom_query(|_, _, _| Column::Views.gte(1)));
            filters
        }

        fn own(context: &Context) -> Scope {
            match context.get::<Owner>() {
                Some(owner) => Scope::rows(Column::OwnerId.eq(owner.0)),
                None => Scope::rows(Column::OwnerId.is_null()),
            }
        }
    }
}

mod functions {
    note!();

    pub mod page {
        use listing::prelude::*;
        use listing::{CountMode, Names, Plans};
        use sea_orm::entity::prelude::*;
        use sea_orm::sea_query::Query;

        use super::super::{Owner, author, cover};
        use super::note;

        #[sea_orm::model]
        #[derive(Clone, Debug, PartialEq, DeriveEntityModel, listing::NamedRelations)]
        #[sea_orm(table_name = "pages")]
        #[listing(PageListing)]
        pub struct Model {
            #[sea_orm(primary_key)]
            pub id: i64,
            pub title: String,
            pub body: Option<String>,
            pub owner_id: Option<i64>,
            pub views: Option<i32>,
            pub pinned: bool,
            pub r#type: String,
            pub created_at: DateTimeUtc,
            pub deleted_at: Option<DateTimeUtc>,
            pub author_id: i64,
            pub cover_id: Option<i64>,
            pub secret: String,
            #[sea_orm(belongs_to, from = "author_id", to = "id")]
            pub author: BelongsTo<super::super::author::Entity>,
            #[sea_orm(belongs_to, from = "cover_id", to = "id")]
            pub cover: BelongsTo<Option<super::super::cover::Entity>>,
            #[sea_orm(has_many)]
            pub notes: HasMany<super::note::Entity>,
        }

        impl ActiveModelBehavior for ActiveModel {}

        pub struct PageListing;

        impl Listing for PageListing {
            type Entity = Entity;

            fn fields() -> Fields<Entity> {
                Fields::new()
                    .add_default(Column::Title)
                    .add_default(Field::column(Column::OwnerId).alias("owner").as_text())
                    .add_default(Column::Pinned)
                    .add(Column::Body)
                    .add((Column::CreatedAt, "written"))
                    .add_default(Field::count_of(Entity::NOTES))
                    .add(
                        Field::computed(|| Query::select().expr(1).take(), "one")
                            .kind(Kind::Integer),
                    )
                    .add(
                        Field::computed(|| Query::select().expr(2).take(), "two")
                            .kind(Kind::Integer),
                    )
            }

            fn relations() -> Relations<Entity> {
                let notes = Populate::relation(Entity::NOTES)
                    .alias("remarks")
                    .limit(3)
                    .order_by(note::Column::WrittenAt, SortDirection::Desc)
                    .order_by(note::Column::Id, SortDirection::Asc);
                let cover = Populate::relation(Entity::COVER)
                    .only([cover::Column::Picture, cover::Column::Painter]);
                Relations::new()
                    .add(Entity::AUTHOR)
                    .add_default(cover)
                    .add(notes)
            }

            fn filters() -> Vec<Filter<Entity>> {
                use FilterOperator as Op;
                vec![
                    Filter::make(Column::Id).allowed_operators(Op::for_keys()),
                    Filter::make(Column::Title).allowed_operators(Op::ALL),
                    Filter::make(Column::Body)
                        .allowed_operators(Op::TEXT.and(Op::EQUALITY).and(Op::NULLS)),
                    Filter::make(Column::OwnerId)
                        .alias("owner")
                        .allowed_operators(Op::COMPARISONS),
                    Filter::make(Column::Views)
                        .alias("read")
                        .allowed_operators(Op::for_numbers()),
                    Filter::make(Column::Pinned)
                        .allowed_operators(Op::for_booleans())
                        .default_value(true)
                        .labels([("true", "Pinned")]),
                    Filter::make(Column::Type).allowed_operators(Op::for_text()),
                    Filter::make(Column::CreatedAt).allowed_operators(Op::for_times()),
                    Filter::make(Column::AuthorId)
                        .allowed_operators(Op::Equal)
                        .labels_from(author::Column::Name)
                        .default_from(|owner: &Owner| owner.0),
                    Filter::relation(Entity::AUTHOR),
                    Filter::relation(Entity::COVER).only([cover::Column::Picture]),
                    Filter::relation(Entity::NOTES).alias("remarks"),
                    Filter::make("long")
                        .allowed_operators(Op::Equal)
                        .custom_query(|_, _, _| Column::Views.gte(1)),
                ]
            }

            fn sorts() -> Sorts<Entity> {
                Sorts::new()
                    .add_default_with(Column::Pinned, SortDirection::Desc)
                    .add_default(Entity::AUTHOR.column(author::Column::Name))
                    .add_default("one")
                    .add_all([Column::Id, Column::Title])
                    .add(Sort::by("owner_id").alias("owner").nulls_first())
                    .add(Sort::by("views").nulls_last().alias("read"))
                    .add("notes_count")
                    .add(Entity::COVER.column(cover::Column::Picture))
                    .add(Entity::COVER.column(cover::Column::Painter))
                    .add_all((Sort::relevance(), "two"))
            }

            fn search() -> Option<Search<Entity>> {
                Some(Search::full_text([Column::Title, Column::Body]).language("english"))
            }

            fn scope(context: &Context) -> Scope {
                match context.get::<Owner>() {
                    Some(owner) => Scope::rows(Column::OwnerId.eq(owner.0)),
                    None => Scope::rows(Column::OwnerId.is_null()),
                }
            }

            fn soft_delete() -> Option<Column> {
                Some(Column::DeletedAt)
            }

            fn trashed(context: &Context) -> bool {
                context.get::<Owner>().is_some()
            }

            fn numeric_timestamps() -> Vec<Column> {
                vec![Column::CreatedAt]
            }

            fn show() -> Option<Fields<Entity>> {
                let owner = Field::column(Column::OwnerId).alias("owner").as_text();
                Some(Fields::new().add(Column::Title).add(owner))
            }

            fn count() -> Option<CountMode> {
                Some(CountMode::Capped(50))
            }

            fn exact_count() -> Option<bool> {
                Some(false)
            }

            fn plans() -> Plans {
                Plans::ForEachRequest
            }

            fn names() -> Option<Names> {
                Some(Names::AsDefined)
            }

            fn paging() -> Paging {
                Paging::new().page_size(7).max_page_size(9)
            }
        }
    }
}

/// What listings that were verified say of a page, in every way that there is to look at it.
fn verified<P, N>() -> Vec<String>
where
    P: HasListing + listing::NamedRelations,
    N: HasListing + listing::NamedRelations,
{
    let listings = Listings::builder(Settings::default())
        .add::<P>()
        .add::<N>()
        .add::<author::Entity>()
        .build()
        .unwrap();
    let page = listings.of::<P>().unwrap();
    let mut said = Vec::new();
    for mut listing in listings.describe() {
        listing.listing = String::new();
        said.push(serde_json::to_string_pretty(&listing).unwrap());
    }
    let name = |whitelist: &listing::whitelist::Whitelist| whitelist.table_name().to_owned();
    let described = describe::listing(&listings, page, &name, Audience::Developers);
    said.push(serde_json::to_string_pretty(&described).unwrap());
    for query in [
        "",
        "fields=*&populate=author,cover,remarks",
        "fields=title,owner,written,notes_count,one&sort=owner:desc,read,cover.picture",
        "search=tea&sort=relevance,notes_count:desc",
        "filters[remarks][text][$eq]=a&filters[cover][picture][$eq]=b&filters[author][name][$eq]=c",
        "filters[long][$eq]=x&filters[pinned][$eq]=false&filters[read][$between][]=1&filters[read][$between][]=2",
        "filters[written_at][$lt]=2024-01-01T00:00:00Z",
        "filters[created_at][$lt]=2024-01-01T00:00:00Z&pagination[pageSize]=99",
    ] {
        for dialect in [Dialect::Postgres, Dialect::Mysql, Dialect::Sqlite] {
            said.push(match listings.explain(page, query, dialect) {
                Ok(mut explained) => {
                    explained.listing = String::new();
                    explained.to_string()
                }
                Err(error) => error.to_string(),
            });
        }
    }
    said
}

/// Rule b700.
#[test]
fn words_at_columns_and_functions_make_the_same_whitelist() {
    let words = verified::<words::page::Entity, words::note::Entity>();
    let functions = verified::<functions::page::Entity, functions::note::Entity>();
    assert_eq!(words.len(), functions.len());
    for (words, functions) in words.iter().zip(&functions) {
        pretty_compare(words, functions);
    }
}

fn pretty_compare(words: &str, functions: &str) {
    for (words, functions) in words.lines().zip(functions.lines()) {
        assert_eq!(words, functions);
    }
    assert_eq!(words, functions);
}

/// Rule b700.
#[test]
fn a_column_without_a_word_is_out_of_reach() {
    let said = verified::<words::page::Entity, words::note::Entity>();
    let described: Value = serde_json::from_str(&said[0]).unwrap();
    for part in ["fields", "filters", "sorts"] {
        let text = described[part].to_string();
        assert!(
            !text.contains("secret") && !text.contains("email"),
            "{text}"
        );
    }
}
