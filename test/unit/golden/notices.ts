/** Notices for the tests; the golden files show three of them. */

import type { MailSettings } from "#domain/mail/settings.ts";
import type { MailNotice, Notice } from "#domain/notices/notice.ts";
import type { MailKind } from "#outbox/notice-kinds.ts";

export const settings: MailSettings = {
  sender: { name: "Club Events", address: "events@club.example" },
  webAppUrl: "https://club.example/",
  eventPage: "/event/{id}/{year}/register",
  linkPage: "https://club.example/registration/",
  timeZone: "America/Vancouver",
};

const everything = {
  person: { email: "ada+club@student.example", fname: "Ada" },
  event: {
    id: "kickstart",
    year: 2026,
    ename: "Kickstart: Build, Pitch & Win",
    startDate: "2026-01-16T02:00:00.000Z",
    endDate: "2026-01-16T04:30:00.000Z",
    elocation: "Hall 2; Room 110, Main Mall",
    description: "Bring a laptop.\nDinner is served – für alle, даже для опоздавших 🎉 \\o/",
  },
  ticketCode:
    "V2.K3MVWQ5TZJ6H2RYB4DNXEA7CPFGSLIUO3K5VQMTWZ2J7HRY4BDNXE6ACPFGSLIUOK3MVWQ5TZJ6H2RYB4DNXEA7CPFGSLIUOK3MVWQ5T",
  linkSecret: "L1.MFZWI43FMFSA",
  invite: { uid: "01JH8Z6QK3X4Y5Z6A7B8C9D0E1@club.example", sequence: 1, wasSent: true },
  updatedAt: Date.parse("2026-01-09T12:00:05Z"),
} as const;

/** A notice with everything that a notice may have. */
export function givenNotice(kind: MailKind, changes?: Partial<Notice>): MailNotice;
export function givenNotice(kind: Notice["kind"], changes?: Partial<Notice>): Notice;
export function givenNotice(kind: Notice["kind"], changes: Partial<Notice> = {}): Notice {
  return {
    ...everything,
    ...(kind === "waitlist" && changes.waitlistAhead === undefined && { waitlistPosition: 3 }),
    ...((kind === "incomplete" || kind === "acceptedPending") && {
      holdExpiresAt: Date.parse("2026-01-10T20:30:00Z"),
    }),
    ...changes,
    kind,
  };
}

/** The same notice with its event changed; undefined removes a field. */
export function givenEvent(kind: MailKind, changes: Partial<Record<keyof Notice["event"], string>>): MailNotice {
  const notice = givenNotice(kind);
  const event = Object.fromEntries(Object.entries({ ...notice.event, ...changes }).filter(([, value]) => value));
  return { ...notice, event: event as unknown as Notice["event"] };
}

/** Names of a club as a club may have them. */
export const usualNames = [
  "Club Events",
  'The "Club", Inc.',
  "Club, Events; and: more (a) <b> [c] @d",
  "back\\slash",
  "Étudiants d’affaires",
  "商業クラブ 🎉",
  "Ünïcode, with a comma",
  "O'Neill & Co.",
];

/** What means something to a header, to HTML, to a calendar or to a chat. */
export const hostileTexts = [
  "Ada\r\nBcc: victim@club.example",
  "Ada\nBcc: victim@club.example\n\n<p>body</p>",
  "Ada\rX-Evil: 1",
  "Ada\u2028Bcc: victim@club.example",
  "Ada\u0000\u0008\u001b[31m\u007f",
  "Ada <victim@club.example>, Eve",
  '"Ada" \\" <victim@club.example>',
  "=?utf-8?B?QmNjOiB4?= =?utf-8?Q?=0D=0ABcc:_x?=",
  "<script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  "'-alert(1)-' onmouseover=alert(1) `x`",
  "&lt;b&gt; &amp; &#60;i&#62; <!-- <![CDATA[ ]]> -->",
  "</td></table></style></title><base href=//evil.example>",
  "x\nEND:VEVENT\nBEGIN:VEVENT\nUID:evil",
  "x\r\nATTENDEE:mailto:victim@club.example",
  'x";PARTSTAT="DECLINED";CN="y:mailto:victim@club.example',
  "x^nATTENDEE:mailto:victim@club.example^'",
  "a;b,c\\d\\n\\,e\\;f:g\"h'i",
  "<!channel> <!here> <@U012345> <https://evil.example|club.example>",
  "&lt;!channel&gt; @channel @here https://evil.example evil.example",
  "\u202Egnp.exe \u2066x\u2069",
  "lone \uD800 and \uDC00 surrogates",
  "👩‍👩‍👧‍👦🇨🇦é".repeat(30),
  "--boundary\r\n--_NmP-Part_1--\r\n.\r\n",
] as const;
