/** The page of an event in the web application, to which mails, calendar entries and campaigns lead. */
import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { eventUrl } from "#domain/mail/event-url.ts";

const page = "/event/{id}/{year}/register";

test.each<[string, string, string]>([
  ["https://club.example", page, "https://club.example/event/gala/2030/register"],
  ["https://club.example/", page, "https://club.example/event/gala/2030/register"],
  ["https://club.example/app//", page, "https://club.example/app/event/gala/2030/register"],
  ["http://localhost:3000", "/{year}?event={id}", "http://localhost:3000/2030?event=gala"],
])("%s with %s is %s", (webAppUrl, eventPage, url) => {
  expect(eventUrl({ id: "gala", year: 2030 }, { webAppUrl, eventPage })).toBe(url);
});

test("no id leads away from the page", () => {
  const id = fc.oneof(fc.string(), fc.constantFrom("{year}", "$&", "$'", "../..", "a/b", "?x#y", "{id}"));
  fc.assert(
    fc.property(id, (name) => {
      const { origin, pathname, search, hash } = new URL(
        eventUrl({ id: `x${name}`, year: 2030 }, { webAppUrl: "https://club.example", eventPage: page }),
      );
      expect([origin, search, hash]).toEqual(["https://club.example", "", ""]);
      const parts = pathname.split("/");
      expect(parts).toEqual(["", "event", expect.any(String), "2030", "register"]);
      expect(decodeURIComponent(parts[2] as string)).toBe(`x${name}`);
    }),
  );
});
