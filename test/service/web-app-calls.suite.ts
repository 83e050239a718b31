/** The calls of the club's web application: how many are accepted (`docs/web-app.md`). */
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "@jest/globals";
import type { Answer } from "./given.ts";
import { type ServiceStage, sharedClosedStage, sharedOpenStage } from "./stage.ts";
import { calls, feedbackSettings, people, type WebAppCall } from "./web-app-calls.ts";

let stage: ServiceStage;
let profileID: string;

/** What happened to a call. `withToken` is the answer after the one that the application gets today. */
interface Outcome {
  readonly asSent: Answer;
  readonly withToken?: Answer;
}
const outcomes = new Map<WebAppCall, Outcome>();

/** The application names a content type in POST and PUT only. Browsers add theirs to every other body that is a text. */
const headersOf = ({ method, body }: WebAppCall): Record<string, string> => {
  if (method === "POST" || method === "PUT") return { accept: "application/json", "content-type": "application/json" };
  return body === undefined ? {} : { "content-type": "text/plain;charset=UTF-8" };
};

function send(to: ServiceStage, call: WebAppCall, as: WebAppCall["as"] = call.as): Promise<Answer> {
  const { method, path, body } = call;
  return to.api(method, path.replace("{profileID}", profileID), {
    headers: headersOf(call),
    ...(as !== "no token" && { as: people[as] }),
    ...(body !== undefined && { body }),
  });
}

/** Why the application cannot use an answer; undefined when it can. */
function problem({ status, reads }: WebAppCall, answer: Answer): string | undefined {
  try {
    expect(answer).toMatchObject({ status, ...(reads !== undefined && { body: reads }) });
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

async function outcomeOf(call: WebAppCall): Promise<Outcome> {
  const asSent = await send(stage, call);
  return call.session ? { asSent, withToken: await send(stage, call, call.session) } : { asSent };
}

const names = { user: ["Uli", "User"], member: ["Mira", "Member"], admin: ["Erin", "Exec"] } as const;

async function givenPeople(): Promise<void> {
  const [fname, lname] = names.user;
  await stage.api("POST", "/users", { as: people.user, body: { fname, lname } });
  for (const who of ["member", "admin"] as const) {
    const [firstName, lastName] = names[who];
    const body = { email: people[who], firstName, lastName, levelOfStudy: "3rd Year" };
    const granted = await stage.api("POST", "/members/grant", { as: people.admin, body });
    if (who === "member") profileID = granted.body.profile.profileID;
  }
}

const question = (questionId: string, type: string, choices = "") => ({
  ...{ questionId, type, choices, label: questionId, required: false },
});

const free = { members: 0, nonMembers: 0 };
const price = { members: 5, nonMembers: 10 };
const shown = {
  ...{ description: "", imageUrl: "https://images.example/e.jpg", capac: 50, deadline: "2030-02-28" },
  ...{ isPublished: true, pricing: free },
};
const gala = {
  ...{ id: "gala", ...shown, ...feedbackSettings },
  registrationQuestions: [
    question("why", "TEXT"),
    question("size", "SELECT", "S,M,L"),
    question("eat", "CHECKBOX", "Meat,Fish,Other"),
    question("workshop", "WORKSHOP_SELECTION", "Pitching,Design"),
    question("skills", "SKILLS"),
    question("resume", "UPLOAD"),
  ],
  partnerRegistrationQuestions: [question("bring", "TEXT")],
};

async function givenEvents(): Promise<void> {
  await stage.givenEvent(gala);
  await stage.givenEvent({ ...gala, id: "last-night", deadline: null, startDate: new Date().toISOString() });
  await stage.givenEvent({ id: "draft", ...shown, isPublished: false });
  await stage.givenEvent({ id: "paid", ...shown, pricing: price });
  await stage.givenEvent({ id: "members", ...shown, pricing: { members: 5 }, nonBizTechAllowed: false });
  await stage.givenEvent({ id: "apply", ...shown, isApplicationBased: true });
  await stage.givenEvent({ id: "audition", ...shown, pricing: price, isApplicationBased: true });
  await stage.givenEvent({ id: "pitch", ...shown, pricing: price, isApplicationBased: true });
  const { partnerRegistrationQuestions } = gala;
  await stage.givenEvent({ id: "fair", ...shown, nonBizTechAllowed: false, partnerRegistrationQuestions });
  await stage.givenEvent({ id: "full", ...shown, capac: 1 });
  for (const id of ["gala", "apply", "pitch", "full"]) await stage.register(id, people.menu);
  await stage.register("pitch", people.user);
  await stage.register("full", people.user);
  expect((await stage.moveTo("pitch", people.user, "acceptedPending")).status).toBe(200);
}

beforeAll(async () => {
  stage = await sharedOpenStage();
  await givenPeople();
  await givenEvents();
  for (const call of calls) {
    await stage.indexed();
    outcomes.set(call, await outcomeOf(call));
  }
});

/** How many calls are accepted as they are sent, how many more with the token, and how many not. */
function counted(outcomeOfCall: (call: WebAppCall) => Outcome | undefined) {
  const count = { asSent: 0, withToken: 0, refused: 0 };
  for (const call of calls) {
    const { asSent: first, withToken: second } = outcomeOfCall(call) ?? {};
    if (first && !problem(call, first)) count.asSent += 1;
    else if (second && !problem(call, second)) count.withToken += 1;
    else count.refused += 1;
  }
  return count;
}

const page = readFileSync(new URL("../../docs/web-app.md", import.meta.url), "utf8");
const changes = page.slice(page.indexOf("## The club's application"));
const [all, asSent, withToken, refused] = [
  /sends (\d+) calls/,
  /\*\*(\d+)\*\* are accepted/,
  /\*\*(\d+)\*\* more/,
  /The other (\d+)/,
].map((said) => Number(said.exec(changes)?.[1])) as [number, number, number, number];
/** As `docs/web-app.md` says it. */
const expected = { asSent, withToken, refused };
const outcomesWith = (others: ReadonlyMap<WebAppCall, Outcome>) =>
  counted((call) => others.get(call) ?? outcomes.get(call));

describe("of the calls", () => {
  test("as many are accepted as the page about them says, and at least 46 without any change", () => {
    expect(outcomesWith(new Map())).toEqual(expected);
    expect(calls).toHaveLength(all);
    expect(asSent).toBeGreaterThanOrEqual(46);
  });

  test("every change that one of them needs is a point of the page", () => {
    for (const change of new Set([1, ...calls.flatMap(({ refused: no }) => no?.change ?? [])])) {
      expect(changes).toMatch(new RegExp(`^${change}\\. \\*\\*`, "m"));
    }
  });

  test("fewer are accepted by a stage that shows nothing without a token", async () => {
    const open = calls.filter((call) => call.as === "no token" && !call.session && !call.refused);
    // It has no data: a call without a token gets no further than the gateway.
    const closed = await sharedClosedStage();
    const sent = await Promise.all(open.map(async (call) => [call, { asSent: await send(closed, call) }] as const));
    expect(sent.map(([, outcome]) => outcome.asSent.status)).toEqual([401, 401, 401, 401, 401]);
    expect(outcomesWith(new Map(sent))).toMatchObject({ asSent: asSent - 5 });
  });

  test("one less is accepted when its shape is broken", async () => {
    const call = calls.find(({ page: name }) => name === "members: new member") as WebAppCall;
    const broken = { ...call, body: { ...call.body, email: "other@student.example", firstName: 7 } };
    const sent = new Map([[call, { asSent: await send(stage, broken) }]]);
    expect(outcomesWith(sent)).toMatchObject({ asSent: asSent - 1 });
  });
});

describe("each call", () => {
  const titled = calls.map((call) => [`${call.method} ${call.path} (${call.page}, ${call.as})`, call] as const);
  test.each(titled)("%s", (_title, call) => {
    const { asSent: first, withToken: second } = outcomes.get(call) as Outcome;
    if (call.refused) {
      expect(problem(call, second ?? first)).toBeDefined();
      expect((second ?? first).status).toBe(call.refused.status);
    } else if (second) {
      expect(problem(call, first)).toBeDefined();
      expect(problem(call, second)).toBeUndefined();
    } else expect(problem(call, first)).toBeUndefined();
  });
});
