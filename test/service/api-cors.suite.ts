/** CORS: preflights and answers as a browser gets them (`docs/contract.md`, "Conventions"). */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { routes } from "#api/routes.ts";
import { exec } from "./given.ts";
import { partnersOf } from "./quick-run.ts";
import { allowedOriginsOr, type ServiceStage, sharedOpenStage } from "./stage.ts";

const origins = await allowedOriginsOr(["http://localhost:3000", "https://app.club.example"]);
let stage: ServiceStage;
beforeAll(async () => {
  stage = await sharedOpenStage();
});

const corsOf = (headers: Headers) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith("access-control-")));

/** The headers that the web application sends. */
const asked = ["authorization", "content-type", "idempotency-key", "if-match"];

const preflight = (path: string, method: string, origin: string) =>
  stage.fetch(path, {
    method: "OPTIONS",
    headers: {
      origin,
      "access-control-request-method": method,
      "access-control-request-headers": asked.join(),
    },
  });

describe.each(routes.flatMap(({ keys }) => keys).map((key, nth) => [key, nth] as const))("%s", (key, nth) => {
  const [method = "", path = ""] = key.split(" ");
  const address = path.replace(/\{\w+\}/g, "2030");

  test.each(origins)("may be called from %s", async (origin) => {
    const response = await preflight(address, method, origin);
    expect(response.status).toBe(204);
    const {
      "access-control-allow-headers": headers,
      "access-control-allow-methods": methods,
      ...rest
    } = corsOf(response.headers);
    expect(rest).toMatchObject({ "access-control-allow-origin": origin });
    expect(rest).not.toHaveProperty("access-control-allow-credentials");
    expect(methods?.split(",")).toContain(method);
    expect(headers?.toLowerCase().split(",")).toEqual(expect.arrayContaining(asked));
  });

  const others = ["https://evil.example", "https://app.club.example.evil.test", "http://app.club.example", "null"];
  test.each(partnersOf(nth, others))("may not be called from %s", async (origin) =>
    expect(corsOf((await preflight(address, method, origin)).headers)).toEqual({}),
  );
});

test("the web application may read answers, refusals and their cursor; another origin may not", async () => {
  for (const [call, status] of [
    [{ as: exec }, 200],
    [{ as: exec, path: "?limit=0" }, 400],
    [{}, 401],
  ] as const) {
    const { path = "" } = call as { path?: string };
    const from = (origin: string) => stage.api("GET", `/users${path}`, { ...call, headers: { origin } });
    const answer = await from("http://localhost:3000");
    expect(answer.status).toBe(status);
    expect(corsOf(answer.headers)).toMatchObject({ "access-control-allow-origin": "http://localhost:3000" });
    expect(corsOf(answer.headers)["access-control-expose-headers"]?.toLowerCase().split(",").sort()).toEqual([
      "etag",
      "idempotent-replayed",
      "retry-after",
      "x-next-cursor",
    ]);
    expect(corsOf((await from("https://evil.example")).headers)).toEqual({});
  }
});
