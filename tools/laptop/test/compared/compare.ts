/**
 * The same operations on the laptop and on MiniStack. The answer that AWS documents stands once, in the table of operations:
 * the laptop must give it everywhere, and MiniStack where it is installed and no difference is listed.
 */
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { isCompared, type MiniStack, startPartner } from "./ministack.ts";

/** The settings of a client of AWS's SDK for a service of the laptop, as `MiniStack.client` has them. */
export const laptopClient = (endpoint: string) => ({
  endpoint,
  region: "us-west-2",
  credentials: { accessKeyId: "LOCALTest", secretAccessKey: "local" },
  maxAttempts: 1,
});

/** One side of a comparison: clients, or what hides that the laptop's queue has no protocol and a clock of its own. */
export interface Closable {
  close(): unknown;
}

/**
 * A row: its name; the same call on each side, in the order of the table, which resolves with what must be equal: no ids, no
 * dates; and what AWS answers: as the call resolves, or the name of the error with which it rejects. May have jest's matchers.
 */
export type Operation<Side> = readonly [name: string, call: (side: Side) => unknown, answer: unknown];

/**
 * Where MiniStack does not answer as AWS: the name of the operation, MiniStack's answer, and AWS's word: the address of the
 * page, and what it says; an issue that shows AWS's answer where no page does.
 */
export type Difference = readonly [operation: string, theirs: unknown, source: string];

export interface Comparison<Side> {
  readonly operations: readonly Operation<Side>[];
  readonly differences: readonly Difference[];
  ours(): Promise<Side>;
  theirs(partner: MiniStack): Promise<Side>;
}

/** What a side answers: an error by its name. */
export async function answerOf<Side>(side: Side, [, call]: Operation<Side>): Promise<unknown> {
  try {
    return await call(side);
  } catch (error) {
    return (error as Error).name;
  }
}

/** @throws Error MiniStack answers neither as AWS nor as listed, or is listed and answers as AWS */
export function judge([name, , answer]: Operation<never>, theirs: unknown, difference: Difference | undefined): void {
  if (difference && isEqual(theirs, answer)) {
    throw new Error(`MiniStack answers "${name}" as AWS does: its row among the differences goes.`);
  }
  expect(theirs).toEqual(difference ? difference[1] : answer);
}

function isEqual(value: unknown, expected: unknown): boolean {
  try {
    expect(value).toEqual(expected);
    return true;
  } catch {
    return false;
  }
}

/** Declares a test for each operation on the laptop. */
export function answersAsAws<Side extends Closable>(
  operations: readonly Operation<Side>[],
  ours: () => Promise<Side>,
): void {
  describe("the laptop", () => {
    let side: Side;
    beforeAll(async () => {
      side = await ours();
    });
    afterAll(() => side?.close() as Promise<void>);
    test.each(operations)("%s", async (...operation) => {
      expect(await answerOf(side, operation)).toEqual(operation[2]);
    });
  });
}

/** Declares a test for each operation on each side. @throws Error a difference is of no operation, or a name is not unique */
export function compareWithMiniStack<Side extends Closable>({
  operations,
  differences,
  ours,
  theirs,
}: Comparison<Side>): void {
  const names = operations.map(([name]) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`Two operations are named "${twice}".`);
  const lost = differences.find(([operation]) => !names.includes(operation));
  if (lost) throw new Error(`There is no operation "${lost[0]}".`);

  answersAsAws(operations, ours);

  (isCompared ? describe : describe.skip)("MiniStack", () => {
    let partner: MiniStack;
    let side: Side;
    beforeAll(async () => {
      partner = await startPartner();
      side = await theirs(partner);
    });
    afterAll(async () => {
      await side?.close();
      await partner?.stop();
    });
    test.each(operations)("%s", async (...operation) => {
      const difference = differences.find(([name]) => name === operation[0]);
      judge(operation, await answerOf(side, operation), difference);
    });
  });
}
