/** Every value that a club must replace is found, and no other value. */
import { describe, expect, test } from "@jest/globals";
import { placeholders } from "../../lib/placeholders.ts";
import type { NewPool, StageConfig } from "../../lib/stages.ts";
import { production } from "../stages.ts";

/** A stage of a club that has replaced everything. */
const replaced: StageConfig = {
  ...production,
  allowedOrigins: ["https://app.bizclub.ca", "http://localhost:3000"],
  adminEmailDomain: "bizclub.ca",
  mailSender: "events@bizclub.ca",
  pages: { contact: "events@bizclub.ca" },
  alarmEmail: "alarms@bizclub.ca",
  signUps: { ...production.signUps, openDomains: ["student.university.ca"] },
  campaigns: { mailsPerSecond: 10, unsubscribeAddress: "unsubscribe@bizclub.ca" },
  identity: {
    ...production.identity,
    callbackUrls: ["https://app.bizclub.ca/login/callback"],
    logoutUrls: ["https://app.bizclub.ca/"],
  } as NewPool,
};
const identity = (change: Partial<NewPool>): Partial<StageConfig> => ({
  identity: { ...replaced.identity, ...change } as NewPool,
});
const campaigns = (unsubscribeAddress: string): Partial<StageConfig> => ({
  campaigns: { ...replaced.campaigns, unsubscribeAddress },
});

test("a stage without placeholders has none", () => {
  expect(placeholders(replaced)).toEqual([]);
});

test.each<[string, Partial<StageConfig>]>([
  [
    'allowedOrigins: "https://app.club.example"',
    { allowedOrigins: ["https://app.bizclub.ca", "https://app.club.example"] },
  ],
  ['adminEmailDomain: "club.example"', { adminEmailDomain: "club.example" }],
  ['mailSender: "events@club.example"', { mailSender: "events@club.example" }],
  ['alarmEmail: "alarms@club.example"', { alarmEmail: "alarms@club.example" }],
  [
    'signUps.openDomains: "student.example"',
    { signUps: { ...replaced.signUps, openDomains: ["university.ca", "student.example"] } },
  ],
  ['webAppUrl: "https://app.club.example"', { webAppUrl: "https://app.club.example" }],
  ['campaigns.unsubscribeAddress: "unsubscribe@club.example"', campaigns("unsubscribe@club.example")],
  [
    'identity.callbackUrls: "https://app.club.example/login"',
    identity({ callbackUrls: ["https://app.club.example/login"] }),
  ],
  ['identity.logoutUrls: "https://app.club.example/"', identity({ logoutUrls: ["https://app.club.example/"] })],
  ['contact.page: "https://club.example?a=b"', { contact: { page: "https://club.example?a=b" } } as object],
])("%s is found", (placeholder, change) => {
  expect(placeholders({ ...replaced, ...change })).toEqual([placeholder]);
});

test.each(["https://app.club.example:8443", "https://APP.CLUB.EXAMPLE/x"])("%s is a placeholder", (text) => {
  expect(placeholders({ ...replaced, webAppUrl: text })).toEqual([`webAppUrl: "${text}"`]);
});

test.each(["https://club.example.org"])("%s is none", (text) => {
  expect(placeholders({ ...replaced, webAppUrl: text })).toEqual([]);
});

describe("the stages of the tests:", () => {});
