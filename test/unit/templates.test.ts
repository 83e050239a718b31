/** Templates: which ones may be saved, and that no value ever becomes markup or a header. */
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { simpleParser } from "mailparser";
import { placesIn } from "#domain/mail/templates/html-place.ts";
import { placeholders, type Values } from "#domain/mail/templates/placeholders.ts";
import {
  parseTemplate,
  RenderFailed,
  render,
  type TemplateContent,
  templateIssues,
} from "#domain/mail/templates/template.ts";
import { anyText } from "../any-text.ts";

const content = (changes: Partial<TemplateContent>): TemplateContent => ({
  subject: "Hello",
  html: "<p>Hello</p>",
  text: "",
  ...changes,
});
const issuesOf = (changes: Partial<TemplateContent>) => templateIssues(content(changes));
const rendered = (changes: Partial<TemplateContent>, values: Values = {}) =>
  render(parseTemplate(content(changes)), values);

describe("a template may be saved:", () => {
  test.each([
    ["every placeholder there is", placeholders.map((name) => `{{ ${name} }}`).join(" ")],
    ["conditions", "{% if event.ename %}<b>{{ event.ename }}</b>{% elsif lname %}x{% else %}you{% endif %}"],
    ["comparisons", '{% if fname == "Ada" and lname contains "L" %}{{fname}}{% endif %}'],
    ["filters", '{{ fname | upcase | default: "friend" }}'],
    ["service-made addresses in a link", '<a class="x" href="{{ event.url }}">a</a> <a href=\'{{unsubscribe}}\'>b</a>'],
    ["a comment and a style sheet", "<!-- x > --><style>p > a { color: red }</style><p>{{ fname }}</p>"],
    ["a doctype", "<!DOCTYPE html><html lang=en><title>{{ fname }}</title><body>{{ fname }}</body></html>"],
    ["single braces", "{ fname } a { b } {"],
  ])("%s", (_, html) => expect(issuesOf({ html })).toEqual([]));
});

describe("a template is refused:", () => {
  test.each<[string, string, RegExp]>([
    ["an unknown placeholder", "{{ firstname }}", /"firstname".*Known are: fname, lname/],
    ["a computed name", "{{ event[fname] }}", /"event\.\[\.\.\.\]"/],
    ["an unknown one in a condition", "{% if admin %}x{% endif %}", /"admin"/],
    ["the prototype", "{{ __proto__ }}", /"__proto__"/],
    ["a constructor", "{{ fname.constructor.constructor }}", /"fname\.constructor/],
    ["two names in a placeholder", "{{ fname lname }}", /"fname lname", which is more than one name/],
    ["two names in a later condition", "{% if fname %}x{% elsif email lname %}y{% endif %}", /more than one name/],
    ["braces with a space between them", "Hi { { fname } }", /braces of a placeholder stand together/],
    ["an open placeholder", "{{ fname", /not a valid template/],
    ["unescaped output", "{{ fname | raw }}", /undefined filter: raw/],
    ["a file", '{% include "/etc/passwd" %}', /tag "include" not found/],
    ["an endless loop", "{% for i in (1..1000000000) %}x{% endfor %}", /tag "for" not found/],
    ["a tag of the prototype", "{% constructor %}", /tag "constructor" not found/],
    ["a range without end", "{{ (1..1000000000) }}", /memory alloc limit/],
    ["many placeholders", "{{ fname }}".repeat(501), /at most 500/],
    ["deep nesting", `${"{% if fname %}".repeat(3_000)}${"{% endif %}".repeat(3_000)}`, /at most 500/],
    ["a value without quotes", "<p title={{ fname }}>", /inside an HTML tag/],
    ["a person's value in a link", '<a href="{{ fname }}">x</a>', /inside an HTML tag/],
    ["a person's value behind an address", '<a href="{{ event.url | default: fname }}">x</a>', /inside an HTML tag/],
    ["an address in another attribute", '<img src="{{ event.url }}">', /inside an HTML tag/],
    ["a tag's name", "<{{ fname }}>", /inside an HTML tag/],
    ["a comment", "<!-- {{ fname }} -->", /a comment/],
    ["a tag's name behind a blank that is taken away", "a < {{- fname }} b>", /inside an HTML tag/],
    ["an attribute behind a title", "<title><a href='</title><p title={{ fname }}'>", /inside an HTML tag/],
    ["a title that a condition opens", "{% if fname %}<title>{% endif %}{{ lname }}", /a title/],
    ["a closing tag with attributes", "</p a='>'>{{ fname }}", /closing tag/],
    ["a section of characters", "<![CDATA[ > {{ fname }} ]]>", /cdata/],
    ["a condition inside a tag", '<p {% if fname %}class="x"{% endif %}>', /whole elements/],
    ["branches that open differently", '{% if fname %}<a href="{% else %}">{% endif %}{{ lname }}', /whole elements/],
    ["a script", "<script>alert(1)</script>", /<script>/],
    ["nothing", "  ", /blank/],
  ])("%s", (_, html, message) => {
    const [issue, ...more] = issuesOf({ html });
    expect(more).toEqual([]);
    expect(issue).toEqual({ path: "/html", message: expect.stringMatching(message) });
    expect(issue?.message).not.toMatch(/[\r\n]/);
  });

  test("names each wrong part; text and subject have no rules for HTML", () => {
    const issues = issuesOf({ subject: "{{ a }}", html: "{{ b }}", text: "{% c %}" });
    expect(issues.map(({ path }) => path)).toEqual(["/subject", "/html", "/text"]);
    expect(issuesOf({ subject: "<{{ fname }}>", text: '<a href="{{ fname }}">' })).toEqual([]);
  });
});

test("a random template neither hangs nor throws, and is saved only if it can be rendered", () => {
  const liquid = "{{ }} {% fname event.ename | ( ) \" ' [ ] . - raw (1..999999)".split(" ");
  const words = [" if ", " endif ", " else ", " default: ", " and ", " == ", "unless ", "\n"];
  const html = ["<", ">", "<a href=", "<!--", "-->", "<style>"];
  const piece = fc.oneof(fc.constantFrom(...liquid, ...words, ...html), fc.string({ maxLength: 5 }));
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => {
      const html = pieces.join("");
      if (issuesOf({ html }).length === 0) rendered({ html }, { fname: "Ada", event: { ename: "E" } });
    }),
    { numRuns: 300 },
  );
});

const nasty = fc.oneof(
  fc.constantFrom(
    "<script>alert(1)</script>",
    '" onmouseover="x',
    "' onmouseover='x",
    "</p><img src=x onerror=y>",
    "&lt;b&gt;",
    "{{ email }}",
    "{% include 'x' %}",
    "a\r\nBcc: victim@student.example",
    "=?utf-8?q?=0D=0ABcc:_x?=",
    "\u2028Bcc: x",
    "javascript:alert(1)",
    "-->",
    "</title>",
  ),
  anyText(),
);
const recipient = fc.record({ fname: nasty, lname: nasty, email: nasty, ename: nasty });

describe("whatever a value contains,", () => {
  const html =
    '<!DOCTYPE html><title>{{ fname }}</title><p>{{ fname }}</p>{% if lname %}<b>{{ lname | upcase }}</b>{% endif %}<a href="{{ event.url }}">{{ event.ename }}</a> {{ email | default: lname }}';
  const subject = "{{ fname }} {{ lname }}: {{ event.ename }}";
  const text = "Hi {{ fname }},\n\n{{ event.ename }} {{ lname }}";
  const valuesOf = ({ ename, ...person }: { ename: string; fname: string; lname: string; email: string }): Values => ({
    ...person,
    event: { ename, url: "https://club.example/events/a/2030" },
  });
  /** All markup, and all text that could be read as markup. */
  const markupOf = (source: string) => source.match(/<[^>]*>?/g) ?? [];

  test("the mail has only the template's markup", () => {
    const plain = markupOf(rendered({ html }, valuesOf({ fname: "a", lname: "b", email: "c", ename: "d" })).html);
    fc.assert(
      fc.property(recipient, (person) => {
        fc.pre(/\S/.test(rendered({ subject: "{{ lname }}" }, valuesOf(person)).subject));
        const mail = rendered({ html }, valuesOf(person)).html;
        expect(markupOf(mail)).toEqual(plain);
        const signsOf = (source: string) => source.match(/[&'"<>]/g)?.join("");
        const escaped = mail.replace(/&(?:amp|lt|gt|quot|#39|#x27);/g, "");
        expect(signsOf(escaped)).toBe(signsOf(html.replace(/\{%.*?%\}|\{\{.*?\}\}/g, "")));
      }),
    );
  });

  test("the subject is one line, and the text has only the template's lines", () => {
    fc.assert(
      fc.property(recipient, (person) => {
        const mail = rendered({ subject, text }, valuesOf(person));
        expect(mail.subject).not.toMatch(/[\r\n\u2028\u2029]/);
        expect(mail.text.split("\n")).toHaveLength(3);
      }),
    );
  });
});

describe("rendering", () => {
  test("leaves a missing value empty, and treats an empty value as missing", () => {
    const html = "a{{ fname }}b{{ event.ename }}c{% if lname %}d{% endif %}";
    expect(rendered({ html }).html).toBe("abc");
    expect(rendered({ html }, { lname: "" }).html).toBe("abc");
    expect(rendered({ html }, { fname: "<", lname: "x", event: { ename: "&" } }).html).toBe("a&lt;b&amp;cd");
  });

  test("escapes values in HTML only", () => {
    const values = { fname: "A & B" };
    expect(rendered({ subject: "{{fname}}", html: "{{fname}}", text: "{{fname}}" }, values)).toEqual({
      subject: "A & B",
      html: "A &amp; B",
      text: "A & B",
    });
  });

  test("keeps a subject within the line length of a mail, also with long names", async () => {
    const { campaignMail } = await import("#domain/mail/campaigns/campaign-mail.ts");
    const parsed = parseTemplate(content({ subject: "{{ fname }}".repeat(18) }));
    expect(render(parsed, { fname: "x".repeat(22) }).subject).toHaveLength(396);
    for (const fname of ["x".repeat(200), "\u{1F600}".repeat(100)]) {
      expect([...render(parsed, { fname }).subject]).toHaveLength(400);
      const desk = { sender: { name: "Club", address: "club@x.example" }, unsubscribeAddress: "no@x.example" };
      const { raw } = await campaignMail(parsed, {}, { email: "a@x.example", fname, lname: "y".repeat(200) }, desk);
      const lines = raw.toString("latin1").split("\r\n");
      expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(998);
    }
  });

  test.each([
    ["a part of a page", "<header>Hi {{ fname }}</header>", true],
    ["a page with a doctype", "<!DOCTYPE html><title>a</title><p>{{ fname }}</p>", false],
  ])("%s becomes a page for a phone: %s", async (_, html, becomesPage) => {
    const { campaignMail } = await import("#domain/mail/campaigns/campaign-mail.ts");
    const desk = { sender: { name: "Club", address: "club@x.example" }, unsubscribeAddress: "no@x.example" };
    const recipient = { email: "a@x.example", fname: "<html>" };
    const { raw } = await campaignMail(parseTemplate(content({ html })), {}, recipient, desk);
    const sent = (await simpleParser(raw)).html || "";
    const own = html.replace("{{ fname }}", "&lt;html&gt;");
    expect(sent.includes(own)).toBe(true);
    expect(sent.includes('<meta name="viewport"')).toBe(becomesPage);
    if (!becomesPage) expect(sent.trim()).toBe(own);
  });

  test("fails for a result of absurd length", () => {
    const html = "{{ fname }}".repeat(500);
    expect(() => rendered({ html }, { fname: "<".repeat(1_000) })).toThrow(RenderFailed);
  });
});

test("finds the context of a placeholder as a browser does", () => {
  const placeAfter = (...pieces: string[]) => {
    const place = placesIn([...pieces.flatMap((piece) => [piece, undefined])])?.at(-1);
    return place?.kind === "quoted" ? place.attribute : place?.kind;
  };
  const textBefore = [
    "a <b>",
    "a < b",
    '<a href="x>" id=y>',
    '<a " >',
    "<!-->",
    "<!-- --!>",
    "<style>a</style>",
    "<title><b ",
  ];
  const markupBefore = ['<a HREF = "', '<a href="x" ', "<!-- -- >", "<style>a<b>", "<style/>a<b>"];
  for (const html of textBefore) expect([html, placeAfter(html)]).toEqual([html, "text"]);
  for (const html of markupBefore) expect([html, placeAfter(html)]).toEqual([html, "markup"]);
  expect(placeAfter("a <", " b")).toBe("markup");
  expect(placesIn(['<a HREF = "', undefined, '">'])).toEqual([{ kind: "quoted", attribute: "href" }]);
  expect(placesIn(["<a href=", undefined, ">"])).toEqual([{ kind: "markup" }]);
  expect(placesIn(["<title></tit", undefined, "le>"])).toEqual([{ kind: "markup" }]);
  expect(placesIn(["</p a='>", undefined, "'>"])).toBeUndefined();
});
