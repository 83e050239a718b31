/** Fifty evenings at the door, each with another plan (`door-evening.ts`). */
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { type Chromium, findChromium, startChromium } from "../browser/chromium.ts";
import { Phone } from "../browser/door-phone.ts";
import { seed } from "../seeds.ts";
import { exec, year } from "../service/given.ts";
import { givenStage, type ServiceStage } from "../service/stage.ts";
import { evening } from "./door-evening.ts";

const executable = findChromium();
if (!executable) console.warn("SKIPPED: fifty evenings at the door. Install Chromium to run these tests.");

const evenings = 50;
const stepsOfPhone = 14;

(executable ? describe : describe.skip)("fifty evenings at the door", () => {
  let chromium: Chromium;
  let stage: ServiceStage;
  const all = { scans: 0, doubles: 0 };
  beforeAll(async () => {
    [chromium, stage] = await Promise.all([startChromium(executable as string), givenStage()]);
  });
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

  test("a colour is on the page soon after its code is in view", async () => {
    const id = await stage.givenEvent({ startDate: new Date().toISOString() });
    const { secret } = (await stage.api("POST", `/events/${id}/${year}/door-links`, { as: exec })).body;
    const page = `${stage.outputs.apiUrl}/door/`;
    const phone = await Phone.of(chromium, { page, context: await chromium.newContext() });
    await phone.join(`#${id}/${year}/${secret}`, "door 1");
    const took: number[] = [];
    for (let n = 0; n < 51; n += 1) {
      // As long as the code of a usual email.
      took.push(await phone.measure(`V2.${"ABCDEFGH".repeat(12)}${n}`));
      await phone.answer();
    }
    // The first one also loads the decoder.
    const [median, p95] = [25, 47].map((at) => took.slice(1).sort((one, other) => one - other)[at]);
    console.info(`From a code in view to its colour: median ${median} ms, 95 % within ${p95} ms.`);
    expect(p95).toBeLessThan(5_000);
  });
});
