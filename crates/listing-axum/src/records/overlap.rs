//! Finds routes that two resources would both serve, which axum answers with a panic.

use listing::DefinitionError;
use listing::entity::Name;

use super::route_table::NamedRoute;

/// The routes that are taken, and by which resources.
#[derive(Debug, Default)]
pub(super) struct Taken(Vec<(Name, NamedRoute)>);

impl Taken {
    /// Takes the routes of a resource, or says which of them another resource has: nothing is taken then.
    pub(super) fn add(
        &mut self,
        owner: &Name,
        routes: Vec<NamedRoute>,
    ) -> Result<(), DefinitionError> {
        for route in &routes {
            let mut known = self.0.iter();
            let found = known.find(|(_, known)| overlap(known, route));
            if let Some((other, known)) = found {
                return Err(mistake((owner, route), (other, known)));
            }
        }
        let routes = routes.into_iter();
        self.0.extend(routes.map(|route| (owner.clone(), route)));
        Ok(())
    }
}

fn mistake(
    (owner, route): (&Name, &NamedRoute),
    (other, known): (&Name, &NamedRoute),
) -> DefinitionError {
    let one = format!("{} {}", route.method, route.path);
    let problem = match route.path == known.path {
        true => format!("`{other}` and `{owner}` are both served at `{one}`"),
        false => format!(
            "`{other}` is served at `{} {}`, and `{owner}` at `{one}`: one place in a path has two names",
            known.method, known.path
        ),
    };
    let remedy = "give one of the two another `segment()`, or leave it out";
    DefinitionError::new(owner, "route", &route.name, &problem, remedy)
}

/// Whether a router cannot have both: the same path twice with one method, or two names for one place in a path.
fn overlap(one: &NamedRoute, other: &NamedRoute) -> bool {
    if one.path == other.path {
        return one.method == other.method;
    }
    let pairs = one.path.split('/').zip(other.path.split('/'));
    let mut different = pairs.filter(|(one, other)| one != other);
    let is_parameter = |part: &str| part.starts_with('{');
    different
        .next()
        .is_some_and(|(one, other)| is_parameter(one) && is_parameter(other))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rule b573.
    #[test]
    fn routes_overlap_by_path_and_method_or_by_the_names_of_parameters() {
        let route = |method, path: &str| NamedRoute {
            name: "x".to_owned(),
            method,
            path: path.to_owned(),
            table: "x".into(),
        };
        let get = |path: &str| route("GET", path);
        for (one, other, wanted) in [
            (get("/api/users"), get("/api/users"), true),
            (get("/api/users"), route("POST", "/api/users"), false),
            (get("/api/users/{id}"), get("/api/users/query"), false),
            (get("/api/users/{id}"), get("/api/users/{key}"), true),
            (get("/api/{tenant}/a"), get("/api/{team}/b"), true),
            (get("/api/{tenant}/a"), get("/api/{tenant}/b"), false),
            (get("/api/users"), get("/api/users/{id}"), false),
        ] {
            assert_eq!(overlap(&one, &other), wanted, "{one:?} {other:?}");
        }
    }
}
