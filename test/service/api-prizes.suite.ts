/** Prizes over HTTP (`docs/contract.md`, "Prizes"). */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { exec } from "./given.ts";
import { type ServiceStage, sharedStage } from "./stage.ts";

let stage: ServiceStage;
beforeAll(async () => {
  stage = await sharedStage();
});

const send = (method: string, path: string, body?: unknown) => stage.api(method, path, { as: exec, body });
const givenPrize = async (more: object = {}) =>
  (await send("POST", "/prizes", { name: "Mug", price: 50, ...more })).body.item;

describe("a prize", () => {
  test("is created, read, changed and deleted", async () => {
    const links = { shop: "https://shop.example/mug", picture: "https://images.example/mug.png" };
    const prize = { id: "mug", name: " Mug ", price: 50, imageHash: "LEHV6nWB2yk8pyo0adR*.7k^{|}", links, surplus: 1 };
    const { status, body } = await send("POST", "/prizes", prize);
    const { surplus, ...stored } = prize;
    const item = { ...stored, name: "Mug", createdAt: expect.any(Number), updatedAt: expect.any(Number) };
    expect({ status, body }).toEqual({ status: 201, body: { message: "Prize created.", item } });
    expect((await send("GET", "/prizes/mug")).body).toEqual(item);
    const changed = await send("PATCH", "/prizes/mug", {
      price: 0,
      links: null,
      imageHash: null,
      id: "mug",
      createdAt: 1,
    });
    const { links: _links, imageHash: _imageHash, ...rest } = body.item;
    expect(changed).toMatchObject({ status: 200, body: { message: "Prize updated." } });
    expect(changed.body.item).toEqual({ ...rest, price: 0, updatedAt: expect.any(Number) });
    expect(await send("DELETE", "/prizes/mug")).toMatchObject({ status: 200, body: { message: "Prize deleted." } });
    for (const method of ["GET", "PATCH", "DELETE"]) {
      expect(await send(method, "/prizes/mug", method === "PATCH" ? { price: 1 } : undefined)).toMatchObject({
        status: 404,
        body: { code: "NOT_FOUND", message: "Prize not found." },
      });
    }
  });

  test("gets an id when it has none, and keeps an array of links", async () => {
    const links = ["https://shop.example/a", "https://shop.example/b"];
    const [one, two] = [await givenPrize({ links }), await givenPrize()];
    expect(one.id).toMatch(/^[0-9A-Z]{26}$/);
    expect(two.id).not.toBe(one.id);
    expect((await send("GET", `/prizes/${one.id}`)).body.links).toEqual(links);
  });
});
