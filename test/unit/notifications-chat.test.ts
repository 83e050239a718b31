import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { chatMessage } from "#domain/notices/chat.ts";
import { anyText } from "../any-text.ts";
import { givenNotice, hostileTexts } from "./golden/notices.ts";

const textOf = (fname: string, ename = "Kickstart"): string => {
  const notice = givenNotice("registered");
  const message = chatMessage({
    ...notice,
    person: { ...notice.person, fname },
    event: { ...notice.event, ename },
  });
  return message?.text ?? "";
};

test.each([
  ["registered", {}, "Ada is registered for Kickstart"],
  ["registered", { movedUp: true }, "Ada moved up from the waitlist and is registered for Kickstart"],
  ["waitlist", { waitlistPosition: 3 }, "Ada is on the waitlist of Kickstart (number 3)"],
  ["waitlist", { waitlistAhead: 100 }, "Ada is on the waitlist of Kickstart (more than 100 ahead)"],
  ["cancelled", {}, "Ada is no longer registered for Kickstart"],
  ["checkedIn", {}, "Ada checked in at Kickstart"],
] as const)("a notice %s with %j reads as expected", (kind, changes, text) => {
  const notice = givenNotice(kind, changes);
  expect(chatMessage({ ...notice, event: { ...notice.event, ename: "Kickstart" } })).toEqual({ text });
});

test("a person without a name is named by email, and only such a person", () => {
  expect(textOf("Ada")).not.toContain("student");
  expect(textOf(" \n")).toBe("ada+club@\u2060student.\u2060example is registered for Kickstart");
});

test("reserved characters are escaped once", () => {
  expect(textOf("A & B <C>", "R&D &amp;")).toBe("A &amp; B &lt;C&gt; is registered for R&amp;D &amp;amp;");
});

/** Expects one line without link, mention or emoji, as each chat program reads its format. */
function expectHarmless(text: string): void {
  const line = textOf(text, text);
  expect(line).not.toMatch(/[<>\r\n\u2028]/);
  expect(line).not.toMatch(/&(?!amp;|lt;|gt;)/);
  expect(line).not.toMatch(/[a-z]:\/\/|@(?:channel|here|everyone)|\w\.[a-z]{2,}|:\w+:/i);
}

test.each(hostileTexts)("%j stays plain text", expectHarmless);

test("every text stays plain text", () => {
  const piece = fc.oneof(anyText(), fc.constantFrom(...hostileTexts, "<", ">", "&", "@here", ":joy:"));
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join("")),
      expectHarmless,
    ),
  );
});
