/** Templates, campaigns and suppressions over HTTP (`docs/contract.md`, "Emails"). */
import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { beforeAll, describe, expect, test } from "@jest/globals";
import type { Email } from "../../tools/laptop/mailbox/index.ts";
import { exec, newEventId, people, year } from "./given.ts";
import { type ServiceStage, sharedStage } from "./stage.ts";

let stage: ServiceStage;
beforeAll(async () => {
  stage = await sharedStage();
});

const call = (method: string, path: string, body?: unknown) => stage.api(method, path, { as: exec, body });

let names = 0;
async function givenTemplate(content: Record<string, unknown> = {}): Promise<string> {
  names += 1;
  const templateName = `Template_${names}`;
  const body = { templateName, subject: "{{ fname }}", html: "<p>{{ event.ename }}</p>", text: "Hi", ...content };
  expect(await call("POST", "/emails/templates", body)).toMatchObject({ status: 201 });
  return templateName;
}

/** Makes an event and registers people for it. @returns its id */
async function givenMailing(registered: readonly string[], fields: Record<string, unknown> = {}): Promise<string> {
  const id = newEventId();
  await stage.givenEvent({ id, ename: `Dinner & ${id}`, ...fields });
  for (const email of registered) {
    await stage.registerByAdmin(id, email, { basicInformation: { fname: "Ada", lname: "<b>L</b>" } });
  }
  return id;
}

/** Asks for a campaign when the indexes have all people who may be meant. */
async function send(templateName: string, audience: object, more: object = {}) {
  await stage.indexed();
  return call("POST", "/emails/send", { templateName, audience, ...more });
}
const progressOf = async (id: string) => (await call("GET", `/emails/campaigns/${id}`)).body;

/** Waits until all messages are handled. @returns the mails with this subject, by recipient */
async function mailed(subject: string): Promise<Map<string, Email[]>> {
  await stage.settled();
  const found = new Map<string, Email[]>();
  for (const mail of stage.mailbox.list()) {
    if (mail.subject !== subject) continue;
    const to = mail.destination.to.join().replace(/^.*<|>.*$/g, "");
    found.set(to, [...(found.get(to) ?? []), mail]);
  }
  return found;
}

describe("templates", () => {
  test("are created, listed, read, changed by both paths, previewed and deleted", async () => {
    const name = await givenTemplate();
    const again = { templateName: name, subject: "a", html: "a", text: "" };
    expect(await call("POST", "/emails/templates/", again)).toMatchObject({ status: 409, body: { code: "DUPLICATE" } });
    for (const path of ["/emails/templates", "/emails/templates/"]) {
      const { body } = await call("GET", path);
      expect(body.emailTemplates).toContainEqual({
        TemplateName: name,
        CreatedTimestamp: expect.stringMatching(/^\d{4}-.*Z$/),
        LastModifiedTimestamp: expect.any(String),
      });
    }
    expect(await call("PATCH", "/emails/templates", { templateName: name, subject: "B" })).toMatchObject({
      status: 200,
    });
    expect(await call("PATCH", `/emails/templates/${name}`, { text: "{{ lname }}" })).toMatchObject({ status: 200 });
    expect(await call("PATCH", `/emails/templates/${name}`, { templateName: "Other" })).toMatchObject({ status: 400 });
    const { body } = await call("GET", `/emails/templates/${name}`);
    expect(body).toMatchObject({
      TemplateName: name,
      TemplateContent: { Subject: "B", Html: "<p>{{ event.ename }}</p>", Text: "{{ lname }}" },
      Template: { Subject: "B", Html: "<p>{{ event.ename }}</p>", Text: "{{ lname }}" },
    });
    const data = { fname: "x", lname: "A & B", event: { ename: "<i>" } };
    expect((await call("POST", `/emails/templates/${name}/preview`, { data })).body).toEqual({
      subject: "B",
      html: "<p>&lt;i&gt;</p>",
      text: "A & B",
    });
    expect((await call("POST", `/emails/templates/${name}/preview`, {})).body.html).toBe("<p></p>");
    expect(await call("DELETE", `/emails/templates/${name}`)).toMatchObject({ status: 200 });
    for (const [method, path, given] of [
      ["GET", `/emails/templates/${name}`, undefined],
      ["DELETE", `/emails/templates/${name}`, undefined],
      ["PATCH", "/emails/templates", { templateName: name, subject: "x" }],
      ["POST", `/emails/templates/${name}/preview`, {}],
      ["POST", "/emails/send", { templateName: name, audience: { members: true } }],
    ] as const) {
      expect(await call(method, path, given)).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
    }
    expect((await call("GET", "/emails/templates")).body.emailTemplates).not.toContainEqual(
      expect.objectContaining({ TemplateName: name }),
    );
  });

  test("that are unsound are refused, the answer names the parts, and nothing changes", async () => {
    const name = await givenTemplate();
    const wrong = { subject: "{{ nobody }}", html: '<a href="{{ fname }}">', text: "{% for %}" };
    const refusal = {
      status: 400,
      body: {
        code: "VALIDATION",
        issues: ["/subject", "/html", "/text"].map((path) => ({ path, message: expect.any(String) })),
      },
    };
    expect(await call("POST", "/emails/templates", { templateName: "Wrong", ...wrong })).toMatchObject(refusal);
    expect(await call("PATCH", `/emails/templates/${name}`, wrong)).toMatchObject(refusal);
    expect((await call("GET", `/emails/templates/${name}`)).body.TemplateContent.Subject).toBe("{{ fname }}");
  });
});

describe("a campaign", () => {
  test("reaches each person of an event once, as the template was; suppressed people still get tickets", async () => {
    const everyone = people(4, "many");
    const [suppressed = "", ...others] = everyone;
    expect(
      await call("POST", "/emails/suppressions", { email: ` ${suppressed.toUpperCase()}`, reason: "asked" }),
    ).toMatchObject({
      status: 201,
      body: { suppression: { email: suppressed, reason: "asked" } },
    });
    const id = await givenMailing(everyone, { capac: 4 });
    await stage.registerByAdmin(id, "waits@many.example");
    const subject = `Soon: Dinner & ${id}`;
    const templateName = await givenTemplate({
      subject: "Soon: {{ event.ename }}",
      html: '<p>Hi {{ fname }} {{ lname }}</p><a href="{{ event.url }}">{{ event.startDate }}</a>',
    });
    const { status, body } = await send(templateName, { eventID: id, year });
    expect({ status, body }).toEqual({ status: 202, body: { campaignId: expect.any(String), recipients: 4 } });
    await call("PATCH", "/emails/templates", { templateName, subject: "Changed", html: "Changed" });
    const mails = await mailed(subject);
    expect([...mails.keys()].sort()).toEqual([...others].sort());
    expect([...mails.values()].map(({ length }) => length)).toEqual(others.map(() => 1));
    const html = mails.get(others[0] ?? "")?.[0]?.body.html;
    expect(html).toContain("<p>Hi Ada &lt;b&gt;L&lt;/b&gt;</p>");
    expect(html).toContain(`<a href="http://localhost:4000/event/${id}/2030">Wednesday, May 1, 2030`);
    expect(await progressOf(body.campaignId)).toEqual({
      campaignId: body.campaignId,
      templateName,
      audience: `event ${id} 2030`,
      recipients: 4,
      createdBy: exec,
      createdAt: expect.any(Number),
      state: "done",
      sent: 3,
      failed: 0,
      suppressed: 1,
      unconfirmed: 0,
      pending: 0,
      failures: [],
      unconfirmedRecipients: [],
    });
    const tickets = await mailed(`You're registered: Dinner & ${id}`);
    expect(tickets.get(suppressed)).toHaveLength(1);
    expect(stage.deadLetters()).toEqual([]);

    const waiting = await send(templateName, { eventID: id, year, status: ["waitlist"] });
    expect(waiting.body.recipients).toBe(1);
    expect([...(await mailed("Changed")).keys()]).toEqual(["waits@many.example"]);
  });

  test("with a key that the route does not know goes to nobody: `sendAfter` does not send at once", async () => {
    const templateName = await givenTemplate({ subject: "Not yet" });
    const emails = ["later@list.example"];
    for (const [audience, more, path] of [
      [{ emails }, { sendAfter: "2030-01-01" }, "/sendAfter"],
      [{ emails, only: "members" }, {}, "/audience/only"],
    ] as const) {
      const refusal = { code: "VALIDATION", issues: [{ path, message: expect.stringContaining("nothing was done") }] };
      expect(await send(templateName, audience, more)).toMatchObject({ status: 400, body: refusal });
    }
    expect([...(await mailed("Not yet")).keys()]).toEqual([]);
    // Control: without the key it is sent.
    await send(templateName, { emails });
    expect([...(await mailed("Not yet")).keys()]).toEqual(emails);
  });

  test("goes to each listed address once, or to all members; without recipients it is done at once", async () => {
    await call("POST", "/users", { email: "named@list.example", fname: "Grace" });
    const templateName = await givenTemplate({ subject: 'List {{ fname | default: "you" }}' });
    const emails = ["named@list.example", " NAMED@list.example", "other@list.example"];
    const { body } = await send(templateName, { emails });
    expect(body.recipients).toBe(2);
    expect([...(await mailed("List Grace")).keys()]).toEqual(["named@list.example"]);
    expect([...(await mailed("List you")).keys()]).toEqual(["other@list.example"]);

    await call("POST", "/members", { email: "m@list.example", firstName: "Mia" });
    await call("POST", "/members", { email: "former@list.example", firstName: "Max" });
    await call("PATCH", "/members/former@list.example", { until: "2026-01-31" });
    expect((await send(templateName, { members: true })).body.recipients).toBe(1);
    expect([...(await mailed("List Mia")).keys()]).toEqual(["m@list.example"]);

    const empty = await send(templateName, { eventID: await stage.givenEvent(), year });
    expect(empty).toMatchObject({ status: 202, body: { recipients: 0 } });
    expect(await progressOf(empty.body.campaignId)).toMatchObject({ state: "done", pending: 0 });
  });

  test("that is asked for twice without a key, as by a double click, is sent once", async () => {
    const templateName = await givenTemplate({ subject: "Clicked" });
    const audience = { emails: ["a@click.example"] };
    const both = await Promise.all([1, 2].map(() => send(templateName, audience)));
    const answers = [...both, await send(templateName, audience)];
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
    expect(new Set(answers.map(({ body }) => body.campaignId)).size).toBe(1);
    expect((await mailed("Clicked")).get("a@click.example")).toHaveLength(1);

    const first = answers[0]?.body.campaignId;
    const others = [await send(templateName, { emails: ["b@click.example"] })];
    // A changed template makes another campaign.
    await call("PATCH", "/emails/templates", { templateName, text: "Changed" });
    others.push(await send(templateName, audience));
    // So does a request for a campaign that was stopped.
    await call("DELETE", `/emails/campaigns/${others[1]?.body.campaignId}`);
    const restarted = await Promise.all([1, 2].map(() => send(templateName, audience)));
    expect(new Set(restarted.map(({ body }) => body.campaignId)).size).toBe(1);
    others.push(restarted[0] as (typeof others)[number]);
    expect(new Set([first, ...others.map(({ body }) => body.campaignId)]).size).toBe(4);
  });

  test("is the same for five minutes, under a key for 30 days, and for every admin", async () => {
    const audience = { emails: ["a@again.example"] };
    const known = async () => (await stage.storedItems()).filter(({ PK }) => String(PK).startsWith("CMPREQ#"));
    for (const [more, counts] of [
      [{}, 300],
      [{ idempotencyKey: "again" }, 30 * 86_400],
    ] as const) {
      const templateName = await givenTemplate({ subject: "Again" });
      const sendAs = async (as: string) => {
        const body = { templateName, audience, ...more };
        return (await stage.api("POST", "/emails/send", { as, body })).body.campaignId as string;
      };
      const campaignId = await sendAs(exec);
      expect(await sendAs("other@club.example")).toBe(campaignId);
      const item = (await known()).find((one) => one.campaignId === campaignId);
      const { body } = await call("GET", `/emails/campaigns/${campaignId}`);
      expect(item?.ttl).toBe(Math.ceil(body.createdAt / 1_000) + counts);
      // Its time is over, and DynamoDB has not deleted it yet.
      const Item = { ...item, ttl: Math.floor(Date.now() / 1_000) } as Record<string, unknown>;
      await stage.table.send(new PutCommand({ TableName: stage.outputs.tableName, Item }));
      const next = await sendAs(exec);
      expect(next).not.toBe(campaignId);
      expect(await sendAs(exec)).toBe(next);
      if ("idempotencyKey" in more)
        expect(await send(templateName, { members: true }, more)).toMatchObject({
          status: 409,
          body: { code: "DUPLICATE" },
        });
    }
  });

  test("that is stopped goes to no further person", async () => {
    const emails = Array.from({ length: 2_000 }, (_, n) => `s${n}@stop.example`);
    const templateName = await givenTemplate({ subject: "Stop" });
    const { body } = await send(templateName, { emails });
    expect(body.recipients).toBe(2_000);
    expect(await call("DELETE", `/emails/campaigns/${body.campaignId}`)).toMatchObject({ status: 200 });
    const { length: atOnce } = [...(await mailed("Stop")).values()];
    expect(atOnce).toBeLessThan(2_000);
    const { state, sent, pending, stoppedAt } = await progressOf(body.campaignId);
    expect({ state, sent, pending }).toEqual({ state: "stopped", sent: atOnce, pending: 2_000 - atOnce });
    expect(stoppedAt).toEqual(expect.any(Number));
    expect(await call("DELETE", `/emails/campaigns/${body.campaignId}`)).toMatchObject({ status: 200 });
    const { body: campaigns } = await call("GET", "/emails/campaigns?limit=1");
    expect(campaigns).toMatchObject([{ campaignId: body.campaignId, recipients: 2_000 }]);
    expect(JSON.stringify(campaigns)).not.toContain("@stop.example");
  });

  test("with a malformed audience, an unknown event or an unknown id is refused", async () => {
    const templateName = await givenTemplate();
    expect(await send(templateName, {})).toMatchObject({ status: 400, body: { issues: [{ path: "/audience" }] } });
    expect(await send(templateName, { eventID: "nowhere", year })).toMatchObject({ status: 404 });
    for (const method of ["GET", "DELETE"])
      expect(await call(method, "/emails/campaigns/01ARZ3NDEKTSV4RRFFQ69G5FAV")).toMatchObject({ status: 404 });
    expect(await call("GET", "/emails/campaigns/x")).toMatchObject({ status: 400 });
  });
});

describe("a campaign at a time", () => {
  const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  /** Gives it a time that comes at once, and lets the clock run. */
  async function whenDue(id: string): Promise<void> {
    expect(await call("PATCH", `/emails/campaigns/${id}`, { sendAt: inHours(0.5 / 3_600) })).toMatchObject({
      status: 200,
    });
    for (let state = "scheduled"; state === "scheduled"; { state } = await progressOf(id)) {
      await stage.indexed();
      await stage.invoke("Sweeper", {});
      await stage.settled();
    }
  }

  test("goes to who has a seat then, about the event as it is then, and answers to the event's address", async () => {
    const [gone, stays, joins] = ["gone", "stays", "joins"].map((name) => `${name}@later.example`) as [
      string,
      string,
      string,
    ];
    const id = await givenMailing([gone, stays], { replyTo: "Dinner@club.example" });
    const templateName = await givenTemplate({ subject: "Later {{ event.ename }}" });
    const { body } = await send(templateName, { eventID: id, year }, { sendAt: inHours(2) });
    expect(body.recipients).toBe(2);
    expect(await progressOf(body.campaignId)).toMatchObject({
      state: "scheduled",
      sendAt: expect.any(Number),
      sent: 0,
    });
    await stage.moveTo(id, gone, "cancelled");
    await stage.registerByAdmin(id, joins);
    await stage.changeEvent(id, { ename: "Supper" });
    await whenDue(body.campaignId);
    const sent = await mailed("Later Supper");
    expect([...sent.keys()].sort()).toEqual([joins, stays]);
    expect(sent.get(stays)?.[0]?.replyTo).toEqual(["dinner@club.example"]);
    expect(await progressOf(body.campaignId)).toMatchObject({ state: "done", recipients: 2, sent: 2 });
    const tickets = stage.mailsTo(joins).filter(({ subject }) => subject.startsWith("You're registered"));
    expect(tickets.map(({ replyTo }) => replyTo)).toEqual([["dinner@club.example"]]);
    const again = await call("PATCH", `/emails/campaigns/${body.campaignId}`, { sendAt: inHours(2) });
    expect(again).toMatchObject({ status: 409, body: { code: "CAMPAIGN_BEGUN" } });
  });

  test("is stopped before it, refused in the past, and tried before on oneself, which counts for nothing", async () => {
    const templateName = await givenTemplate({ subject: "Tried {{ event.ename }}" });
    const id = await givenMailing(["only@tried.example"], { ename: "Ball" });
    const audience = { eventID: id, year };
    expect(await send(templateName, audience, { sendAt: inHours(-1) })).toMatchObject({
      status: 400,
      body: { issues: [{ path: "/sendAt" }] },
    });
    const trial = await send(templateName, audience, { test: true });
    expect(trial.body.recipients).toBe(1);
    expect([...(await mailed("[Test] Tried Ball")).keys()]).toEqual([exec]);
    expect(await progressOf(trial.body.campaignId)).toMatchObject({ test: true, state: "done" });
    const { body } = await send(templateName, audience, { sendAt: inHours(1) });
    expect(body.campaignId).not.toBe(trial.body.campaignId);
    expect(await call("DELETE", `/emails/campaigns/${body.campaignId}`)).toMatchObject({ status: 200 });
    expect(await progressOf(body.campaignId)).toMatchObject({ state: "stopped", pending: 1 });
    expect(await stage.stored("CAMPAIGNS TO COME")).toEqual([]);
    expect([...(await mailed("Tried Ball")).keys()]).toEqual([]);
  });

  test("is one of an event's rules: it goes once, to who it is for, and only admins see the rule", async () => {
    const templateName = await givenTemplate({ subject: "Rule {{ event.ename }}" });
    const id = await givenMailing(["a@rule.example"], { ename: "Ruled", startDate: inHours(100) });
    const rule = { templateName, to: "seats", when: "beforeStart", days: 2 };
    const change = (body: object) => call("PATCH", `/events/${id}/${year}`, body);
    expect(await change({ mails: [{ ...rule, templateName: "None" }] })).toMatchObject({
      ...{ status: 400, body: { issues: [{ path: "/mails/0/templateName" }] } },
    });
    expect(await change({ replyTo: "a@club.example\r\nBcc: b@x.example" })).toMatchObject({
      ...{ status: 400, body: { issues: [{ path: "/replyTo" }] } },
    });
    expect(await change({ mails: [rule], replyTo: "a@club.example" })).toMatchObject({
      status: 200,
      body: { item: { mails: [rule] } },
    });
    const seen = await stage.api("GET", `/events/${id}/${year}`, { as: "user@student.example" });
    expect(Object.keys(seen.body)).not.toEqual(expect.arrayContaining([expect.stringMatching(/^(mails|replyTo)$/)]));
    const sweep = async () => {
      await stage.indexed();
      await stage.invoke("Sweeper", {});
      await stage.settled();
      return [...(await mailed("Rule Ruled")).entries()].map(([email, mails]) => [email, mails.length]);
    };
    expect(await sweep()).toEqual([]);
    await change({ startDate: inHours(40) });
    expect(await sweep()).toEqual([["a@rule.example", 1]]);
    await change({ startDate: inHours(30) });
    expect(await sweep()).toEqual([["a@rule.example", 1]]);
  });
});

test("suppressed people are listed in pages, and removed by an email in the body or in the query", async () => {
  for (const email of ["a@off.example", "b+c@off.example"]) {
    for (const _ of [1, 2])
      expect(await call("POST", "/emails/suppressions", { email })).toMatchObject({ status: 201 });
  }
  const first = await call("GET", "/emails/suppressions?limit=1");
  expect(first.body).toHaveLength(1);
  const listed = async () =>
    (await call("GET", "/emails/suppressions")).body.map(({ email }: { email: string }) => email);
  expect(await listed()).toEqual(expect.arrayContaining(["a@off.example", "b+c@off.example"]));
  expect(await call("DELETE", "/emails/suppressions", { email: "A@off.example" })).toMatchObject({ status: 200 });
  expect(await call("DELETE", "/emails/suppressions?email=b+c@off.example")).toMatchObject({ status: 200 });
  expect(await call("DELETE", "/emails/suppressions")).toMatchObject({
    status: 400,
    body: { issues: [{ path: "/email" }] },
  });
  expect(await listed()).not.toEqual(expect.arrayContaining([expect.stringContaining("@off.example")]));
});

describe("after a mail that", () => {
  const at = (name: string) => `${name}@simulator.amazonses.com`;
  const suppressed = async (): Promise<{ email: string; reason?: string; createdAt: number }[]> =>
    (await call("GET", "/emails/suppressions")).body.filter(({ email }: { email: string }) => /@simulator/.test(email));

  test("bounced for good or was complained of, the address gets no campaign any more, and still its tickets", async () => {
    const templateName = await givenTemplate({ subject: "News" });
    const emails = ["bounce+a", "complaint+a", "ooto+a", "suppressionlist+a", "success+a"].map(at);
    const before = Date.now();
    const first = await send(templateName, { emails });
    await stage.settled();
    expect(await progressOf(first.body.campaignId)).toMatchObject({ sent: 5, suppressed: 0 });
    const listed = await suppressed();
    expect(listed).toEqual([
      { email: at("bounce+a"), reason: "bounce: General", createdAt: expect.any(Number) },
      { email: at("complaint+a"), reason: "complaint: abuse", createdAt: expect.any(Number) },
      { email: at("suppressionlist+a"), reason: "bounce: Suppressed", createdAt: expect.any(Number) },
    ]);
    for (const { createdAt } of listed) expect(createdAt).toBeGreaterThanOrEqual(before);

    const second = await send(await givenTemplate({ subject: "More news" }), { emails });
    await stage.settled();
    expect(await progressOf(second.body.campaignId)).toMatchObject({ sent: 2, suppressed: 3 });
    const id = await givenMailing([at("complaint+a")]);
    expect((await mailed(`You're registered: Dinner & ${id}`)).get(at("complaint+a"))).toHaveLength(1);
    // The bounce of the ticket changes nothing.
    expect(await suppressed()).toEqual(listed);
    expect(stage.deadLetters()).toEqual([]);
  });
});
