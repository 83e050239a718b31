/** A stage that shows diets and phone numbers to one admin only (`docs/contract.md`, "A person's data"). */
import { beforeAll, expect, test } from "@jest/globals";
import { exec, newEmail, year } from "./given.ts";
import { type ServiceStage, sharedOpenStage } from "./stage.ts";

const treasurer = "treasurer@club.example";
let stage: ServiceStage;
beforeAll(async () => {
  stage = await sharedOpenStage();
});

const textOf = async (path: string, as: string) => {
  const { status, body } = await stage.api("GET", path, { as });
  expect(status).toBe(200);
  return typeof body === "string" ? body : JSON.stringify(body);
};

test("only that admin's lists and tables have them; a single record does", async () => {
  const [id, email] = [await stage.givenEvent(), newEmail()];
  await stage.register(id, email, { basicInformation: { fname: "Lin", diet: "halal", phone: "604 555 0142" } });
  await stage.api("POST", "/users", { as: email, body: { fname: "Lin", diet: "halal" } });
  const grant = { email, firstName: "Lin", lastName: "Chen", diet: "halal" };
  expect((await stage.api("POST", "/members/grant", { as: exec, body: grant })).status).toBe(200);
  await stage.indexed();
  const list = `/registrations?eventID=${id}&year=${year}`;
  for (const path of [
    list,
    `${list}&format=csv`,
    `${list}&attendance=true`,
    `/users?q=${email}`,
    `/members?q=${email}`,
  ]) {
    const [some, all] = [await textOf(path, treasurer), await textOf(path, exec)];
    expect([path, some.includes(email), /halal|0142/.test(some)]).toEqual([path, true, false]);
    expect([path, all.includes("halal")]).toEqual([path, true]);
  }
  expect(await textOf(`${list}&email=${email}`, treasurer)).toContain("0142");
  expect(await textOf(`/registrations?email=${email}`, email)).toContain("0142");
});
