/** The documents of the hosted pages: what a preview reads, and that no text is markup. */
import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { Parser } from "htmlparser2";
import { documentOf, type PageSettings, type ShownEvent } from "#api/pages/document.ts";

const settings: PageSettings = {
  api: "/api",
  clubName: "Club Events",
  contact: "events@club.example",
  timeZone: "America/Vancouver",
  currency: "CAD",
  colours: { accent: "#0b6b3a" },
  images: "https://images.example",
  publicEvents: true,
  guests: "everyone",
  region: "ca-central-1",
  userPoolId: "ca-central-1_Ab12CdEf3",
  clientId: "4abc0example",
};
const assets = { script: "main-ABCDEFGH.js", imports: ["chunk-ABCDEFGH.js"], style: "pages-ABCDEFGH.css" };
const gala: ShownEvent = {
  ename: "Gala",
  when: "Friday, March 1, 2030",
  elocation: "Great Hall",
  description: "An evening.\nWith people.",
  imageUrl: "https://images.example/gala.png",
  url: "https://club.example/event/gala/2030",
};

/** The tags of a document with their attributes, the texts between them, and the settings. */
function parsed(document: string) {
  const tags: (readonly [string, Record<string, string>])[] = [];
  let text = "";
  let data = "";
  let inData = false;
  const parser = new Parser({
    onopentag(name, attributes) {
      tags.push([name, attributes]);
      inData = name === "script" && attributes.type === "application/json";
    },
    ontext(one) {
      if (inData) data += one;
      else text += one;
    },
    onclosetag: () => {
      inData = false;
    },
  });
  parser.end(document);
  const metas = tags.flatMap(([name, { property, content }]) =>
    name === "meta" && property !== undefined ? [[property, content] as const] : [],
  );
  return { names: tags.map(([name]) => name), text, metas: Object.fromEntries(metas), settings: JSON.parse(data) };
}

test("an event's document has what a preview shows, and its facts without script", () => {
  const { metas, text, settings: told } = parsed(documentOf(settings, assets, gala));
  expect(metas).toEqual({
    "og:type": "website",
    "og:site_name": "Club Events",
    "og:title": "Gala",
    "og:description": "Friday, March 1, 2030 · Great Hall · An evening. With people.",
    "og:url": "https://club.example/event/gala/2030",
    "og:image": "https://images.example/gala.png",
  });
  for (const fact of ["Gala · Club Events", "Friday, March 1, 2030", "Great Hall"]) expect(text).toContain(fact);
  expect(told).toEqual(settings);
});

test("a document without an event names none, and the club has a heading and a contact", () => {
  const { metas, text } = parsed(documentOf(settings, assets));
  expect(metas).toEqual({});
  expect(text).toContain("Club Events");
  expect(text).toContain("events@club.example");
});

test("a picture that is no web address is left out", () => {
  const { metas } = parsed(documentOf(settings, assets, { ...gala, imageUrl: "javascript:alert(1)" }));
  expect(metas).not.toHaveProperty("og:image");
});

const hostile = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.constantFrom(
    "</script><script>alert(1)</script>",
    "<!--<script>",
    '"><img src=x onerror=alert(1)>',
    "'><svg/onload=alert(1)>",
    "</title><base href=//evil.example>",
    "{{constructor}}",
    "$&$'",
  ),
);

test("no text of an event or of a stage adds a tag, or changes the settings", () => {
  const usual = parsed(documentOf(settings, assets, gala)).names;
  fc.assert(
    fc.property(hostile, hostile, hostile, hostile, (ename, elocation, description, clubName) => {
      const event = { ...gala, ename, elocation: `x${elocation}`, description: `x${description}` };
      const document = documentOf({ ...settings, clubName }, assets, event);
      const { names, metas, settings: told } = parsed(document);
      expect(names).toEqual(usual);
      expect(metas["og:title"]).toBe(ename);
      expect(told.clubName).toBe(clubName);
    }),
  );
});

test("control: a text that is not escaped adds a tag", () => {
  const document = documentOf(settings, assets, gala).replace("<h1>Gala</h1>", "<h1><img></h1>");
  expect(parsed(document).names).toContain("img");
});
