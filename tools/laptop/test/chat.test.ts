/** The chat's webhook. */
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, test } from "@jest/globals";
import { givenFolder } from "../../../test/unit/folder.ts";
import { type Chat, startChat } from "../chat/index.ts";

const open: (() => Promise<unknown>)[] = [];
const now = Date.parse("2026-03-01T12:00:00Z");
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function givenChat(directory?: string): Promise<Chat> {
  const chat = await startChat({ directory, clock: { now: () => now } });
  open.push(() => chat.close());
  return chat;
}

async function post({ url }: Chat, body: string): Promise<[number, string]> {
  const response = await fetch(`${url}/hook`, { method: "POST", body });
  return [response.status, await response.text()];
}
const say = (chat: Chat, text: string) => post(chat, JSON.stringify({ text }));

test.each([
  ["no text", '{"blocks":[]}', 400, "no_text"],
  ["more than 256 KB", JSON.stringify({ text: "x".repeat(256 * 1024) }), 413, "request_too_large"],
])("%s is refused and not listed", async (_, body, status, answer) => {
  const chat = await givenChat();
  expect(await post(chat, body)).toEqual([status, answer]);
  expect(chat.list()).toEqual([]);
});

test("messages survive a kill in the middle of a line", async () => {
  const folder = await givenFolder(open);
  await say(await givenChat(folder), "One");
  await appendFile(join(folder, "messages.jsonl"), '{"at":1,"te');
  const second = await givenChat(folder);
  await say(second, "Two");
  expect((await givenChat(folder)).list().map(({ text }) => text)).toEqual(["One", "Two"]);
});
