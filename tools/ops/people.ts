/** `people <file> <registrations | members | accounts>`: a table of people, by the API, as an executive would enter each. */
import { randomUUID } from "node:crypto";
import { readFile, rename, stat, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Answer, carryOut, type Outcome } from "../../client/people/carry-out.ts";
import type { DateOrder } from "../../client/people/cells.ts";
import type { Purpose, TableEvent } from "../../client/people/fields.ts";
import { fieldsFor, guessed, type Mapping, purposes, questionsAbout } from "../../client/people/fields.ts";
import { countsOf, fates, listsFor, type Outlook, outlookOf, type Present } from "../../client/people/outlook.ts";
import { needsOrder, peopleIn, unansweredIn } from "../../client/people/people.ts";
import { reportOf } from "../../client/people/report.ts";
import { type PeopleTable, tableIn, UnreadableTable } from "../../client/people/table.ts";
import { UsageError } from "../kit/outputs.ts";
import type { Run } from "./run.ts";
import { type ExitCode, number, progressOf } from "./terminal.ts";

const mostRows = 100_000;
const mostBytes = 100 * 1_024 * 1_024;
/** Rows that are printed; the report has all. */
const shownRows = 20;
/** Milliseconds for one request; a contended write takes up to fifteen seconds. */
const longestCall = 35_000;

/** Has the ID token of an executive. */
export const tokenVariable = "ADMIN_TOKEN";

/** Calls of the API as an executive. */
class Api {
  readonly #base: string;
  readonly #ask: Run["terminal"]["ask"];
  #token: string | undefined;
  #asking: Promise<string> | undefined;

  constructor({ target: { isLaptop, text }, terminal }: Run) {
    this.#base = text(isLaptop ? "apiUrl" : "ApiUrl").replace(/\/$/, "");
    this.#ask = terminal.ask;
    this.#token = process.env[tokenVariable]?.trim() || undefined;
  }

  /** One question for all requests that wait for its answer. */
  async #newToken(): Promise<void> {
    this.#asking ??= this.#ask?.("The ID token of an executive: ").catch(() => "");
    const token = (await this.#asking)?.trim();
    this.#asking = undefined;
    this.#token = token || undefined;
  }

  async #sent(method: string, path: string, body?: object, key?: string): Promise<Response> {
    const headers = new Headers({ authorization: `Bearer ${this.#token}` });
    if (body) headers.set("content-type", "application/json");
    if (key) headers.set("idempotency-key", key);
    const signal = AbortSignal.timeout(longestCall);
    return fetch(this.#base + path, { method, headers, signal, ...(body && { body: JSON.stringify(body) }) });
  }

  /** A token lasts an hour: who is there is asked for another one. */
  async answer(...request: Parameters<Api["call"]>): Promise<Answer & { readonly next?: string | undefined }> {
    if (this.#token === undefined && this.#ask) await this.#newToken();
    const before = this.#token;
    const answer = await this.call(...request);
    if (answer.status !== 401 || !this.#ask) return answer;
    if (this.#token === before) await this.#newToken();
    return this.#token === undefined ? answer : this.call(...request);
  }

  async call(method: string, path: string, body?: object, key?: string) {
    const response = await this.#sent(method, path, body, key).catch(() => undefined);
    if (!response) return { status: 0 };
    const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
    return {
      status: response.status,
      body: await response.json().catch(() => undefined),
      retryAfter: Number.isFinite(seconds) ? seconds : undefined,
      next: response.headers.get("x-next-cursor") ?? undefined,
    };
  }

  /** @throws UsageError the API refuses it */
  async read(path: string): Promise<{ readonly body: unknown; readonly next?: string | undefined }> {
    for (let tries = 0; ; tries += 1) {
      const { status, body, next, retryAfter = 2 ** tries } = await this.answer("GET", path);
      if (status === 200) return { body, next };
      const isPassing = [0, 429, 503].includes(status) && tries < 6;
      if (isPassing) await pause(retryAfter * 1_000);
      else if (status === 401) throw new UsageError(`Set ${tokenVariable} to the ID token of an executive.`);
      else throw new UsageError(`GET ${path}: ${(body as { message?: string })?.message ?? `answered ${status}`}`);
    }
  }

  /** All rows of a list. */
  async readAll(path: string, query: Readonly<Record<string, unknown>>): Promise<readonly unknown[]> {
    const given = new URLSearchParams(
      Object.entries(query).map(([name, value]): [string, string] => [name, `${value}`]),
    );
    const rows: unknown[] = [];
    for (let next: string | undefined; ; given.set("cursor", next)) {
      const page = await this.read(`${path}?${given}`);
      rows.push(...(Array.isArray(page.body) ? page.body : (page.body as { readonly data: readonly unknown[] }).data));
      next = page.next;
      if (next === undefined) return rows;
    }
  }
}

/** @throws UsageError */
async function tableOf(file: string): Promise<PeopleTable> {
  try {
    if ((await stat(file)).size > mostBytes) throw new UsageError(`${file} has more than 100 MB.`);
    return tableIn(await readFile(file), mostRows);
  } catch (problem) {
    if (problem instanceof UnreadableTable) throw new UsageError(`${file}: ${problem.message}`);
    const { code } = problem as NodeJS.ErrnoException;
    if (code === undefined) throw problem;
    throw new UsageError(`${file} cannot be read: ${code}.`);
  }
}

/** What a file says of columns: `{"heading": "field", "another": null}`. @throws UsageError */
async function saidOf(file: unknown): Promise<Readonly<Record<string, string | null>>> {
  if (typeof file !== "string") return {};
  const wrong = new UsageError(`${file} must be JSON such as {"E-mail": "email", "Shoe size": null}.`);
  const said: unknown = await readFile(file, "utf8")
    .then(JSON.parse)
    .catch(() => undefined);
  const isMap = typeof said === "object" && said !== null && !Array.isArray(said);
  if (!isMap || Object.values(said).some((one) => one !== null && typeof one !== "string")) throw wrong;
  return said as Readonly<Record<string, string | null>>;
}

/** @throws UsageError with what is to be said about the columns */
async function mappingOf({ headings }: PeopleTable, purpose: Purpose, event: TableEvent | undefined, file: unknown) {
  const fields = fieldsFor(purpose, event);
  const said = await saidOf(file);
  const strange = Object.keys(said).filter((heading) => !headings.includes(heading));
  if (strange.length > 0) throw new UsageError(`The table has no column “${strange.join("”, “")}”.`);
  const guess = guessed(headings, fields);
  const mapping: Mapping = headings.map((heading, column) =>
    Object.hasOwn(said, heading) ? said[heading] : guess[column],
  );
  const open = questionsAbout(headings, mapping, fields);
  if (open.length === 0) return mapping;
  const draft = Object.fromEntries(headings.map((heading, column) => [heading, mapping[column] ?? null]));
  throw new UsageError(
    [
      ...open,
      "Say it in a JSON file, and name that with --columns; null leaves a column out:",
      JSON.stringify(draft, undefined, 2),
      `Fields: ${fields.map(({ name, label }) => `${name} (${label})`).join(", ")}`,
    ].join("\n"),
  );
}

interface Asked {
  readonly file: string;
  readonly purpose: Purpose;
  readonly event: { readonly id: string; readonly year: string } | undefined;
  readonly order: DateOrder | undefined;
  readonly report: string;
}

/** @throws UsageError */
function askedOf({ words, flags }: Run): Asked {
  const [file = "", as = "", id, year] = words;
  const purpose = purposes.find((one) => one === as);
  if (!purpose) throw new UsageError(`${as} is none of ${purposes.join(", ")}.`);
  if ((purpose === "registrations") !== (year !== undefined && id !== undefined))
    throw new UsageError("Registrations need an event: its id and its year. Members and accounts have none.");
  const { dates, report = `${file.replace(/\.(csv|txt|tsv)$/i, "")}.report.csv` } = flags;
  if (dates !== undefined && dates !== "day" && dates !== "month") throw new UsageError("--dates is day or month.");
  if (resolve(String(report)) === resolve(file)) throw new UsageError("--report would replace the table.");
  const event = id !== undefined && year !== undefined ? { id, year } : undefined;
  return { file, purpose, event, order: dates, report: String(report) };
}

async function save(file: string, rows: readonly (Outcome | Outlook)[]): Promise<void> {
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, reportOf(rows), { mode: 0o600 });
  await rename(draft, file);
}

/** @throws UsageError */
export async function people(run: Run): Promise<ExitCode> {
  const { terminal, target, flags, isApplied, stop } = run;
  const { file, purpose, event: key, order, report } = askedOf(run);
  const table = await tableOf(file);
  const api = new Api(run);
  const event =
    key &&
    ((await api.read(`/events/${encodeURIComponent(key.id)}/${encodeURIComponent(key.year)}?count=true`))
      .body as TableEvent);
  const mapping = await mappingOf(table, purpose, event, flags.columns);
  const unasked = event ? unansweredIn(event, mapping) : [];
  if (unasked.length > 0) terminal.note(`No column answers: ${unasked.join(", ")}`);
  const rows = peopleIn(table, { purpose, mapping, order, ...(event && { event }) });
  if (needsOrder(rows))
    throw new UsageError("Say with --dates whether dates such as 03/04/2031 begin with the day or the month.");
  const lists = listsFor(purpose, event).map(
    async ([name, path, query]) => [name, await api.readAll(path, query)] as const,
  );
  const present = Object.fromEntries(await Promise.all(lists)) as Present;
  const at = { now: Date.now(), timeZone: target.stage.timeZone };
  const outlooks = outlookOf(rows, { purpose, event }, present, at);
  for (const [fate, many] of countsOf(outlooks)) {
    const [says, mails] = fates[fate];
    terminal.print(`${number(many).padStart(7)} ${says}${mails ? ", and get a mail" : ""}`);
  }
  for (const one of outlooks.filter(({ fate }) => fate === "fault").slice(0, shownRows))
    terminal.print(`row ${one.row}: ${one.says}`);
  if (!isApplied) {
    await save(report, outlooks);
    terminal.print(`Nothing is changed. Each row is in ${report}. To do it, add --apply.`);
    return 1;
  }
  const outcomes: Outcome[] = [];
  const progress = progressOf(terminal.note);
  const halted = await carryOut(outlooks, {
    run: randomUUID(),
    stop,
    send: ({ method, path, body }, idempotencyKey) => api.answer(method, path, body, idempotencyKey),
    told: (outcome) => {
      outcomes.push(outcome);
      progress("rows", outcomes.length, outlooks.length);
    },
    // Ctrl-C ends a wait.
    pause: (milliseconds) => pause(milliseconds, undefined, { signal: stop }).catch(() => undefined),
  });
  await save(report, outcomes);
  const countOf = (result: Outcome["result"]) => outcomes.filter((one) => one.result === result).length;
  const [done, there, open] = [countOf("done"), countOf("there"), countOf("open")];
  const left = outcomes.length - done - there - open;
  terminal.print(
    `${number(done)} done, ${number(there)} left as they were, ${number(left)} left out. Each row is in ${report}.`,
  );
  if (halted) terminal.print(`${halted.message} ${number(open)} rows are open: the same command goes on.`);
  if (stop?.aborted) return 130;
  return left + open > 0 ? 1 : 0;
}
