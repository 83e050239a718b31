/**
 * Corrects the counters of an event that were damaged. No function of the service does that, only an operator's command
 * (`docs/runbook.md`).
 *
 * Every transaction of the service changes a registration and the counters by the same amount. The difference between
 * counters and registrations is therefore constant while people register, and a correction adds it, instead of setting a
 * counter to a number that may be outdated. Only another correction changes the difference, so corrections are counted,
 * and each requires that there was none since its read.
 */

import { maxChoicesAtOnce } from "#domain/capacity/allocate.ts";
import { type Seats, seatsKey } from "#domain/capacity/seats.ts";
import type { EventKey } from "#domain/events/event.ts";
import { type TransactItem, type Transaction, tableName } from "#kit/table/table.ts";
import { keyOf } from "#outbox/stored-kinds.ts";

/** The amounts to add to the counters. */
export interface Correction {
  /** By the name of the counter. */
  readonly counters: Readonly<Record<string, number>>;
  readonly choices: readonly { readonly question: string; readonly choice: string; readonly by: number }[];
}

/** Codes that one transaction corrects. */
const maxCodesAtOnce = 50;

/**
 * The members that add the difference to the uses of codes, beside `correctCounts` in its transaction; those that do not
 * fit are left for the next round. Refused when a code was removed.
 * @param differences by the id of a code
 */
export const correctUses = (
  event: EventKey & Pick<Seats, "generation">,
  differences: Readonly<Record<string, number>>,
): Transaction =>
  Object.fromEntries(
    Object.entries(differences)
      .slice(0, maxCodesAtOnce)
      .map(([code, by]) => [
        `code ${code}`,
        {
          Update: {
            TableName: tableName,
            Key: keyOf("code of an event", { ...event, code }),
            UpdateExpression: "ADD used :by",
            ConditionExpression: "attribute_exists(PK)",
            ExpressionAttributeValues: { ":by": by },
          },
        },
      ]),
  );

/** Seats with the number of corrections. */
export type CorrectedSeats = Seats & { readonly corrections?: number };

const sameCorrections = ({ corrections }: CorrectedSeats) =>
  corrections === undefined ? "attribute_not_exists(corrections)" : "corrections = :corrections";

/**
 * Adds the difference. Choices that do not fit into the expression are left for the next round.
 * @param read the seats when the difference was found
 */
export function correctCounts(
  event: EventKey,
  { counters, choices }: Correction,
  read: CorrectedSeats,
): TransactItem<Seats> {
  // A question without counters gets its map first, because an expression cannot create and fill a map.
  const withoutMap = choices.filter(({ question }) => read.choiceHolders[question] === undefined);
  const now = withoutMap.length > 0 ? [] : choices.slice(0, maxChoicesAtOnce);
  const maps = [...new Set(withoutMap.map(({ question }) => question))].slice(0, maxChoicesAtOnce);
  const added = Object.entries(counters).filter(([, by]) => by !== 0);
  const set = [
    ...maps.map((_, index) => `choiceHolders.#m${index} = if_not_exists(choiceHolders.#m${index}, :none)`),
    ...now.map(
      (_, index) =>
        `choiceHolders.#q${index}.#c${index} = if_not_exists(choiceHolders.#q${index}.#c${index}, :zero) + :t${index}`,
    ),
  ];
  return {
    Update: {
      TableName: tableName,
      Key: seatsKey(event),
      UpdateExpression: `${set.length > 0 ? `SET ${set.join(", ")} ` : ""}ADD ${[
        "corrections :one",
        ...added.map((_, index) => `#n${index} :n${index}`),
      ].join(", ")}`,
      ConditionExpression: `generation = :generation AND ${sameCorrections(read)}`,
      ...(added.length + set.length > 0 && {
        ExpressionAttributeNames: {
          ...Object.fromEntries(added.map(([name], index) => [`#n${index}`, name])),
          ...Object.fromEntries(maps.map((question, index) => [`#m${index}`, question])),
          ...Object.fromEntries(
            now.flatMap(({ question, choice }, index) => [
              [`#q${index}`, question],
              [`#c${index}`, choice],
            ]),
          ),
        },
      }),
      ExpressionAttributeValues: {
        ":generation": read.generation,
        ":one": 1,
        ...(read.corrections !== undefined && { ":corrections": read.corrections }),
        ...(maps.length > 0 && { ":none": {} }),
        ...(now.length > 0 && { ":zero": 0 }),
        ...Object.fromEntries(added.map(([, by], index) => [`:n${index}`, by])),
        ...Object.fromEntries(now.map(({ by }, index) => [`:t${index}`, by])),
      },
      ReturnValuesOnConditionCheckFailure: "ALL_OLD",
    },
  };
}
