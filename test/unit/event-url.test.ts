/** The page of an event in the web application, to which mails, calendar entries and campaigns lead. */
import { expect, test } from "@jest/globals";
import { eventUrl } from "#domain/mail/event-url.ts";

const page = "/event/{id}/{year}/register";

test.each<[string, string, string]>([
  ["https://club.example", page, "https://club.example/event/gala/2030/register"],
  ["https://club.example/", page, "https://club.example/event/gala/2030/register"],
  ["https://club.example/app//", page, "https://club.example/app/event/gala/2030/register"],
  ["http://localhost:3000", "/{year}?event={id}", "http://localhost:3000/2030?event=gala"],
])("%s with %s is %s", (webAppUrl, eventPage, url) => {
  expect(eventUrl({ id: "gala", year: 2030 }, { webAppUrl, eventPage })).toBe(url);
  const odd = eventUrl({ id: "a/{year}?$&", year: 2030 }, { webAppUrl, eventPage });
  expect(odd).toBe(url.replace("gala", "a%2F%7Byear%7D%3F%24%26"));
});
