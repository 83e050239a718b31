/** What must be true of a stage when no request is under way, whatever was asked of it before. */
import { ScanCommand } from "@aws-sdk/lib-dynamodb";
import type { Seats } from "#domain/capacity/seats.ts";
import type { RegistrationRecord } from "#domain/registrations/record/registration.ts";
import { registrationIn } from "#domain/registrations/record/stored-form.ts";
import { Counts, countDifferences, differenceText, mustWait } from "../../../tools/ops/invariants/seats.ts";
import type { ServiceStage } from "../stage.ts";

type Item = Record<string, unknown> & { readonly PK: string; readonly SK: string };

/** All items of the table. */
export async function allItems({ table, outputs: { tableName: TableName } }: ServiceStage): Promise<Item[]> {
  const items: Item[] = [];
  let ExclusiveStartKey: Record<string, unknown> | undefined;
  do {
    const page = await table.send(new ScanCommand({ TableName, ConsistentRead: true, ExclusiveStartKey }));
    items.push(...((page.Items ?? []) as Item[]));
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return items;
}

/**
 * Compares the seats of every event with its registrations, and its line with the people who wait.
 * @returns a sentence for each difference
 */
export function seatDifferences(items: readonly Item[]): string[] {
  const registrations = items
    .filter(({ PK, SK }) => PK.startsWith("USER#") && SK.startsWith("REG#"))
    .map((item) => registrationIn(item));
  return items
    .filter(({ PK }) => PK.startsWith("SEAT#"))
    .flatMap((item) => {
      const [, id, year] = item.PK.split("#");
      const seats = item as unknown as Seats;
      const own = registrations.filter(
        ({ SK, generation }) => SK === `REG#${id}#${year}` && generation === seats.generation,
      ) as unknown as RegistrationRecord[];
      const counts = new Counts();
      for (const one of own) counts.add(one);
      const differences = countDifferences(counts, seats).map((one) => `${id}: ${differenceText(one)}`);
      const line = items.filter(({ PK }) => PK === `WAIT#${id}#${year}`).map(({ email }) => String(email));
      const waiting = own.filter(mustWait).map(({ email }) => email);
      return line.sort().join() === waiting.sort().join()
        ? differences
        : [...differences, `${id}: in line are ${line}, and ${waiting} wait`];
    });
}

/** Log lines that an earlier call has seen. */
const seen = new WeakSet<object>();

/**
 * Waits until all work behind the requests is done.
 * @returns a sentence for each thing that is not as it must be, and for each new log line of an error
 */
export async function problemsAtRest(stage: ServiceStage): Promise<string[]> {
  await stage.settled();
  const lines = stage.logs.filter((line) => !seen.has(line));
  for (const line of lines) seen.add(line);
  const isError = /"level":"(ERROR|CRITICAL|FATAL)"|"status":"timeout"/;
  const errors = lines.filter(({ text }) => isError.test(text) || !text.startsWith("{"));
  return [
    ...stage.deadLetters().map((letter) => `a dead letter in ${letter.queue}: ${JSON.stringify(letter).slice(0, 500)}`),
    ...errors.slice(0, 10).map(({ functionName, text }) => `${functionName} logs ${text.slice(0, 600)}`),
    ...seatDifferences(await allItems(stage)),
  ];
}
