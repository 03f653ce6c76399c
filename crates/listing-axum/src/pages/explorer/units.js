// The units of a calendar: what they are called, and where the next one begins.

/** From the longest; hours are of moments alone. */
export const unitsOf = (type) => ["year", "quarter", "month", "week", "day", "hour"].filter((unit) => unit !== "hour" || type === "datetime");

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** A unit in few words: `2024-05-01` as `May 2024`. */
export function named(value, unit) {
  const [, year, month, day, hour] = /^(\d+)-(\d\d)-(\d\d)(?:T(\d\d:\d\d))?/.exec(value) ?? [];
  if (!year) {
    return value;
  }
  const of = `${MONTHS[Number(month) - 1]} ${year}`;
  return { year, quarter: `Q${Math.ceil(Number(month) / 3)} ${year}`, month: of, hour: `${Number(day)} ${of}, ${hour ?? "00:00"}` }[unit] ?? `${Number(day)} ${of}`;
}

/** Where the next unit of a calendar begins, in UTC. */
export function following(value, unit) {
  const date = new Date(value.includes("T") ? value : `${value}T00:00:00Z`);
  const months = { year: 12, quarter: 3, month: 1 }[unit];
  if (months) {
    date.setUTCMonth(date.getUTCMonth() + months);
  } else {
    date.setTime(date.getTime() + { week: 7 * 24, day: 24, hour: 1 }[unit] * 3_600_000);
  }
  return unit === "hour" ? date.toISOString().replace(".000", "") : date.toISOString().slice(0, 10);
}
