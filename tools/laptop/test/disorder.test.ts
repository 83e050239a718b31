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
