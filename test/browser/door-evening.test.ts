/** Evenings at the door with the real page and the local stage. `test/deep/door.test.ts` has fifty. */
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { givenStage, type ServiceStage } from "../service/stage.ts";
import { type Chromium, findChromium, startChromium } from "./chromium.ts";
import { evening } from "./door-evening.ts";

const executable = findChromium();
if (!executable) console.warn("SKIPPED: evenings at the door. Install Chromium to run these tests.");

(executable ? describe : describe.skip)("an evening at the door", () => {
  let chromium: Chromium;
  let stage: ServiceStage;
  beforeAll(async () => {
    [chromium, stage] = await Promise.all([startChromium(executable as string), givenStage()]);
  });
  afterAll(async () => {
    await chromium?.close();
    await stage?.close();
  });

  test.each([2])(
    "with seed %d loses no scan",
    async (seed) => {
      const { problems, scans } = await evening(stage, chromium, seed, 12);
      expect(problems).toEqual([]);
      expect(scans).toBeGreaterThan(10);
    },
    300_000,
  );
});
