/**
 * Time zones whose rules are newer than the data of some Node that the project runs on. Node 20.20 has those of 2025c,
 * and gets no others (https://github.com/nodejs/node/issues/62323); Node 24.21 has 2026c. Delete a row when every Node
 * of `engines` knows it.
 */

interface NewRule {
  /** The zone, with its other names. */
  readonly zones: readonly string[];
  /** From when on the older data is wrong, in epoch milliseconds. From then on the zone keeps one offset. */
  readonly since: number;
  /** A zone of that offset. In `Etc/` names the sign is turned round: `Etc/GMT+7` is UTC-7. */
  readonly as: string;
  /** The release of the IANA data that has the rule first (https://data.iana.org/time-zones/tzdb/NEWS). */
  readonly release: string;
}

const newRules: readonly NewRule[] = [
  // British Columbia and Alberta stay at what was their summer time.
  {
    zones: ["America/Vancouver", "Canada/Pacific"],
    since: Date.UTC(2026, 10, 1, 9),
    as: "Etc/GMT+7",
    release: "2026b",
  },
  {
    zones: ["America/Edmonton", "Canada/Mountain", "America/Yellowknife"],
    since: Date.UTC(2026, 10, 1, 8),
    as: "Etc/GMT+6",
    release: "2026c",
  },
  {
    zones: ["Africa/Casablanca", "Africa/El_Aaiun"],
    since: Date.UTC(2026, 8, 20, 1),
    as: "Etc/GMT",
    release: "2026c",
  },
  { zones: ["America/Inuvik"], since: Date.UTC(2026, 10, 1, 8), as: "Etc/GMT+6", release: "2026d" },
];

/** The release of the time zone data that this Node has, such as `2025c`. */
const ownRelease = process.versions.tz ?? "";

/**
 * The zone whose clocks this Node knows to show what those of `timeZone` show at that moment: the zone itself, unless its
 * rule is newer than Node's data.
 * @param at epoch milliseconds
 * @param timeZone IANA name
 */
export function zoneAt(at: number, timeZone: string, release = ownRelease): string {
  const rule = newRules.find(({ zones }) => zones.includes(timeZone));
  return rule && release < rule.release && at >= rule.since ? rule.as : timeZone;
}
