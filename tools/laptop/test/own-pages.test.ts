/** The laptop's own pages: the start page with what it leads to, and who may ask for them. */
import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { exec, user } from "../../../test/service/given.ts";
import { givenStage, type ServiceStage } from "../../../test/service/stage.ts";

interface Page {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

describe("the pages of a stage", () => {
  let stage: ServiceStage;
  const markup = "<img src=x onerror=alert(1)>";
  beforeAll(async () => {
    stage = await givenStage({ seed: true, allowedOrigins: ["http://localhost:3000"] });
    await stage.api("POST", "/events", {
      as: exec,
      body: {
        id: "hostile",
        year: 2030,
        ename: `Dinner ${markup}`,
        capac: 5,
        isPublished: true,
        startDate: "2030-03-01T18:00",
      },
    });
    const body = { eventID: "hostile", year: 2030, email: user, fname: `Uli ${markup}` };
    await stage.api("POST", "/registrations", { as: user, body });
    await stage.settled();
  });
  afterAll(() => stage.close());

  /** Unlike `fetch`, it may send any `Host`. */
  const ask = (path: string, headers: Record<string, string> = {}, method = "GET", body?: object): Promise<Page> =>
    new Promise((done, failed) => {
      const sent = request(stage.outputs.apiUrl + path, { method, headers }, async (response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk as Buffer);
        done({ status: response.statusCode ?? 0, headers: response.headers, text: Buffer.concat(chunks).toString() });
      });
      sent.on("error", failed);
      sent.end(body && JSON.stringify(body));
    });
  const corsHeaders = ({ headers }: Page) => Object.keys(headers).filter((name) => name.startsWith("access-control-"));
  const lastMail = () => stage.mailbox.list().findLast(({ destination }) => destination.to.join().includes(user));
  const mailPath = () => `/local/mails/${lastMail()?.messageId}`;

  test("the start page shows accounts, mails with recipients, requests and the chat", async () => {
    const { status, headers, text } = await ask("/");
    expect(status).toBe(200);
    expect(headers["content-security-policy"]).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'/);
    expect(text).toContain("Only on the laptop");
    for (const { email } of stage.outputs.accounts) expect(text).toContain(`data-token-of="${email}"`);
    expect(text).toContain(mailPath());
    expect(text).toContain(`&lt;${user}&gt;`);
    expect(text).toMatch(/POST<\/span> \/registrations<\/div>\s*<div><span class="good">201</);
    expect(text).toContain("Ada is registered for Founders&#39; Roundtable");
    expect(text).toContain("None. Every message was handled.");
    // Tokens are made when they are asked for. Ids are random letters, so "eyJ" alone is no token.
    expect(text).not.toMatch(/eyJ[\w-]+\.eyJ/);
  });

  test("below a request are the log lines that name it: of its function, the relay and the consumers", async () => {
    const { text } = await ask("/local/requests");
    const [item = ""] = text.split("<li>").filter((one) => /POST<\/span> \/registrations<\/div>/.test(one));
    const names = [...item.matchAll(/<pre>(\w+): /g)].map(([, name]) => name);
    expect(names).toEqual(expect.arrayContaining(["Relay", "Mail", "Chat"]));
    expect(item).toContain(`<small>${user}</small>`);
  });

  test.each(["/", "/local/mails", "/local/requests", "the mail"])(
    "on %s a person's text is never markup",
    async (path) => {
      const { status, text } = await ask(path === "the mail" ? mailPath() : path);
      expect(status).toBe(200);
      expect(text).not.toContain("<img");
      if (path !== "/local/requests") expect(text).toContain("Dinner &lt;img src=x onerror=alert(1)&gt;");
    },
  );

  test("a token is made for a seeded account, and works", async () => {
    const { status, headers, text } = await ask("/local/token", {}, "POST", { email: user });
    expect([status, headers["cache-control"]]).toEqual([200, "no-store"]);
    const { token } = JSON.parse(text) as { token: string };
    expect((await stage.api("GET", "/users/self", { token })).body).toMatchObject({ email: user });
    expect((await ask("/local/token", {}, "POST", { email: "ada@student.example" })).status).toBe(404);
    expect((await ask("/local/token", {}, "POST")).status).toBe(404);
    expect((await ask("/local/token")).status).toBe(405);
  });

  test.each([
    ["another origin", { origin: "http://localhost:3000" }],
    ["an origin without a name", { origin: "null" }],
    ["another site", { "sec-fetch-site": "cross-site" }],
    ["another port of this machine", { "sec-fetch-site": "same-site" }],
    ["another name of this machine", { host: "rebound.example" }],
    ["another name that begins alike", { host: "localhost.rebound.example" }],
  ])("nothing is for %s", async (_, headers) => {
    const token = await ask("/local/token", headers, "POST", { email: user });
    const others = await Promise.all(
      ["/", "/local/mails", mailPath(), "/docs/openapi.json"].map((path) => ask(path, headers)),
    );
    for (const page of [token, ...others]) {
      expect(page.status).toBe(403);
      expect(corsHeaders(page)).toEqual([]);
      expect(page.text).not.toContain(user);
    }
  });
});
