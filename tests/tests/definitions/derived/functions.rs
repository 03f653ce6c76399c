//! The listing of pages by functions.

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
        #[sea_orm(column_type = "JsonBinary")]
        pub data: Json,
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
                .add(Field::computed(|| Query::select().expr(1).take(), "one").kind(Kind::Integer))
                .add(Field::computed(|| Query::select().expr(2).take(), "two").kind(Kind::Integer))
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
                Filter::make(Column::Data).allowed_operators(Op::NotNull),
                Filter::json(Column::Data).path("address.city", Kind::Text),
                Filter::json(Column::Data)
                    .path("beds", Kind::Integer)
                    .allowed_operators(Op::COMPARISONS),
                Filter::json(Column::Data)
                    .path("area", Kind::Decimal { scale: None })
                    .allowed_operators(Op::Equal)
                    .labels([("1.5", "Small")]),
                Filter::json(Column::Data).path("open", Kind::Boolean),
                Filter::json(Column::Data).path("tags", Kind::Array(Box::new(Kind::Text))),
                Filter::relation(Entity::AUTHOR),
                Filter::relation(Entity::COVER).only([cover::Column::Picture]),
                Filter::relation(Entity::NOTES).alias("remarks").countable(),
                Filter::computed("notes_count").allowed_operators(Op::COMPARISONS),
                Filter::computed("one").allowed_operators(Op::COMPARISONS),
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
