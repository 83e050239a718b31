/** The large rushes in AWS-like time, with the budgets of `test/model/rush.test.ts`. */
import { expect, test } from "@jest/globals";
import { simulatedSizes } from "../../tools/upkeep/bench/rush.ts";
import { simulateRush } from "../../tools/upkeep/bench/simulation/rush.ts";

test.each(simulatedSizes)(
  "$people people for $seats seats within a second keep the budgets, the order and the truth",
  async ({ people, seats }) => {
    const { answers, p99, transactionsPerAnswer, jumps, overtaken, wrong } = await simulateRush({ people, seats });
    expect({ jumps, overtaken, wrong }).toEqual({ jumps: 0, overtaken: 0, wrong: [] });
    expect(answers).toEqual({ registered: seats, ...(people > seats && { waitlist: people - seats }) });
    expect(p99).toBeLessThan(5_000);
    expect(transactionsPerAnswer).toBeLessThanOrEqual(4);
  },
  900_000,
);

test("control: 1,000 people who each take their own seat need more transactions than they may", async () => {
  const { transactionsPerAnswer } = await simulateRush({ people: 1_000, seats: 1_000, withoutCrowds: true });
  expect(transactionsPerAnswer).toBeGreaterThan(4);
}, 900_000);
