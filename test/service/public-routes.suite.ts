/** A stage that shows its events and profiles without a token (`docs/contract.md`, "Access"). */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { routes } from "#api/routes.ts";
import { anonymousTokens, forgedTokens } from "./bad-tokens.ts";
import { exec, newEmail, user, year } from "./given.ts";
import { type ServiceStage, sharedClosedStage, sharedOpenStage } from "./stage.ts";

let stage: ServiceStage;
let shown: string;
let draft: string;
let profileID: string;
beforeAll(async () => {
  stage = await sharedOpenStage();
  shown = await stage.givenEventWith([newEmail()]);
  draft = await stage.givenEvent({ isPublished: false });
  const grant = { email: newEmail(), firstName: "Ada", lastName: "Lovelace" };
  profileID = (await stage.api("POST", "/members/grant", { as: exec, body: grant })).body.profile.profileID;
  await stage.indexed();
});

/** The paths of the public routes. */
const paths = (): string[] => [
  "/events",
  "/calendar.ics",
  `/events/${shown}/${year}?count=true`,
  `/profiles/profile/${profileID}`,
];
const read = (path: string, token?: string) => stage.api("GET", path, token === undefined ? {} : { token });
/** The events of this suite in a list. */
const idsIn = ({ body }: { readonly body: readonly { readonly id: string }[] }) =>
  body.map(({ id }) => id).filter((id) => id === shown || id === draft);

test("without a token events, counts and profiles are shown, and no draft", async () => {
  const [list, calendar, event, profile] = await Promise.all(paths().map((path) => read(path)));
  expect([list?.status, calendar?.status, event?.status, profile?.status]).toEqual([200, 200, 200, 200]);
  expect(calendar?.body).toContain(`/event/${shown}/`);
  expect(calendar?.body).not.toContain(`/event/${draft}/`);
  expect(idsIn(list as never)).toEqual([shown]);
  expect(event?.body.counts).toMatchObject({ registeredCount: 1 });
  expect(JSON.stringify([list?.body, event?.body, profile?.body])).not.toContain("@");
  expect((await read(`/events/${draft}/${year}`)).status).toBe(404);
});

test("without a token, the people of an event are not shown", async () => {
  const { status, body } = await read(`/events/${shown}/${year}?users=true`);
  expect([status, body.code, body.registrations]).toEqual([403, "FORBIDDEN", undefined]);
});

test("a token that is sent counts: an admin sees drafts, a user does not", async () => {
  const [admins, users] = [await stage.tokenFor(exec), await stage.tokenFor(user)];
  expect(idsIn(await read("/events", admins)).sort()).toEqual([shown, draft].sort());
  expect(idsIn(await read("/events", users))).toEqual([shown]);
  expect((await read(`/events/${draft}/${year}`, admins)).status).toBe(200);
  expect((await read(`/events/${draft}/${year}`, users)).status).toBe(404);
  expect((await read(`/events/${shown}/${year}?users=true`, admins)).body.registrations).toHaveLength(1);
});

describe("a bad token is a 401 on a public route, too", () => {
  const { "no token": _none, ...forged } = forgedTokens;
  const kinds = [
    ...Object.entries(forged).map(([kind, forge]) => [kind, () => forge(stage)] as const),
    ...Object.entries(anonymousTokens).map(([kind, forge]) => [kind, () => forge(stage)] as const),
    ["an empty header", async () => ""] as const,
    ["a word instead of a token", async () => "undefined"] as const,
  ];
  test.each(kinds)("%s", async (_kind, forge) => {
    const token = (await forge()) as string;
    for (const path of paths()) {
      const { status, body } = await stage.api("GET", path, { headers: { authorization: `Bearer ${token}` } });
      expect({ path, status, code: body.code }).toEqual({ path, status: 401, code: "UNAUTHENTICATED" });
    }
  });
});

test("all other routes still need a token", async () => {
  const open = new Set([
    "GET /events",
    "GET /calendar.ics",
    "GET /events/{eventId}/{year}",
    "GET /profiles/profile/{profileID}",
  ]);
  const others = routes.filter(({ key, access }) => access !== "public" && !open.has(key)).flatMap(({ keys }) => keys);
  for (const key of others) {
    const [method = "", path = ""] = key.split(" ");
    const { status } = await stage.api(method, path.replaceAll(/\{\w+\}/g, "x"));
    expect([key, status]).toEqual([key, 401]);
  }
});

test("with the settings off, the same requests need a token", async () => {
  const closed = await sharedClosedStage();
  for (const path of paths()) expect((await closed.api("GET", path)).status).toBe(401);
});
