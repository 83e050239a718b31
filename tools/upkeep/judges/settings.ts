/** The settings of a run of schemathesis: https://schemathesis.readthedocs.io/en/stable/reference/configuration/ */
import type { FalseAlarm } from "./finding.ts";
import type { Known } from "./people.ts";

/** The parameters and fields that name something, by what they name. A text of JSON is one of TOML, too. */
const names = {
  events: ["path.eventId", "query.eventID", "body.eventID", "body.eventId"],
  years: ["path.year", "query.year", "body.year"],
  emails: ["path.email", "query.email", "body.email"],
} as const;

/**
 * How the requests of a run are made. The bindings are how often a parameter that names something has a known value; the
 * others are random, or in a chain what an earlier answer had. Before its first chain schemathesis looks for what can follow
 * what, which takes seconds.
 */
export const runs = {
  /** Each request by itself. */
  single: { phases: "examples,coverage,fuzzing", bound: 0.7, atLeast: 1 },
  /** Chains: a request takes from the answers of earlier ones what its parameters name. */
  chains: { phases: "stateful", bound: 0.3, atLeast: 45 },
} as const;

export type RunName = keyof typeof runs;

const bindings = (probability: number, ...dictionaries: readonly (keyof typeof names)[]): string[] =>
  dictionaries.flatMap((dictionary) =>
    names[dictionary].map((name) => `${JSON.stringify(name)} = ${bindingTo(dictionary, probability)}`),
  );
const bindingTo = (dictionary: string, probability: number): string =>
  `{ dictionary = ${JSON.stringify(dictionary)}, probability = ${probability} }`;

const dictionary = (name: string, values: readonly (string | number)[]): string[] => [
  `[dictionaries.${name}]`,
  `values = ${JSON.stringify([...new Set(values)])}`,
];

/** Checks of which nothing is a fault are not made. */
const disabled = (alarms: readonly FalseAlarm[]): string[] =>
  alarms
    .filter(({ judge, where, says }) => judge === "schemathesis" && !where && !says)
    .flatMap(({ rule }) => [`[checks.${rule}]`, "enabled = false"]);

/** @param token of the person who asks */
export function settingsOf(
  run: RunName,
  token: string,
  { events, emails, doorToken }: Known,
  alarms: readonly FalseAlarm[],
): string {
  return [
    // One request after the other, so that a seed repeats a run.
    "workers = 1",
    "continue-on-failure = true",
    "warnings = false",
    'suppress-health-check = ["all"]',
    "[generation]",
    'database = "none"',
    "allow-x00 = true",
    // An event, its registration, its payment, and what comes after.
    "[phases.stateful]",
    "max-steps = 10",
    "[output.sanitization]",
    'keys-to-sanitize = ["Authorization"]',
    "sensitive-markers = []",
    "[cache]",
    "enabled = false",
    "[auth.openapi.idToken]",
    `bearer = ${JSON.stringify(token)}`,
    "[auth.openapi.doorToken]",
    `api_key = ${JSON.stringify(`Door ${doorToken}`)}`,
    ...disabled(alarms),
    ...dictionary(
      "events",
      events.map(({ id }) => id),
    ),
    ...dictionary(
      "years",
      events.map(({ year }) => year),
    ),
    ...dictionary("emails", emails),
    "[parameters]",
    ...bindings(runs[run].bound, "events", "years", "emails"),
    // What the other requests are about is seldom deleted.
    "[[operations]]",
    'include-operation-id = ["deleteEvent", "deleteUser"]',
    "[operations.parameters]",
    ...bindings(0.02, "events", "emails").filter((line) => line.startsWith('"path.')),
    "",
  ].join("\n");
}
