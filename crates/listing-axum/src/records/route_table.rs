//! The table of named routes, for code and for the command line (contract 4.2 rule 4).

use listing::entity::Name;

use super::ApiInfo;
use super::served::Served;

/// One route under its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedRoute {
    /// `articles.show`
    pub name: String,
    /// `GET`
    pub method: &'static str,
    /// `/api/articles/{id}`
    pub path: String,
    /// The table whose rows it serves.
    pub table: Name,
}

/// Every named route of an application.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RouteTable {
    routes: Vec<NamedRoute>,
    /// The path under which they are.
    prefix: String,
    /// The resources that they lead to.
    served: Vec<Served>,
    /// The application's information about its API, if it is described.
    pub(crate) info: Option<ApiInfo>,
}

impl RouteTable {
    pub(super) fn new(prefix: &str) -> Self {
        Self {
            prefix: prefix.to_owned(),
            ..Self::default()
        }
    }

    /// The path under which the routes are, such as `/api`.
    #[must_use]
    pub fn prefix(&self) -> &str {
        &self.prefix
    }

    /// The resources that the routes lead to, in the order in which they were added.
    pub(crate) fn served(&self) -> &[Served] {
        &self.served
    }

    /// Every route, in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = &NamedRoute> {
        self.routes.iter()
    }

    /// The route of that name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&NamedRoute> {
        self.routes.iter().find(|route| route.name == name)
    }

    /// The address of a route without a record: `url("articles.index")`.
    #[must_use]
    pub fn url(&self, name: &str) -> Option<String> {
        self.get(name)
            .map(|route| route.path.clone())
            .filter(|path| !path.contains('{'))
    }

    /// The address of a record: `url_of("articles.show", 7)`.
    #[must_use]
    pub fn url_of(&self, name: &str, id: impl std::fmt::Display) -> Option<String> {
        let path = &self.get(name)?.path;
        path.contains("{id}")
            .then(|| path.replace("{id}", &escape(&id.to_string())))
    }

    pub(super) fn add(&mut self, route: NamedRoute) {
        self.routes.push(route);
    }

    /// Adds the routes and resources of another table.
    pub(super) fn append(&mut self, other: Self) {
        self.routes.extend(other.routes);
        self.served.extend(other.served);
    }

    pub(super) fn serve(&mut self, served: Served) {
        self.served.push(served);
    }
}

/// Text as one segment of a path.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            escaped.push(char::from(byte));
        } else {
            escaped.push_str(&format!("%{byte:02X}"));
        }
    }
    escaped
}
