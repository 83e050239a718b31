/**
 * The names that a test gives to people and things, and those that they have on a stage which is used again and again:
 * with a mark of the test file and its run. A test writes and reads its own names only.
 *
 * A person's address is one of the SES mailbox simulator, which accepts all mails; an admin's stays in the admin domain.
 * https://docs.aws.amazon.com/ses/latest/dg/send-an-email-from-console.html
 */

/** The admin domain in the tests. */
const adminDomain = "club.example";
const simulator = "simulator.amazonses.com";
/** In addresses it sorts like the character that it stands for. */
const at = "_at_";

/** The ids that tests choose, by the path that makes the thing. */
const chosenAt: Readonly<Record<string, readonly string[]>> = {
  "/events": ["id"],
  "/prizes": ["id"],
  "/emails/templates": ["templateName"],
  "/emails/templates/": ["templateName"],
  "/btx/admin/project": ["projectId", "eventId"],
};
/**
 * An address in a text, where a sign before it may be escaped, as in JSON; and in the address of a request, where some
 * signs of it are encoded, and a plus sign may have become a space. Not in the next word, but at the end of a sentence.
 */
const [inText, inAddress] = [
  /(?<!\\|\\u[0-9a-f]{0,3})([\w.!$%&'*+=?^`{|}~-]*[\w!$%&'*+=?^`{|}~-])(@)((?:[a-z0-9-]+\.)+example|simulator\.amazonses\.com)(?![\w-]|\.\w)/gi,
  /(?<!%|%[0-9a-f])((?:(?<=[?&]email=)\w+%20)?(?:[\w.!$'*+~-]|%(?![089a-f]|20)[0-9a-f]{2})*[\w!$'*+~-])(@|%40)((?:[a-z0-9-]+\.)+example|simulator\.amazonses\.com)(?![\w-]|\.\w)/gi,
];
const plainId = /^\w[\w-]{0,59}$/;

const escaped = (text: string): string => text.replaceAll(/[.*+?^$()|[\]\\{}]/g, "\\$&");

/** Applies to all texts of a value, at any depth; sets, bytes and numbers stay. */
export function inAllTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((one) => inAllTexts(one, change));
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value)?.constructor?.name !== "Object") {
    return value;
  }
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [change(key), inAllTexts(one, change)]));
}

export class Names {
  readonly #mark: string;
  readonly #realAdminDomain: string;
  readonly #ids = new Set<string>();
  readonly #simulated: RegExp;
  readonly #chosen: RegExp;
  readonly #admin: RegExp;

  /**
   * @param mark lower-case letters and digits that no other run has
   * @param realAdminDomain that of the stage
   */
  constructor(mark: string, realAdminDomain: string) {
    this.#mark = mark;
    this.#realAdminDomain = realAdminDomain;
    this.#simulated = new RegExp(
      `success(?:\\+|%2B)([^\\s"<>]*?)${at}([a-z0-9.-]*)\\.${mark}(@|%40)${escaped(simulator)}`,
      "gi",
    );
    this.#chosen = new RegExp(`(?:[.+]|%2B)${mark}(@|%40)${escaped(simulator)}`, "gi");
    this.#admin = new RegExp(`\\.${mark}(@|%40)${escaped(realAdminDomain)}`, "gi");
  }

  #emails(text: string, pattern: RegExp, plus: string): string {
    return text.replaceAll(pattern, (_, local: string, sign: string, domain: string) => {
      const ofAdmin = domain.toLowerCase() === adminDomain;
      if (ofAdmin) return `${local}.${this.#mark}${sign}${this.#realAdminDomain}`;
      if (domain.toLowerCase() === simulator) {
        return `${local}${local.includes("+") ? "." : plus}${this.#mark}${sign}${simulator}`;
      }
      const of = domain.replace(/\.example$/i, "");
      return `success${plus}${local}${at}${of}.${this.#mark}${sign}${simulator}`;
    });
  }

  /** The text with the real addresses of people. */
  emails = (text: string): string => this.#emails(text, inText, "+");

  /** Remembers the ids that a request chooses. */
  choose(method: string, path: string, body: unknown): void {
    if (method !== "POST" || typeof body !== "object" || body === null) return;
    for (const field of chosenAt[path] ?? []) {
      const id = (body as Readonly<Record<string, unknown>>)[field];
      // Names that no id may have stay as they are.
      if (typeof id === "string" && plainId.test(id) && !(id in {})) this.#ids.add(id);
    }
  }

  #id = (id: string): string => (this.#ids.has(id) ? `${id}-${this.#mark}` : id);

  /** A path with its query. */
  path(path: string): string {
    const [way = "", query] = [path.split("?")[0], path.includes("?") ? path.slice(path.indexOf("?") + 1) : undefined];
    // The first word is the API's own, also when a test has given it to a thing.
    const segments = way
      .split("/")
      .map((segment, index) => (index < 2 ? segment : this.#id(segment)))
      .join("/");
    if (query === undefined) return this.#emails(segments, inAddress, "%2B");
    const pairs = query.split("&").map((pair) => {
      const [name = "", ...value] = pair.split("=");
      return value.length === 0 ? name : `${name}=${value.join("=").replace(/^[\w-]+/, this.#id)}`;
    });
    return this.#emails(`${segments}?${pairs.join("&")}`, inAddress, "%2B");
  }

  /** A body as it is sent. */
  body(json: string): string {
    const field = /("(?:eventI[dD]|id|projectId|teamId|templateName|eventID;year)"\s*:\s*")([\w-]+)/g;
    const key = /("idempotencyKey"\s*:\s*")([\w-]+)/g;
    const text = json.replaceAll(key, `$1$2-${this.#mark}`);
    return this.emails(text.replaceAll(field, (_, before: string, id: string) => before + this.#id(id)));
  }

  /** A key of the table. */
  key(key: string): string {
    return this.emails(key.split("#").map(this.#id).join("#"));
  }

  /** The headers of an answer. */
  headers = (headers: Headers): Headers => new Headers([...headers].map(([name, value]) => [name, this.back(value)]));

  /** What the stage says, in the test's names. */
  back = (text: string): string =>
    text
      .replaceAll(
        this.#simulated,
        (_, local: string, domain: string, sign: string) => `${local}${sign}${domain}.example`,
      )
      .replaceAll(this.#chosen, (_, sign: string) => `${sign}${simulator}`)
      .replaceAll(this.#admin, (_, sign: string) => `${sign}${adminDomain}`)
      .replaceAll(`-${this.#mark}`, "");
}
