/**
 * Every mail in a browser, as wide as a phone and a desk, light and dark. With `SHOTS=<folder>` it also leaves a picture
 * of each there.
 */
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { simpleParser } from "mailparser";
import { create } from "qrcode";
import { campaignMail } from "#domain/mail/campaigns/campaign-mail.ts";
import type { Mail } from "#domain/mail/mime.ts";
import { parseTemplate } from "#domain/mail/templates/template.ts";
import { linksMail, membershipMail, renderMail } from "#domain/notices/mail.ts";
import type { Notice } from "#domain/notices/notice.ts";
import { channelsOf, type MailKind } from "#outbox/notice-kinds.ts";
import { givenNotice, settings } from "../unit/golden/notices.ts";
import { type Chromium, findChromium, shoot, startChromium } from "./chromium.ts";

const executable = findChromium();
if (!executable) console.warn("SKIPPED: the mails in a browser. Install Chromium to run these tests.");

/** In CSS pixels. */
const widths = { phone: 375, desk: 1280 } as const;
const schemes = ["light", "dark"] as const;

const kinds = (Object.keys(channelsOf) as (keyof typeof channelsOf)[]).filter(
  (kind): kind is MailKind => channelsOf[kind].mail,
);

/** Texts without a place to break a line. */
const unbroken = {
  person: { email: `${"a".repeat(64)}@student.example`, fname: "Hubert".repeat(30) },
  event: {
    ...givenNotice("registered").event,
    ename: "W".repeat(200),
    elocation: `https://maps.example/${"x".repeat(300)}`,
  },
};

const noticeMail = async (notice: Notice): Promise<Mail> => {
  const mail = await renderMail(notice, settings);
  if (!mail) throw new Error(`no mail for ${notice.kind}`);
  return mail;
};
const member = { person: givenNotice("registered").person, at: givenNotice("registered").updatedAt };
const welcome = (more: Partial<Parameters<typeof membershipMail>[0]> = {}): Promise<Mail> =>
  membershipMail({ news: "granted", ...member, ...more }, settings);
const links = (enames: readonly string[], email = member.person.email): Promise<Mail> => {
  const registrations = enames.map((ename) => ({ event: { ...unbroken.event, ename }, linkSecret: "L1.AAFQ" }));
  return linksMail({ email, registrations, isPart: false, dataSecret: "E1.AAFQ", until: member.at }, settings);
};
const campaign = (html: string, fname: string, ename: string): Promise<Mail> =>
  campaignMail(
    parseTemplate({ subject: "{{ event.ename }}", html, text: "" }),
    { event: { ename, url: "https://club.example/event/kickstart/2026/register", when: "Thursday, January 15, 2026" } },
    { email: "ada@student.example", fname },
    { sender: settings.sender, unsubscribeAddress: "unsubscribe@club.example" },
  );
const fragment = `<h1>{{ event.ename }}</h1><p>Hi {{ fname }}, it is on <b>{{ event.when }}</b>.</p>
<p><a href="{{ event.url }}">Save a seat</a></p><p><small>No more mails: <a href="{{ unsubscribe }}">unsubscribe</a></small></p>`;

const mails: Readonly<Record<string, () => Promise<Mail>>> = {
  ...Object.fromEntries(kinds.map((kind) => [kind, () => noticeMail(givenNotice(kind))])),
  "registered, moved up": () => noticeMail(givenNotice("registered", { movedUp: true })),
  "incomplete, moved up": () => noticeMail(givenNotice("incomplete", { movedUp: true })),
  "moved, still to confirm": () => noticeMail(givenNotice("moved", { standing: "accepted" })),
  "cancelled, event removed": () =>
    noticeMail(givenNotice("cancelled", { event: { ...givenNotice("cancelled").event, isGone: true } })),
  "registered, unbroken": () => noticeMail(givenNotice("registered", unbroken)),
  "cancelled, unbroken": () => noticeMail(givenNotice("cancelled", unbroken)),
  "membership, paid": () => welcome({ paid: { amount: 15_00, currency: "CAD" } }),
  "membership, granted": () => welcome(),
  "membership, unbroken": () => welcome({ person: unbroken.person }),
  "links, of three registrations": () => links(["Kickstart", "Gala", "Expo"]),
  "links, to the data only": () => links([]),
  "links, unbroken": () => links([unbroken.event.ename], unbroken.person.email),
  "campaign, part of a page": () => campaign(fragment, "Ada", "Kickstart: Build, Pitch & Win"),
  "campaign, unbroken": () => campaign(fragment, unbroken.person.fname, unbroken.event.ename),
};

/** Colors as numbers from 0 to 1: how bright a color is (WCAG 2.2, "relative luminance"). */
const pageScript = `
  const channels = (color) => {
    const [r, g, b, a = 1] = color.match(/[\\d.]+/g).map(Number);
    return { rgb: [r, g, b], a };
  };
  const luminance = (color) => {
    const [r, g, b] = channels(color).rgb.map((part) => part / 255).map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const { backgroundColor } = getComputedStyle(at);
      if (channels(backgroundColor).a === 1) return backgroundColor;
    }
    return matchMedia("(prefers-color-scheme: dark)").matches && getComputedStyle(document.documentElement).colorScheme.includes("dark")
      ? "rgb(18, 18, 18)" : "rgb(255, 255, 255)";
  };
  const contrast = (a, b) => {
    const [dim, bright] = [luminance(a), luminance(b)].sort((x, y) => x - y);
    return (bright + 0.05) / (dim + 0.05);
  };
  const shownTexts = () => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = [];
    while (walker.nextNode()) {
      const { parentElement: element, data } = walker.currentNode;
      if (data.trim() !== "" && element.checkVisibility() && element.tagName !== "STYLE") found.push({ element, text: data.trim() });
    }
    return found;
  };
`;

interface Look {
  readonly width: number;
  readonly overflow: number;
  readonly ground: number;
  readonly texts: number;
  readonly pale: readonly string[];
  readonly broken: readonly string[];
  readonly blank: readonly string[];
  readonly cramped: readonly string[];
}

/** What a person would complain about. `cramped` has texts whose lines touch each other; `pale` has texts with a contrast below 4.5 (WCAG 2.2, 1.4.3). */
const look = `(async () => {
  ${pageScript}
  await Promise.all([...document.images].map((image) => image.decode().catch(() => undefined)));
  const texts = shownTexts();
  const scored = texts.map(({ element, text }) => ({ text, score: contrast(getComputedStyle(element).color, ground(element)) }));
  return {
    width: innerWidth,
    overflow: Math.max(document.documentElement.scrollWidth - innerWidth,
      ...texts.map(({ element }) => element.getBoundingClientRect().right - innerWidth), ...texts.map(({ element }) => -element.getBoundingClientRect().left)),
    ground: luminance(ground(document.body)),
    texts: texts.length,
    pale: scored.filter(({ score }) => score < 4.5).map(({ text, score }) => text.slice(0, 40) + " " + score.toFixed(2)),
    broken: [...document.images].filter(({ complete, naturalWidth }) => !complete || naturalWidth === 0).map(({ src }) => src.slice(0, 60)),
    cramped: texts.filter(({ element }) => Number.parseFloat(getComputedStyle(element).lineHeight) < Number.parseFloat(getComputedStyle(element).fontSize)).map(({ text }) => text.slice(0, 40)),
    blank: [...document.querySelectorAll("p, h1, h2, a")].filter((element) => element.checkVisibility() && element.textContent.trim() === "").map(({ outerHTML }) => outerHTML.slice(0, 80)),
  };
})()`;

/**
 * The picture of the ticket: whether the four modules around the code are white, and the code's modules as they are on the
 * screen, line by line.
 */
const readPicture = (size: number) => `(() => {
  const image = document.images[0];
  const canvas = Object.assign(document.createElement("canvas"), { width: image.naturalWidth, height: image.naturalHeight });
  const context = canvas.getContext("2d");
  // Parts of a picture that let the ground through would be dark on a dark screen.
  context.fillStyle = "#16181c";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0);
  const module = canvas.width / (${size} + 8);
  const isDark = (row, column) => context.getImageData((column + 0.5) * module, (row + 0.5) * module, 1, 1).data[0] < 128;
  const rows = Array.from({ length: ${size} + 8 }, (_, row) => Array.from({ length: ${size} + 8 }, (_, column) => isDark(row, column)));
  const inside = (index) => index >= 4 && index < ${size} + 4;
  const shown = image.getBoundingClientRect();
  return {
    quietZoneIsWhite: rows.every((row, y) => row.every((dark, x) => (inside(y) && inside(x)) || !dark)),
    modules: rows.slice(4, -4).flatMap((row) => row.slice(4, -4)).map(Number).join(""),
    shown: [shown.width, shown.height],
    opacity: getComputedStyle(image).opacity + getComputedStyle(image).filter,
  };
})()`;

(executable ? describe : describe.skip)("the mails in a browser", () => {
  let chromium: Chromium;
  beforeAll(async () => {
    chromium = await startChromium(executable as string);
  });
  afterAll(() => chromium?.close());

  const open = (html: string) =>
    chromium.open(`data:text/html;charset=utf-8;base64,${Buffer.from(html).toString("base64")}`);

  /** The HTML as a mail program shows it: with the pictures that came along. */
  async function htmlOf({ raw }: Mail): Promise<string> {
    const { html } = await simpleParser(raw);
    return html || "";
  }

  /** Looks at the open mail on a screen. */
  async function onScreen(width: number, scheme: (typeof schemes)[number]): Promise<Look> {
    await chromium.prefer(scheme);
    await chromium.resize(width, 800);
    return chromium.evaluate<Look>(look);
  }
  async function lookAt(html: string, width: number, scheme: (typeof schemes)[number]): Promise<Look> {
    await open(html);
    return onScreen(width, scheme);
  }

  test.each(Object.keys(mails))("%s fits, can be read and has its pictures", async (name) => {
    await open(await htmlOf(await (mails[name] as () => Promise<Mail>)()));
    for (const [device, width] of Object.entries(widths)) {
      for (const scheme of schemes) {
        const { texts, ground, ...seen } = await onScreen(width, scheme);
        await shoot(chromium, `${name}-${device}-${scheme}`);
        expect({ device, scheme, ...seen }).toEqual({
          ...{ device, scheme, width, pale: [], broken: [], blank: [], cramped: [] },
          overflow: expect.any(Number),
        });
        expect(seen.overflow).toBeLessThanOrEqual(0);
        expect(texts).toBeGreaterThan(3);
        // A mail in the club's own colors follows the person's choice.
        const isDark = scheme === "dark" && !name.startsWith("campaign");
        expect({ device, scheme, isDark: ground < 0.05 }).toEqual({ device, scheme, isDark });
      }
    }
  });

  test.each(schemes)("a ticket can be read on a %s screen", async (scheme) => {
    const { ticketCode = "", ...notice } = givenNotice("registered");
    const { modules } = create(ticketCode, { errorCorrectionLevel: "M" });
    await lookAt(await htmlOf(await noticeMail({ ...notice, ticketCode })), widths.phone, scheme);
    expect(await chromium.evaluate(readPicture(modules.size))).toEqual({
      quietZoneIsWhite: true,
      modules: [...modules.data].map(Number).join(""),
      shown: [240, 240],
      opacity: "1none",
    });
  });

  test.each<
    [string, keyof typeof widths, (typeof schemes)[number], [RegExp | string, string], (seen: Look) => unknown]
  >([
    [
      "dark text on a dark ground",
      "phone",
      "dark",
      [/\.ink\{[^}]*\}/, ""],
      ({ pale }) => pale.some((text) => /^Hi Ada, 1\./.test(text)),
    ],
    [
      "a picture that is not there",
      "desk",
      "light",
      [/src="data:[^"]*"/, 'src="data:image/png;base64,AAAA"'],
      ({ broken }) => broken.length === 1,
    ],
    ["an empty paragraph", "desk", "light", ["</h1>", "</h1><p> </p>"], ({ blank }) => blank[0] === "<p> </p>"],
    [
      "lines that touch each other",
      "phone",
      "light",
      ["line-height:34px", "line-height:24px"],
      ({ cramped }) => cramped[0] === "You're registered",
    ],
    [
      "a page that is not made for phones",
      "phone",
      "light",
      [/<meta name="viewport"[^>]*>/, ""],
      ({ width }) => width > widths.phone,
    ],
    [
      "a line that no phone can break",
      "phone",
      "light",
      [/overflow-wrap:anywhere;word-break:break-word;/, ""],
      ({ overflow }) => overflow > 0,
    ],
  ])("a fault is found: %s", async (_, device, scheme, [from, to], isSeen) => {
    const html = await htmlOf(await noticeMail(givenNotice("registered", { event: unbroken.event })));
    expect(isSeen(await lookAt(html, widths[device], scheme))).toBe(false);
    expect(isSeen(await lookAt(html.replace(from, to), widths[device], scheme))).toBe(true);
  });
});
