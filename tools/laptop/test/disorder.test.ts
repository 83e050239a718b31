/** The source of the local stage's disorder. */
import { expect, test } from "@jest/globals";
import { Disorder } from "../service-kit/disorder.ts";

const drawsOf = (disorder: Disorder, count = 1_000) => Array.from({ length: count }, () => disorder.below(100));

test("the same seed draws the same, another seed draws something else", () => {
  expect(drawsOf(new Disorder(7))).toEqual(drawsOf(new Disorder(7)));
  expect(drawsOf(new Disorder(7))).not.toEqual(drawsOf(new Disorder(8)));
});

test("a part draws the same, however much others draw", () => {
  const stage = new Disorder(7);
  const before = drawsOf(stage.of("bus"));
  drawsOf(stage);
  drawsOf(stage.of("queues"));
  expect(drawsOf(stage.of("bus"))).toEqual(before);
  expect(drawsOf(stage.of("queues"))).not.toEqual(before);
});

test("draws cover their range evenly, and about one of four things repeats", () => {
  const counts = new Map<number, number>();
  for (const drawn of drawsOf(new Disorder(7), 10_000)) counts.set(drawn, (counts.get(drawn) ?? 0) + 1);
  expect([...counts.keys()].sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, index) => index));
  expect(Math.min(...counts.values())).toBeGreaterThan(50);
  expect(Math.max(...counts.values())).toBeLessThan(170);
  const disorder = new Disorder(7);
  const repeats = Array.from({ length: 1_000 }, () => disorder.repeats()).filter(Boolean).length;
  expect(Math.abs(repeats - 250)).toBeLessThan(60);
});
