//! Writes the metrics of replicas in the format of Prometheus.

use std::fmt;

use listing::observe::TALLY;
use listing::replicas::{Out, ReplicaStatus};
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric};
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;

/// One of a replica's counters.
type Count = fn(&ReplicaStatus) -> u64;

/// Which replicas are used, why others are not, and how many statements each was given.
pub(super) fn encode(
    replicas: &[ReplicaStatus],
    mut encoder: DescriptorEncoder<'_>,
) -> Result<(), fmt::Error> {
    let metric = ConstCounter::new(TALLY.statements_primary.get());
    let help =
        "Statements of lists and records that were run on the primary although there are replicas";
    let kind = metric.metric_type();
    metric.encode(encoder.encode_descriptor("statements_primary", help, None, kind)?)?;
    {
        let help = "Whether a replica is read from, and why not";
        let kind = ConstGauge::new(0_i64).metric_type();
        let mut family = encoder.encode_descriptor("replica_in_use", help, None, kind)?;
        for replica in replicas {
            let metric = ConstGauge::new(i64::from(replica.out.is_none()));
            let reason = replica.out.as_ref().map_or("", Out::reason);
            let labels = [("replica", replica.name.as_str()), ("reason", reason)];
            metric.encode(family.encode_family(&labels)?)?;
        }
    }
    let counts: [(_, _, Count); 2] = [
        (
            "replica_statements",
            "Statements that a replica was given",
            |one| one.statements,
        ),
        (
            "replica_statements_failed",
            "Those of them that it failed and that were run on the primary",
            |one| one.failed,
        ),
    ];
    for (name, help, count) in counts {
        let kind = ConstCounter::new(0_u64).metric_type();
        let mut family = encoder.encode_descriptor(name, help, None, kind)?;
        for replica in replicas {
            let labels = [("replica", replica.name.as_str())];
            ConstCounter::new(count(replica)).encode(family.encode_family(&labels)?)?;
        }
    }
    Ok(())
}
