/** The secret of the link to an export (`docs/contract.md`, "A person's data"). */
import { expect, test } from "@jest/globals";
import { base32nopad } from "@scure/base";
import { exportLinkSecret, openedExportLink } from "#domain/registrations/links/export-link.ts";
import { linkPurposes, linkSecret, openedLink } from "#domain/registrations/links/link.ts";
import { sealedLetters } from "#domain/registrations/links/ticket-code.ts";

const key = "a key";
const link = { email: "ada@student.example", until: Date.parse("2030-05-04T12:00:00.123Z") };
const secret = exportLinkSecret(link, key);

test("a link names its person and its end", () => {
  expect(openedExportLink(secret, key)).toEqual(link);
});

test("a changed bit, another stage's key, and links to registrations open no export; an export's opens no registration", () => {
  const bytes = base32nopad.decode(secret.slice(3));
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const changed = Buffer.from(bytes);
    changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7));
    expect([bit, openedExportLink(`E1.${base32nopad.encode(changed)}`, key)]).toEqual([bit, undefined]);
  }
  expect(openedExportLink(secret, "another key")).toBeUndefined();
  const ticket = { ticketId: "ZmlndXJlcy1vZi1hLXRpY2tldA", email: link.email, eventID: "gala", year: 2030 };
  for (const purpose of linkPurposes) {
    const other = linkSecret(purpose, ticket, {}, key, link.until);
    expect(openedLink(other, key)).toBeDefined();
    expect(openedExportLink(other.replace("L1.", "E1."), key)).toBeUndefined();
  }
  expect(openedLink(secret.replace("E1.", "L1."), key)).toBeUndefined();
});

test("a sealed text without an email opens no export", () => {
  expect(openedExportLink(`E1.${sealedLetters(Buffer.alloc(6), key, "export link")}`, key)).toBeUndefined();
});
