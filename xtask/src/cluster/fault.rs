//! What can happen to a cluster, and in which order it does.

use std::fmt;
use std::time::Duration;

use super::Engine;
use super::draw::Draw;

/// Something that happens, for a while if it takes one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) kind: Kind,
    pub(super) target: Target,
    /// How long what was hit is away.
    pub(super) away: Duration,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Everything on it is killed at once.
    Kill,
    /// Its database server is killed, and what watches over it is not.
    KillDatabase,
    /// It stops in the middle of whatever it does, and goes on later.
    Pause,
    /// It runs, and nothing reaches it or comes from it.
    CutOff,
    /// It is told to end, as when a new version is rolled out.
    Stop,
    /// Another becomes the primary, in order.
    SwitchOver,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    Primary,
    Replica,
    /// A copy of the service.
    Copy,
}

/// Every kind with everything that it can happen to.
const POSTGRES: &[(Kind, Target)] = &[
    (Kind::Kill, Target::Primary),
    (Kind::Kill, Target::Replica),
    (Kind::Kill, Target::Copy),
    (Kind::KillDatabase, Target::Primary),
    (Kind::Pause, Target::Primary),
    (Kind::Pause, Target::Replica),
    (Kind::Pause, Target::Copy),
    (Kind::CutOff, Target::Primary),
    (Kind::CutOff, Target::Replica),
    (Kind::Stop, Target::Copy),
    (Kind::SwitchOver, Target::Primary),
];

/// In Galera all nodes are alike: the primary is the one to which `HAProxy` leads, and nobody watches over a server.
const GALERA: &[(Kind, Target)] = &[
    (Kind::Kill, Target::Primary),
    (Kind::Kill, Target::Replica),
    (Kind::Kill, Target::Copy),
    (Kind::Pause, Target::Primary),
    (Kind::Pause, Target::Replica),
    (Kind::Pause, Target::Copy),
    (Kind::CutOff, Target::Primary),
    (Kind::CutOff, Target::Replica),
    (Kind::Stop, Target::Copy),
];

/// What the short form does.
pub(super) const SHORT: [Fault; 3] = [
    Fault::new(Kind::Kill, Target::Primary, 1),
    Fault::new(Kind::Kill, Target::Copy, 1),
    Fault::new(Kind::Pause, Target::Replica, 3),
];

/// How long something is away, in seconds: some of it shorter than anybody notices, some longer than a failover takes.
const AWAY: [u64; 6] = [1, 2, 4, 8, 15, 25];

impl Kind {
    /// How many seconds it takes, if it takes always the same time: until everybody has noticed it, which ends by itself.
    fn lasts(self) -> Option<u64> {
        match self {
            Self::KillDatabase | Self::SwitchOver => Some(3),
            Self::Kill | Self::Pause | Self::CutOff | Self::Stop => None,
        }
    }
}

impl Fault {
    const fn new(kind: Kind, target: Target, seconds: u64) -> Self {
        Self {
            kind,
            target,
            away: Duration::from_secs(seconds),
        }
    }
}

/// Faults without an end: all of them in an order by the seed, and again in another one.
pub(super) fn faults(engine: Engine, seed: u64) -> impl Iterator<Item = Fault> {
    let kinds = match engine {
        Engine::Postgres => POSTGRES,
        Engine::Galera => GALERA,
    };
    let mut draw = Draw::new(seed);
    let mut left = Vec::new();
    std::iter::from_fn(move || {
        if left.is_empty() {
            left.extend_from_slice(kinds);
            draw.shuffle(&mut left);
        }
        let (kind, target) = left.pop()?;
        let away = AWAY[draw.below(AWAY.len())];
        Some(Fault::new(kind, target, kind.lasts().unwrap_or(away)))
    })
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let target = match self.target {
            Target::Primary => "primary",
            Target::Replica => "replica",
            Target::Copy => "copy of the service",
        };
        let seconds = self.away.as_secs();
        match self.kind {
            Kind::Kill => write!(f, "{target} killed, back after {seconds} s"),
            Kind::KillDatabase => write!(f, "database of the {target} killed"),
            Kind::Pause => write!(f, "{target} paused for {seconds} s"),
            Kind::CutOff => write!(f, "{target} cut off for {seconds} s"),
            Kind::Stop => write!(f, "{target} stopped, back after {seconds} s"),
            Kind::SwitchOver => write!(f, "switch to another {target}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rule b1170.
    #[test]
    fn the_seed_decides_the_faults_and_every_kind_comes() {
        for (engine, kinds) in [(Engine::Postgres, POSTGRES), (Engine::Galera, GALERA)] {
            let all = |seed| {
                faults(engine, seed)
                    .take(kinds.len() * 2)
                    .collect::<Vec<_>>()
            };
            assert_eq!(all(1), all(1));
            assert_ne!(all(1), all(2));
            for round in all(3).chunks(kinds.len()) {
                for (kind, target) in kinds {
                    let comes = |fault: &Fault| fault.kind == *kind && fault.target == *target;
                    assert!(round.iter().any(comes), "{kind:?} {target:?} is missing");
                }
            }
        }
    }
}
