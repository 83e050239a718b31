import { expect, test } from "@jest/globals";
import { expectNoPersonNamed } from "../service/personal.ts";

const line = (text: string) => [{ functionName: "Users", text }];

test.each([
  '{"message":"failed","email":"user@student.example"}',
  "Error: user+tag@student.example is not known",
  "USER#P1@RUSH.EXAMPLE",
  "Hello Mira",
])("a name is found in the log %j", (text) => {
  expect(() => expectNoPersonNamed(line(text))).toThrow("name people");
});

test.each([
  '{"message":"contended","route":"POST /registrations"}',
  "https://api.example/x",
  "node@20",
  '{"requestId":"uLi+9xQzT4k/miRa="}',
  "",
])("no name is found in the log %j", (text) => {
  expectNoPersonNamed(line(text));
});
