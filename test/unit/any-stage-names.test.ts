/** The names that a test has on a stage which is used again and again (`test/any-stage/names.ts`). */
import { expect, test } from "@jest/globals";
import { Names } from "../any-stage/names.ts";

const simulator = "simulator.amazonses.com";
const ada = `success+ada_at_student.m1@${simulator}`;

function given(): Names {
  const names = new Names("m1", "club.org");
  names.choose("POST", "/events", { id: "gala" });
  names.choose("POST", "/events", { id: "members" });
  return names;
}

test.each([
  ["ada@student.example", ada],
  ["exec@club.example", "exec.m1@club.org"],
  [`success+guest@${simulator}`, `success+guest.m1@${simulator}`],
  [`bounce@${simulator}`, `bounce+m1@${simulator}`],
  ['{"to":"ada@student.example"}', `{"to":"${ada}"}`],
  ["Write to ada@student.example.", `Write to ${ada}.`],
  // As JSON escapes the character before it.
  ["\\nada@student.example", `\\n${ada}`],
  ["ada@student.example.com", "ada@student.example.com"],
])("%s is %s, and back", (own, real) => {
  const names = given();
  expect(names.emails(own)).toBe(real);
  expect(names.back(real)).toBe(own);
});

test.each([
  ["/events/gala/2030", "/events/gala-m1/2030"],
  ["/registrations?eventID=gala&year=2030", "/registrations?eventID=gala-m1&year=2030"],
  ["/registrations/ada%40student.example", `/registrations/${ada.replace("+", "%2B").replace("@", "%40")}`],
  ["/users?email=ada%2Ba@student.example", "/users?email=success%2Bada%2Ba_at_student.m1@simulator.amazonses.com"],
  ["/users?email=ada%20a@student.example", "/users?email=success%2Bada%20a_at_student.m1@simulator.amazonses.com"],
  // An event has this name, too.
  ["/members", "/members"],
  ["/events/members/2030", "/events/members-m1/2030"],
])("the path %s is %s", (own, real) => expect(given().path(own)).toBe(real));

test("a body names the event and the person of this run, and nothing else changes", () => {
  const body = { eventID: "gala", year: 2030, email: "ada@student.example", ename: "gala", price: 7 };
  expect(JSON.parse(given().body(JSON.stringify(body)))).toEqual({ ...body, eventID: "gala-m1", email: ada });
});
