/** Whatever people do by the API, `check` finds nothing: random histories, and a look at the whole table. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import fc from "fast-check";
import { draw } from "../../../test/seeds.ts";
import { exec, times, year } from "../../../test/service/given.ts";
import { givenStage, type ServiceStage } from "../../../test/service/stage.ts";
import { givenSettings } from "../../../test/settings.ts";
import { ops } from "../command.ts";
import { targetIn } from "../target.ts";

/** Requests of a history, and histories. A check looks at the table behind each. */
const [requests, histories] = process.env.ALL_CASES ? [250, 6] : [60, 1];

let stage: ServiceStage;
let folder: string;
let file: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "histories-"));
  file = join(folder, "outputs.json");
  stage = await givenStage();
  await writeFile(file, JSON.stringify(stage.outputs));
  givenSettings((await targetIn(file)).environment);
});
afterAll(async () => {
  await stage.close();
  await rm(folder, { recursive: true });
});

const workshop = (participantCap: number) => ({
  questionId: "w",
  label: "Workshop",
  type: "WORKSHOP_SELECTION",
  required: false,
  choices: ["A", "B"],
  participantCap,
});

const kinds: Readonly<Record<string, object>> = {
  free: { capac: 2, registrationQuestions: [workshop(1)] },
  priced: { capac: 2, pricing: { member: 5, nonMember: 10 } },
  applied: { capac: 2, isApplicationBased: true, registrationQuestions: [workshop(2)] },
  sold: { capac: 2, isApplicationBased: true, pricing: { member: 0, nonMember: 10 } },
};

const people = times(6, (n) => `human-${n}@student.example`);
const statuses = ["registered", "waitlist", "checkedIn", "cancelled", "accepted", "acceptedComplete", "rejected"];

type Act = (id: string, email: string, pick: number) => Promise<unknown>;

/** What people and admins ask for; an answer may refuse it. */
function acts(): Readonly<Record<string, Act>> {
  const form = (pick: number) => ({ dynamicResponses: { w: pick % 2 === 0 ? "A" : "B" } });
  const admin = (method: string, path: string, body?: object) => stage.api(method, path, { as: exec, body });
  return {
    register: (id, email, pick) => stage.register(id, email, form(pick)),
    "register again": (id, email, pick) => stage.register(id, email, form(pick + 1)),
    "register by an admin": (id, email, pick) => stage.registerByAdmin(id, email, form(pick)),
    cancel: (id, email) => stage.moveTo(id, email, "cancelled", email),
    leave: (id, email) => stage.leave(id, email),
    move: (id, email, pick) => stage.moveTo(id, email, statuses[pick % statuses.length] as string),
    decide: (id, email, pick) =>
      stage.changeRegistration(id, email, {
        applicationStatus: ["accepted", "waitlist", "rejected"][pick % 3],
      }),
    "put on the waitlist": (id, email) => stage.moveTo(id, email, "waitlist"),
    "change the answers": (id, email, pick) => stage.changeRegistration(id, email, form(pick), email),
    "give points": (id, email, pick) => stage.changeRegistration(id, email, { points: pick }),
    "move several": (id, email, pick) =>
      admin("PUT", "/registrations/massUpdate", {
        eventID: id,
        eventYear: year,
        updates: [email, ...people.slice(0, 2)].map((one) => ({
          email: one,
          registrationStatus: statuses[pick % statuses.length],
        })),
      }),
    pay: async (id, email) => {
      const { status, body: url } = await stage.api("POST", "/payments", {
        as: email,
        body: { paymentType: "Event", eventID: id, year },
      });
      const session = status === 200 && stage.payments.sessions().find((one) => one.url === url);
      if (session) stage.payments.pay(session.id);
    },
    "change the capacity": (id, _email, pick) => stage.changeEvent(id, { capac: 1 + (pick % 4) }),
    "change a limit": (id, _email, pick) =>
      stage.changeEvent(id, { registrationQuestions: [workshop(1 + (pick % 3))] }),
    "stop or begin applications": (id, _email, pick) => stage.changeEvent(id, { isApplicationBased: pick % 2 === 0 }),
    "close or open": (id, _email, pick) => stage.changeEvent(id, { isCompleted: pick % 3 === 0 }),
    "delete the event and make it again": async (id, _email, pick) => {
      if (pick % 4 !== 0) return;
      await stage.deleteEvent(id, "?force=true");
      await stage.createEvent({ id, startDate: `${year}-05-01T18:00:00Z`, ...kinds[id.split("-")[0] as string] });
    },
    grant: (_id, email) => admin("POST", "/members/grant", { email, firstName: "Some" }),
    "end a membership": (_id, email) => admin("DELETE", `/members/${email}`),
    "delete the account": (_id, email, pick) =>
      pick % 3 === 0 ? stage.api("DELETE", `/users/${email}`, { as: email }) : Promise.resolve(),
    "make an account": (_id, email) => stage.api("POST", "/users", { as: email, body: { email, fname: "Some" } }),
  };
}

async function run(...words: string[]) {
  await stage.settled();
  await stage.indexed();
  const printed: string[] = [];
  const code = await ops([...words, "--stage-outputs", file, "--index-lag", "50"], {
    print: (line) => void printed.push(line),
    note: () => undefined,
  });
  return { code, found: printed.filter((line) => /^[a-z ]+: /.test(line)) };
}

const check = () => run("check");

test("behind random histories of requests nothing is wrong", async () => {
  const all = acts();
  for (const history of times(histories, (n) => n)) {
    const ids = Object.keys(kinds).map((kind) => `${kind}-${history}`);
    for (const id of ids) await stage.givenEvent({ id, ...kinds[id.split("-")[0] as string] });
    const told: string[] = [];
    for (let at = 0; at < requests; at += 1) {
      const [id, email] = [draw(fc.constantFrom(...ids)), draw(fc.constantFrom(...people))];
      const [name, pick] = [draw(fc.constantFrom(...Object.keys(all))), draw(fc.nat({ max: 99 }))];
      await (all[name] as Act)(id, email, pick);
      told.push(`${name}: ${id}, ${email}, ${pick}`);
    }
    const { code, found } = await check();
    if (code !== 0) throw new Error([...found, "behind", ...told].join("\n"));
  }
}, 600_000);

test("a rejected person whom an admin puts in line is not passed when applications have ended", async () => {
  const [first = "", second = ""] = people.slice(1);
  const id = await stage.givenEvent({ capac: 1, isApplicationBased: true });
  expect((await stage.register(id, first)).status).toBe(201);
  expect((await stage.moveTo(id, first, "rejected")).status).toBe(200);
  expect((await stage.changeEvent(id, { isApplicationBased: false })).status).toBe(200);
  expect((await stage.register(id, second)).body.registrationStatus).toBe("registered");
  expect((await stage.moveTo(id, first, "waitlist")).status).toBe(200);
  expect((await stage.storedSeats(id)).gate).toBe("queued");
  expect(await check()).toEqual({ code: 0, found: [] });
});
