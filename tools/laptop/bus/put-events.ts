/**
 * The operation PutEvents: each entry is accepted or refused on its own.
 * https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutEvents.html
 */
import { readJsonObject } from "../service-kit/http-server.ts";
import { type Fields, ServiceProblem } from "../service-kit/json-service.ts";
import { eventTime, type SentEvent } from "./event.ts";

/** An accepted entry, or the error of a refused one. */
export type Entry =
  | { readonly busName: string; readonly event: SentEvent }
  | { readonly ErrorCode: string; readonly ErrorMessage: string };

const maxEntries = 10;
/** Bytes: all entries together have less. */
const tooLarge = 1024 * 1024;

const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** As EventBridge counts it: time, source, detail type, detail and resources. */
const sizeOf = ({ Time, Source, DetailType, Detail, Resources }: Fields): number =>
  (Time === undefined ? 0 : 14) +
  [Source, DetailType, Detail, ...[Resources ?? []].flat()].reduce<number>(
    (sum, part) => sum + Buffer.byteLength(text(part)),
    0,
  );

function readEntry(entry: Fields): Entry {
  const detail = readJsonObject(text(entry.Detail));
  if (!detail) return { ErrorCode: "MalformedDetail", ErrorMessage: "Detail is malformed." };
  const event: SentEvent = {
    source: text(entry.Source),
    "detail-type": text(entry.DetailType),
    detail,
    ...(typeof entry.Time === "number" && { time: eventTime(entry.Time * 1000) }),
    ...(Array.isArray(entry.Resources) && { resources: entry.Resources.map(String) }),
  };
  // A bus is named by its ARN as well: `arn:aws:events:<region>:<account>:event-bus/<name>`.
  return { busName: text(entry.EventBusName).split("/").at(-1) || "default", event };
}

/** @throws ServiceProblem when the request as a whole is refused */
export function readPutEvents({ Entries }: Fields): Entry[] {
  if (!Array.isArray(Entries) || Entries.length === 0 || Entries.length > maxEntries) {
    const bound = Array.isArray(Entries) && Entries.length > 0 ? `less than or equal to ${maxEntries}` : "at least 1";
    throw new ServiceProblem(
      "ValidationException",
      `1 validation error detected: Value at 'entries' failed to satisfy constraint: Member must have length ${bound}`,
    );
  }
  const entries = Entries.map((entry) => (entry ?? {}) as Fields);
  if (entries.reduce((sum, entry) => sum + sizeOf(entry), 0) >= tooLarge) {
    throw new ServiceProblem("ValidationException", "Total size of the entries in the request is over the limit.");
  }
  return entries.map(readEntry);
}
