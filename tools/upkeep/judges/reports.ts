/** What schemathesis reports: https://schemathesis.readthedocs.io/en/stable/reference/reporting/ */
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import type { Finding } from "./finding.ts";

interface Bytes {
  readonly $base64: string;
}

interface Interaction {
  readonly request: {
    readonly method: string;
    readonly uri: string;
    readonly headers: Readonly<Record<string, readonly string[]>>;
    readonly body?: Bytes;
  };
  readonly response?: { readonly status_code: number; readonly content?: Bytes };
}

interface Check {
  readonly name: string;
  readonly status: string;
  readonly failure_info?: { readonly failure: { readonly operation: string; readonly message: string } };
}

/** One line of the report of events, as far as it is used. */
interface Line {
  readonly ScenarioFinished?: {
    readonly recorder: {
      readonly checks?: Readonly<Record<string, readonly Check[]>>;
      readonly interactions?: Readonly<Record<string, Interaction>>;
    };
  };
}

/** The report of the whole run, as far as it is used. */
export interface Summary {
  readonly running_time: number;
  readonly operations: { readonly tested: number } | null;
  readonly test_cases: { readonly generated: number };
  readonly errors: readonly { readonly title: string }[];
}

const textOf = (bytes: Bytes | undefined): string => Buffer.from(bytes?.$base64 ?? "", "base64").toString();

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Characters of a body in the command. A seed repeats longer ones. */
const longestBody = 1_500;

/** The request as a command, for a shell with the variables `api` and `token`. */
function commandOf({ request: { method, uri, headers, body } }: Interaction): string {
  const { pathname, search } = new URL(uri);
  const text = textOf(body);
  const sent = Object.entries(headers).flatMap(([name, values]) => values.map((value) => [name, value] as const));
  return [
    `curl -X ${method} "$api"${quoted(`${pathname}${search}`)}`,
    ...sent.map(
      ([name, value]) => `-H ${name === "Authorization" ? '"Authorization: $token"' : quoted(`${name}: ${value}`)}`,
    ),
    ...(text === "" ? [] : [`-d ${quoted(text.length > longestBody ? `${text.slice(0, longestBody)}…` : text)}`]),
  ].join(" ");
}

function findingOf({ name, failure_info }: Check, interaction: Interaction): Finding {
  const { operation = "", message = "" } = failure_info?.failure ?? {};
  const { status_code, content } = interaction.response ?? {};
  const answer = `${status_code ?? "no answer"} ${textOf(content).slice(0, 400)}`;
  return {
    judge: "schemathesis",
    rule: name,
    where: operation,
    says: `${answer} ${message.split("\n").slice(0, 4).join(" ")}`,
    repeat: commandOf(interaction),
  };
}

/** The failed checks in a line of the report. */
export function failuresIn(line: string): Finding[] {
  const { checks = {}, interactions = {} } = (JSON.parse(line) as Line).ScenarioFinished?.recorder ?? {};
  return Object.entries(checks).flatMap(([id, all]) => {
    const interaction = interactions[id];
    return interaction
      ? all.filter(({ status }) => status === "failure").map((one) => findingOf(one, interaction))
      : [];
  });
}

/** The failed checks of a run. */
export async function failuresOf(report: string): Promise<Finding[]> {
  const found: Finding[] = [];
  for await (const line of createInterface({ input: createReadStream(report) })) found.push(...failuresIn(line));
  return found;
}
