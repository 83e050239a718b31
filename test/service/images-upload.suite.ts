/** Event banners: the answer of the API, the upload, and the public address (`docs/contract.md`, "Image upload"). */
import { setTimeout as pause } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { patience } from "../patience.ts";
import { exec } from "./given.ts";
import { type ServiceStage, sharedStage, withoutNotices } from "./stage.ts";

let stage: ServiceStage;
beforeAll(async () => {
  stage = await sharedStage(withoutNotices);
});

const path = "/events/event-image-upload-url";
const wanted = { fileType: "image/jpeg", fileName: "Banner.JPG", prefix: "optimized", eventId: "gala" };
const ask = (body: unknown, as: string | undefined = exec) => stage.api("POST", path, { as, body });
const upload = (url: string, type = "image/jpeg") =>
  fetch(url, { method: "PUT", headers: { "content-type": type }, body: "pretend that this is a JPEG" });

/** Reads the object until it has its cache header. @throws Error when that takes too long */
async function servedWithCacheHeader(url: string): Promise<Response> {
  for (const deadline = Date.now() + patience; ; await pause(50)) {
    const served = await fetch(url);
    await served.clone().arrayBuffer();
    if (served.headers.has("cache-control")) return served;
    if (Date.now() > deadline) throw new Error("The object never got its cache header.");
  }
}

test("an uploaded image is public and has its cache header", async () => {
  const before = Date.now();
  const { status, body } = await ask(wanted);
  expect(status).toBe(200);
  expect(Object.keys(body).sort()).toEqual(["key", "publicUrl", "uploadUrl"]);
  const [, time] = /^event-thumbnails\/gala\/optimized\/(\d+)\.jpg$/.exec(body.key) ?? [];
  expect(Number(time)).toBeGreaterThanOrEqual(before);
  expect(Number(time)).toBeLessThanOrEqual(Date.now());
  expect(body.publicUrl.endsWith(`/${body.key}`)).toBe(true);

  expect((await upload(body.uploadUrl)).status).toBe(200);
  const served = await servedWithCacheHeader(body.publicUrl);
  expect(served.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  expect(served.headers.get("content-type")).toBe("image/jpeg");
  expect(await served.text()).toBe("pretend that this is a JPEG");
});

test("an image over 10 MB is removed after the upload, and the log says so", async () => {
  const { body } = await ask({ ...wanted, eventId: "large" });
  const put = await fetch(body.uploadUrl, {
    method: "PUT",
    headers: { "content-type": "image/jpeg" },
    body: Buffer.alloc(10_000_001),
  });
  expect(put.status).toBe(200);
  for (const deadline = Date.now() + patience; (await fetch(body.publicUrl)).status !== 403; await pause(50)) {
    expect(Date.now()).toBeLessThan(deadline);
  }
  const removed = () => stage.logs.filter(({ text }) => text.includes("image removed, it is too large"));
  // The line is written after the removal.
  for (const deadline = Date.now() + patience; removed().length === 0; await pause(50)) {
    expect(Date.now()).toBeLessThan(deadline);
  }
  expect(removed().map(({ functionName, text }) => [functionName, JSON.parse(text).key])).toEqual([
    ["CacheHeader", body.key],
  ]);
});

test("an upload's address accepts only its content type and its key", async () => {
  const { body } = await ask({ ...wanted, eventId: "only" });
  expect((await upload(body.uploadUrl, "image/png")).status).toBe(403);
  expect((await upload(body.uploadUrl.replace(".jpg?", ".png?"))).status).toBe(403);
  expect((await upload(body.uploadUrl.split("?")[0])).status).toBe(403);
  expect((await fetch(body.publicUrl)).status).toBe(403);
  expect(new URL(body.uploadUrl).searchParams.get("X-Amz-Expires")).toBe("60");
  expect((await upload(body.uploadUrl)).status).toBe(200);
});

describe("the API gives no upload address for", () => {
  test.each([
    ["an SVG", { fileType: "image/svg+xml" }],
    ["an event id with a path", { eventId: "../secrets" }],
  ])("%s", async (_, change) => {
    const { status, body } = await ask({ ...wanted, ...change });
    expect(status).toBe(400);
    expect(body.code).toBe("VALIDATION");
  });
});
