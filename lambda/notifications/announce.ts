/** Tells everybody who holds a seat that the event has moved: one outbox row each, however often this runs. */
import pMap from "p-map";
import { log } from "#kit/log.ts";
import { again, untilSettled } from "#kit/retry.ts";
import { commit, getItems, type Key, queryOnce, type Transaction } from "#kit/table.ts";
import { readEvent } from "../events/store.ts";
import { consumer } from "../outbox/consumer.ts";
import { type News, reschedulingNews } from "../outbox/news.ts";
import { nameOf, outboxRow } from "../outbox/store.ts";
import { factOf, holdsSeat, type RegistrationRecord } from "../registrations/registration.ts";
import { byEvent, registrationKey } from "../registrations/store.ts";

type Rescheduling = News<"event.rescheduled">;

const rowsAtOnce = 25;
const batchesAtOnce = 8;

function rowOf({ data, occurredAt, actor, correlationId }: Rescheduling, registration: RegistrationRecord) {
  const { id, year, incarnation, scheduleVersion } = data;
  return outboxRow(
    { type: "registration.updated", data: { ...factOf(registration), notice: "moved", scheduleVersion } },
    { now: occurredAt, actor, correlationId },
    nameOf(occurredAt, ["moved", id, year, incarnation, scheduleVersion, registration.email]),
  );
}

/** Writes the rows that are not there yet. */
async function writeMissing(rows: Transaction): Promise<void> {
  let missing = rows;
  await untilSettled(async () => {
    if (Object.keys(missing).length === 0) return true;
    const outcome = await commit(missing);
    if (outcome.committed) return true;
    const { refused } = outcome;
    missing = Object.fromEntries(Object.entries(missing).filter(([email]) => !(email in refused)));
    return again;
  });
}

/**
 * The index tells who is registered, and may be old in everything else. What is announced must not be: a version from
 * before the move would be superseded by news that the person got before the move.
 */
async function announceTo(news: Rescheduling, keys: readonly Key[]): Promise<void> {
  const registrations = (await untilSettled(() => getItems(keys, "strong"))) as unknown as RegistrationRecord[];
  const holders = registrations.filter(
    (registration) => registration.incarnation === news.data.incarnation && holdsSeat(registration),
  );
  await writeMissing(Object.fromEntries(holders.map((holder) => [holder.email, rowOf(news, holder)])));
}

const batchesOf = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / rowsAtOnce) }, (_, index) =>
    all.slice(index * rowsAtOnce, (index + 1) * rowsAtOnce),
  );

/** Pages of those who are registered, as the index knows them. */
async function* registeredFor({ data: { id, year, incarnation } }: Rescheduling): AsyncGenerator<Key[]> {
  let last: Key | undefined;
  do {
    const page = await untilSettled(() =>
      queryOnce<RegistrationRecord>({ ...byEvent(id, year), ExclusiveStartKey: last }),
    );
    yield page.items
      .filter((registration) => registration.incarnation === incarnation)
      .map(({ email }) => registrationKey({ email, event: { id, year } }));
    last = page.last;
  } while (last);
}

/** Announces a move, unless the event is gone or has moved again: that move is announced by itself. */
export async function announce(news: Rescheduling): Promise<void> {
  const { id, year, incarnation, scheduleVersion } = news.data;
  const event = await untilSettled(() => readEvent({ id, year }));
  if (event?.incarnation !== incarnation || event.scheduleVersion > scheduleVersion) {
    log.info("move superseded", { id: news.id });
    return;
  }
  for await (const keys of registeredFor(news)) {
    await pMap(batchesOf(keys), (batch) => announceTo(news, batch), { concurrency: batchesAtOnce });
  }
}

export const handler = consumer(reschedulingNews, announce);
