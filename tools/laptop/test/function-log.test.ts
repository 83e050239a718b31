/** Which lines of functions the terminal of the local stage shows. */
import { afterEach, expect, jest, test } from "@jest/globals";
import { openFunctionLog } from "../functions/log.ts";

afterEach(() => {
  jest.restoreAllMocks();
});

test.each([
  ["an error", '{"level":"ERROR","message":"request failed"}', true],
  ["an invocation that ran out of its time", '{"type":"platform.report","record":{"status":"timeout"}}', true],
  ["other lines", '{"level":"INFO","message":"message handled"}', false],
])("the terminal: %s", (_, text, isShown) => {
  const shown = jest.spyOn(console, "error").mockReturnValue();
  openFunctionLog({}).write("Mail", text);
  expect(shown.mock.calls).toEqual(isShown ? [[`Mail: ${text}`]] : []);
});
