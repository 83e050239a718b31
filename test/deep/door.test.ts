/** Fifty evenings at the door, each with another plan (`test/browser/door-evening.ts`). */
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { type Chromium, findChromium, startChromium } from "../browser/chromium.ts";
import { evening } from "../browser/door-evening.ts";
import { seed } from "../seeds.ts";
import { givenStage, type ServiceStage } from "../service/stage.ts";

const executable = findChromium();
if (!executable) console.warn("SKIPPED: fifty evenings at the door. Install Chromium to run these tests.");

const evenings = 50;
const stepsOfPhone = 24;

(executable ? describe : describe.skip)("fifty evenings at the door", () => {
  let chromium: Chromium;
  let stage: ServiceStage;
  const all = { scans: 0, doubles: 0 };
  beforeAll(async () => {
    [chromium, stage] = await Promise.all([startChromium(executable as string), givenStage()]);
  }, 60_000);
  afterAll(async () => {
    console.info(`${all.scans} scans, ${all.doubles} tickets that came in twice.`);
    await chromium?.close();
    await stage?.close();
  });

  test.each(Array.from({ length: evenings }, (_, n) => seed + n))(
    "with seed %d loses no scan",
    async (own) => {
      const { problems, scans, doubles } = await evening(stage, chromium, own, stepsOfPhone);
      expect(problems).toEqual([]);
      all.scans += scans;
      all.doubles += doubles;
    },
    600_000,
  );
});
