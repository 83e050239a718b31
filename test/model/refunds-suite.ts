/** The tests of the money that goes back, in random sequences. The caller decides how many. */
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { draw, replayLine } from "../seeds.ts";
import { chance, type Drawn } from "./chance.ts";
import { Judge, type Violation } from "./refunds-judge.ts";
import { mutants, type RefundMutant } from "./refunds-mutants.ts";
import { type Happening, type Plan, RefundWorld, type Sabotage } from "./refunds-world.ts";
import { traceOf } from "./world.ts";

/** How often each thing happens. */
const weights: Readonly<Record<Happening["kind"], number>> = {
  ...{ settle: 4, require: 7, ask: 5, decide: 2, message: 16, event: 10, dashboard: 3, dispute: 3, refund: 5 },
  ...{ payout: 2, outage: 1, time: 3 },
};

const happening: fc.Arbitrary<Happening> = fc.record({
  kind: fc.oneof(
    ...Object.entries(weights).map(([kind, weight]) => ({
      weight,
      arbitrary: fc.constant(kind as Happening["kind"]),
    })),
  ),
  which: fc.nat(99),
  how: fc.nat(99),
});

const plan: fc.Arbitrary<Plan> = fc.record({
  amount: fc.integer({ min: 50, max: 5_000 }),
  use: fc.constantFrom("seat", "seat", "seat", "membership", "nothing to pay", "wrong amount"),
  isEarly: fc.integer({ min: 0, max: 9 }).map((roll) => roll < 7),
});

interface Sequence {
  readonly plans: readonly Plan[];
  readonly mode: "automatic" | "by hand";
  /** Each step has things that happen at once. */
  readonly steps: readonly (readonly Happening[])[];
  readonly drawn: Drawn;
}

const sequence: fc.Arbitrary<Sequence> = fc.record({
  plans: fc.array(plan, { minLength: 1, maxLength: 4 }),
  mode: fc.constantFrom("automatic", "automatic", "automatic", "by hand"),
  steps: fc.array(fc.array(happening, { minLength: 1, maxLength: 3 }), { minLength: 4, maxLength: 40, size: "max" }),
  drawn: chance,
});

interface Found {
  readonly violations: readonly Violation[];
  readonly trace: readonly string[];
  readonly world: RefundWorld;
}

async function play({ plans, mode, steps, drawn }: Sequence, sabotage: Sabotage = {}): Promise<Found> {
  const judge = new Judge();
  const world = await RefundWorld.of(plans, mode, drawn, sabotage, judge.watch);
  const early = plans.flatMap(({ isEarly }, which): Happening[] =>
    isEarly ? [{ kind: "settle", which, how: 0 }] : [],
  );
  for (const step of [early, ...steps]) {
    await world.happen(step);
    judge.judgeStep(world);
  }
  await world.quieten();
  judge.judgeTold(world);
  await world.payOut();
  judge.judgeEnd(world);
  return { violations: judge.violations, trace: traceOf(), world };
}

const explained = ({ violations, trace }: Found): unknown[] =>
  violations.length === 0 ? [] : [...violations, ...trace];

/** A sequence for a rule that random ones rarely need: one payment, and the things that happen, in steps. */
const situationOf = (steps: NonNullable<RefundMutant["where"]>, use: Plan["use"] = "seat"): Sequence => ({
  plans: [{ amount: 1_000, use, isEarly: false }],
  mode: "automatic",
  steps: steps.map((step) => step.map((kind) => ({ kind, which: 0, how: kind === "time" ? 99 : 30 }))),
  drawn: draw(chance),
});

interface Search {
  /** How many sequences are tried. */
  readonly runs: number;
  /** How many sequences may pass until a mutant is caught. Every other one is the situation that is made for it. */
  readonly patience: number;
  /** Whether rare mutants are among them. */
  readonly hasRare: boolean;
}

export function describeRefunds({ runs, patience, hasRare }: Search): void {
  describe("the money that goes back", () => {
    test("is the provider's to the cent, and is told once, in every order", async () => {
      const seen = { refunds: 0, failed: 0, disputes: 0, adopted: 0, refused: 0, late: 0, third: 0 };
      await fc.assert(
        fc.asyncProperty(sequence, async (one) => {
          const found = await play(one);
          const { refunds, refusals, charges } = found.world.provider;
          seen.refunds += refunds.length;
          seen.failed += refunds.filter(({ status }) => status === "failed").length;
          seen.adopted += refunds.filter(({ refundId }) => refundId === undefined).length;
          for (const { intent } of charges) seen.disputes += found.world.provider.disputesOf(intent).length;
          seen.refused += refusals.size;
          for (const { because } of found.world.told("payment.refundByHand")) {
            if (because === "late" || because === "third") seen[because as "late" | "third"] += 1;
          }
          expect(explained(found)).toEqual([]);
        }),
        { numRuns: runs, endOnFailure: true },
      );
      // Sequences in which nothing happens would prove nothing. A few sequences may lack what is rare.
      expect(seen.refunds).toBeGreaterThan(runs);
      for (const count of Object.values(seen)) expect(count).toBeGreaterThanOrEqual(Math.floor(runs / 100));
    }, 3_600_000);
  });

  describe("without one of its rules", () => {
    test.each(mutants.filter(({ isRare }) => hasRare || !isRare).map((mutant) => [mutant.name, mutant] as const))(
      "%s: is caught",
      async (_name, { make, breaks, where, use }) => {
        const others = new Set<string>();
        for (let tries = 1; tries <= patience; tries += 1) {
          const steps = where && tries % 2 === 1 ? situationOf(where, use) : draw(sequence);
          const broken = (await play(steps, make())).violations.map(({ rule }) => rule);
          if (broken.some((rule) => breaks.includes(rule))) return;
          for (const rule of broken) others.add(rule);
        }
        const also = others.size > 0 ? `, but ${[...others].join(", ")}` : "";
        throw new Error(`Not caught in ${patience} sequences${also}. Again: ${replayLine()}`);
      },
      600_000,
    );
  });
}
