/** `replay`: sends messages to the bus again (docs/runbook.md). Consumers recognize what they have done already. */
import {
  EventBridgeClient,
  ListArchivesCommand,
  ListRulesCommand,
  StartReplayCommand,
} from "@aws-sdk/client-eventbridge";
import { merged, queryItems } from "#kit/lists/pages.ts";
import type { Item } from "#kit/table/table.ts";
import { partitionOf } from "#outbox/stored-kinds.ts";
import { UsageError } from "../kit/outputs.ts";
import { markerKept } from "./invariants/messages.ts";
import type { Run } from "./run.ts";
import { sendRows } from "./sent-rows.ts";
import { costLine, type ExitCode, number, progressOf } from "./terminal.ts";
import { timeIn } from "./times.ts";

interface Span {
  readonly from: number;
  readonly to: number;
  /** The prefix of the types. */
  readonly type: string;
}

const hour = 3_600_000;
const shards = [0, 1, 2, 3, 4, 5, 6, 7];

const hourOf = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 13).replace(/\D/g, "");

/** The rows of a span, by id. In memory is one page of each of the eight partitions of an hour. */
export async function* rowsBetween({ from, to, type }: Span): AsyncGenerator<Item> {
  for (let at = Math.floor(from / hour) * hour; at <= to; at += hour) {
    const lists = shards.map((shard) =>
      queryItems<Item>({
        KeyConditionExpression: "PK = :partition",
        ExpressionAttributeValues: { ":partition": partitionOf("outbox row", { hour: hourOf(at), shard }) },
        ConsistentRead: true,
        Limit: 100,
      }),
    );
    for await (const row of merged<Item>(lists, ({ SK }) => SK)) {
      const { detail, detailType } = row as { detail?: { metadata?: { occurredAt?: unknown } }; detailType?: unknown };
      const time = Date.parse(String(detail?.metadata?.occurredAt));
      const isInSpan = Number.isNaN(time) || (time >= from && time <= to);
      if (isInSpan && String(detailType).startsWith(type)) yield row;
    }
  }
}

/** Sends rows in requests of ten. */
export async function sendAll(
  rows: AsyncIterable<Item>,
  onSent: (sent: number) => void,
  stop?: AbortSignal,
): Promise<{ readonly sent: number; readonly refused: readonly string[] }> {
  const refused: string[] = [];
  let sent = 0;
  let batch: Item[] = [];
  const send = async () => {
    const done = await sendRows(batch);
    sent += done.sent;
    refused.push(...done.refused);
    batch = [];
    onSent(sent);
  };
  for await (const row of rows) {
    batch.push(row);
    if (batch.length === 10) await send();
    if (stop?.aborted) break;
  }
  if (batch.length > 0) await send();
  return { sent, refused };
}

/** @throws UsageError */
function spanOf({ flags }: Run): Span {
  const now = Date.now();
  if (typeof flags.from !== "string") throw new UsageError("From when? Add --from <time>, such as --from 2h.");
  const from = timeIn("from", flags.from, now);
  const to = typeof flags.to === "string" ? timeIn("to", flags.to, now) : now;
  if (from > to) throw new UsageError("--from is after --to.");
  if (from < now - markerKept && flags["repeat-mails"] !== true) {
    throw new UsageError(
      "What was mailed is remembered for 29 days: an older message would be mailed a second time. " +
        "Take a later --from, or add --repeat-mails if people shall get these mails again.",
    );
  }
  return { from, to, type: typeof flags.type === "string" ? flags.type : "" };
}

export async function replay(run: Run): Promise<ExitCode> {
  const { terminal, isApplied, meter, stop, flags } = run;
  const span = spanOf(run);
  if (flags.archive === true) return replayArchive(run, span);
  if (flags.consumer !== undefined) throw new UsageError("--consumer needs --archive: rows go to the whole bus.");
  const begun = performance.now();
  const types = new Map<string, number>();
  const counted = async function* () {
    for await (const row of rowsBetween(span)) {
      const type = String(row.detailType);
      types.set(type, (types.get(type) ?? 0) + 1);
      yield row;
    }
  };
  const tell = () => {
    for (const [type, count] of [...types].sort()) terminal.print(`${number(count)} x ${type}`);
  };
  const when = `from ${new Date(span.from).toISOString()} to ${new Date(span.to).toISOString()}`;
  if (!isApplied) {
    for await (const _ of counted()) if (stop?.aborted) return 130;
    tell();
    terminal.print(types.size === 0 ? `No messages ${when}.` : `Messages ${when}. To send them again, add --apply.`);
    return types.size === 0 ? 0 : 1;
  }
  const progress = progressOf(terminal.note);
  const { sent, refused } = await sendAll(counted(), (done) => progress("messages", done, undefined), stop);
  tell();
  terminal.print(`${number(sent)} messages ${when} are on the bus again.`);
  if (refused.length > 0) terminal.print(`Not taken: ${refused.slice(0, 20).join(", ")} (${number(refused.length)}).`);
  terminal.note(costLine(begun, meter.units));
  if (stop?.aborted) return 130;
  return refused.length === 0 ? 0 : 1;
}

/** The pages of a list of EventBridge, whose client has no paginators. */
async function* pagesOf<Page extends { readonly NextToken?: string | undefined }>(
  ask: (NextToken: string | undefined) => Promise<Page>,
): AsyncGenerator<Page> {
  let token: string | undefined;
  do {
    const page = await ask(token);
    yield page;
    token = page.NextToken;
  } while (token !== undefined);
}

/**
 * Starts a replay of the bus's archive. The archive keeps ninety days (`lib/event-bus.ts`).
 * https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_StartReplay.html
 */
async function replayArchive({ target, terminal, isApplied, flags }: Run, { from, to, type }: Span): Promise<ExitCode> {
  if (target.isLaptop) {
    throw new UsageError("The laptop's bus has no archive. Leave out --archive: the rows of the outbox are all there.");
  }
  if (type !== "") throw new UsageError("An archive is replayed as a whole: --type goes without --archive.");
  const client = new EventBridgeClient({ region: target.region });
  const archives = [];
  for await (const { Archives = [] } of pagesOf((NextToken) => client.send(new ListArchivesCommand({ NextToken })))) {
    archives.push(...Archives);
  }
  const archive = archives.find(({ EventSourceArn = "" }) => EventSourceArn.endsWith(`/${target.busName}`));
  const busArn = archive?.EventSourceArn;
  if (!archive?.ArchiveName || busArn === undefined) {
    terminal.print(`There is no archive of the bus ${target.busName} in ${target.region}.`);
    return 1;
  }
  const archiveArn = busArn.replace(/:event-bus\/.*$/, `:archive/${archive.ArchiveName}`);
  const rules = [];
  if (typeof flags.consumer === "string") {
    const beginning = `${target.prefix}${flags.consumer}Rule`;
    const ask = (NextToken: string | undefined) =>
      client.send(new ListRulesCommand({ EventBusName: target.busName, NextToken }));
    for await (const { Rules = [] } of pagesOf(ask)) {
      rules.push(...Rules.flatMap(({ Name = "", Arn }) => (Name.startsWith(beginning) && Arn ? [Arn] : [])));
    }
    if (rules.length === 0) throw new UsageError(`The bus has no rule of a consumer ${flags.consumer}.`);
  }
  const what = `${new Date(from).toISOString()} to ${new Date(to).toISOString()}, to ${
    rules.length === 0 ? "all consumers" : `${flags.consumer} only`
  }`;
  if (!isApplied) {
    terminal.print(`A replay of ${archive.ArchiveName}: ${what}. To start it, add --apply.`);
    return 1;
  }
  const name = `ops-${new Date().toISOString().replace(/\D/g, "").slice(0, 14)}`;
  const { State, StateReason = "" } = await client.send(
    new StartReplayCommand({
      ReplayName: name,
      EventSourceArn: archiveArn,
      EventStartTime: new Date(from),
      EventEndTime: new Date(to),
      Destination: { Arn: busArn, ...(rules.length > 0 && { FilterArns: rules }) },
    }),
  );
  terminal.print(`The replay ${name} is ${State} ${StateReason}: ${what}.`);
  terminal.print(`How far it is: aws events describe-replay --region ${target.region} --replay-name ${name}`);
  return State === "FAILED" ? 1 : 0;
}
