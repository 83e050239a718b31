/** A folder with tables of the present backend, in the shapes and with the oddities that its exports have. */
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Writable } from "node:stream";
import { createGzip } from "node:zlib";
import { marshall } from "@aws-sdk/util-dynamodb";

export interface SourceSize {
  readonly users: number;
  readonly members: number;
  readonly events: number;
  readonly registrations: number;
  /** Odd rows besides, of all kinds in turn. */
  readonly odd: number;
  /** Epoch milliseconds. Half of the events are before it, half after it. */
  readonly now: number;
}

/** What a source has by its making; an import has to find the same. */
export interface Made {
  readonly rows: Record<string, number>;
  /** Rows that cannot be taken, by kind. */
  readonly refused: Record<string, number>;
  /** Registrations that hold a seat, and that wait, by `<id>;<year>`. Without odd rows. */
  readonly holders: Map<string, number>;
  readonly waiting: Map<string, string[]>;
}

type Row = Record<string, unknown>;

/** Numbers that look random and are the same in every run (mulberry32). */
function chanceFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type FileShape = "export" | "lines" | "list";

/** Writes rows to a file: an export's gzipped lines, plain lines, or one list. */
class RowFile {
  readonly #file: Writable;
  readonly #end: Promise<unknown>;
  readonly #shape: FileShape;
  #isFirst = true;

  private constructor(path: string, shape: FileShape) {
    const disk = createWriteStream(path);
    this.#end = once(disk, "close");
    this.#shape = shape;
    if (path.endsWith(".gz")) {
      const zip = createGzip();
      zip.pipe(disk);
      this.#file = zip;
    } else this.#file = disk;
    if (shape === "list") this.#file.write("[\n");
  }

  static async at(path: string, shape: FileShape): Promise<RowFile> {
    await mkdir(dirname(path), { recursive: true });
    return new RowFile(path, shape);
  }

  async add(row: Row): Promise<void> {
    const typed = this.#shape === "export";
    const text = JSON.stringify(typed ? { Item: marshall(row, { removeUndefinedValues: true }) } : plain(row));
    await this.text(this.#shape === "list" ? `${this.#isFirst ? "" : ",\n"}${text}` : `${text}\n`);
    this.#isFirst = false;
  }

  async text(text: string): Promise<void> {
    if (!this.#file.write(text)) await once(this.#file, "drain");
  }

  async close(): Promise<void> {
    this.#file.end(this.#shape === "list" ? "\n]\n" : "");
    await this.#end;
  }
}

const plain = (row: Row): Row =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value instanceof Set ? [...value] : value]));

const day = 86_400_000;
const statuses = [
  "registered",
  "registered",
  "registered",
  "checkedIn",
  "checkedin",
  "waitlist",
  "cancelled",
  "Registered",
];
const applications = [
  { registrationStatus: "registered", applicationStatus: "reviewing" },
  { registrationStatus: "registered", applicationStatus: "" },
  { registrationStatus: "accepted", applicationStatus: "accepted" },
  { registrationStatus: "acceptedcomplete", applicationStatus: "accepted" },
  { registrationStatus: "rejected", applicationStatus: "rejected" },
];
const holding = new Set(["registered", "checkedin", "accepted", "acceptedcomplete"]);

export const personOf = (n: number): string => `person${n}@student.example`;
export const eventOf = (n: number): { id: string; year: number } => ({ id: `event-${n}`, year: 2024 + (n % 3) });

const isApplication = (n: number): boolean => n % 10 === 3;
const isPriced = (n: number): boolean => n % 10 === 5;

/** Event `n`. Every seventh has fewer seats than people. */
const eventRow = (n: number, people: number, now: number): Row => ({
  ...eventOf(n),
  ename: `Event ${n}`,
  description: "An evening.\r\nWith people.",
  capac: n % 4 === 0 ? String(people) : n % 7 === 1 ? Math.max(1, Math.floor(people / 3)) : people + 5,
  startDate: new Date(now + (n % 2 === 0 ? -1 : 1) * (n + 2) * day).toISOString(),
  endDate: new Date(now + (n % 2 === 0 ? -1 : 1) * (n + 2) * day + 3_600_000).toISOString(),
  elocation: "Great Hall",
  latitude: "49.2606",
  longitude: -123.246,
  isPublished: n % 5 === 0 ? "true" : true,
  isCompleted: false,
  isApplicationBased: isApplication(n),
  ...(isPriced(n) && { pricing: { members: "5", nonMembers: 8.5 } }),
  registrationQuestions: [
    { questionId: `why-${n}`, label: "Why?", type: "TEXT", required: true, choices: "", charLimit: "500" },
    {
      questionId: `shop-${n}`,
      label: "Workshop",
      type: "WORKSHOP_SELECTION",
      required: false,
      choices: "A,B, C",
      participantCap: 2,
    },
    { questionId: `diet-${n}`, label: "Diet", type: "CHECKBOX", required: "false", choices: "None,Vegan,Halal" },
    { questionId: `why-${n}`, label: "Why again?", type: "TEXT", required: false },
  ],
  partnerRegistrationQuestions: [{ questionId: `why-${n}`, label: "Company", type: "text", required: true }],
  attendeeFeedbackEnabled: true,
  attendeeFeedbackQuestions: [{ questionId: "best", label: "Best part?", type: "LONG_TEXT", required: false }],
  feedback: "https://forms.example/old",
  createdAt: now - 400 * day + n,
  updatedAt: now - 100 * day + n,
});

/** A row that is odd in the way `n` says, its kind, and whether the service can take it. */
function oddRow(n: number, { users, events, now }: SourceSize): { kind: string; row: Row | string; taken: boolean } {
  const event = eventOf(n % events);
  const key = `${event.id};${event.year}`;
  const odd: readonly (readonly [string, Row | string, boolean])[] = [
    [
      "registrations",
      {
        id: `Odd.Person${n}@Student.Example `,
        "eventID;year": key,
        registrationStatus: "REGISTERED",
        createdAt: now - n,
        points: "12",
        isPartner: "true",
        scannedQRs: '["a"]',
        teamID: "t",
      },
      true,
    ],
    [
      "registrations",
      { id: `lost${n}@student.example`, "eventID;year": `gone-${n};2024`, registrationStatus: "registered" },
      false,
    ],
    [
      "registrations",
      { id: `legacy${n}@student.example`, "eventID;year": key, registrationStatus: "something old" },
      false,
    ],
    ["registrations", { id: `not an email ${n}`, "eventID;year": key, registrationStatus: "registered" }, false],
    [
      "users",
      {
        id: `NEW.Person${n}@Student.Example`,
        fname: "Nora",
        studentId: 0,
        isMember: "false",
        "favedEventsID;year": new Set([key, `gone-${n};2020`]),
        createdAt: now - n,
        updatedAt: now - n,
      },
      true,
    ],
    [
      "users",
      { id: personOf(n % users).toUpperCase(), fname: "Older", createdAt: 1, updatedAt: 1_600_000_000_000 },
      false,
    ],
    ["users", { id: "", fname: "Nobody" }, false],
    [
      "members",
      {
        id: `Only.Member${n}@student.example`,
        firstName: "Only",
        lastName: "Member",
        profileID: `OnlyMember${n}`,
        international: "true",
        topics: "ai, design",
        cardCount: "3",
        createdAt: now - n,
        updatedAt: now - n,
      },
      true,
    ],
    ["profiles", { compositeID: `PROFILE#x${n}`, type: `CONNECTION#y${n}`, fname: "A friend" }, false],
    [
      "profiles",
      { compositeID: `PROFILE#partner${n}`, type: "PROFILE", profileType: "PARTNER", company: "Acme" },
      false,
    ],
    [
      "feedback",
      {
        id: `fb-odd-${n}`,
        eventID: event.id,
        year: String(event.year),
        formType: "Attendee",
        responses: { "overall-rating": "9" },
        respondentEmail: "Who@Example.com",
        submittedAt: now - n,
      },
      true,
    ],
    ["feedback", { id: `fb-lost-${n}`, eventID: "gone", year: 2020, formType: "attendee", responses: {} }, false],
    ["prizes", { id: `prize ${n}`, name: "Mug", price: "25", links: { shop: "https://shop.example/mug" } }, true],
    ["prizes", { id: `no-price-${n}`, name: "Air" }, false],
    ["events", { id: `no-year-${n}`, ename: "When?" }, false],
    ["registrations", "this line is no JSON", false],
  ];
  const [kind, row, taken] = odd[n % odd.length] as (typeof odd)[number];
  return { kind, row, taken };
}

/** Makes the folder. Its files are of all shapes that exports have. */
export async function makeSource(folder: string, size: SourceSize): Promise<Made> {
  const { users, members, events, registrations, now } = size;
  const chance = chanceFrom(7);
  const made: Made = { rows: {}, refused: {}, holders: new Map(), waiting: new Map() };
  const part = (table: string, n: number) => join(folder, table, "AWSDynamoDB/01700000-abc/data", `part${n}.json.gz`);
  const files: Record<string, RowFile> = {
    events: await RowFile.at(join(folder, "biztechEventsPROD.json"), "list"),
    users: await RowFile.at(part("biztechUsersPROD", 1), "export"),
    members: await RowFile.at(join(folder, "biztechMembers2026PROD.json.gz"), "export"),
    older: await RowFile.at(join(folder, "biztechMembers2025.jsonl"), "lines"),
    profiles: await RowFile.at(join(folder, "biztechProfilesPROD.jsonl.gz"), "lines"),
    registrations: await RowFile.at(part("biztechRegistrationsPROD", 1), "export"),
    more: await RowFile.at(part("biztechRegistrationsPROD", 2), "export"),
    feedback: await RowFile.at(join(folder, "biztechEventFeedback.json"), "lines"),
    prizes: await RowFile.at(join(folder, "biztechPrizes.json"), "list"),
  };
  const add = async (kind: string, row: Row, file = kind, taken = true) => {
    made.rows[kind] = (made.rows[kind] ?? 0) + 1;
    if (!taken) made.refused[kind] = (made.refused[kind] ?? 0) + 1;
    await files[file]?.add(row);
  };
  const perEvent = Math.floor(registrations / events);
  for (let n = 0; n < events; n += 1) await add("events", eventRow(n, perEvent, now));
  for (let n = 0; n < users; n += 1) {
    const favourites = new Set(
      [0, 1].map((more) => `${eventOf((n + more) % events).id};${eventOf((n + more) % events).year}`),
    );
    await add("users", {
      id: n % 9 === 4 ? personOf(n).replace("person", "Person") : personOf(n),
      fname: `Fname${n}`,
      lname: "Person",
      studentId: n % 3 === 0 ? 0 : 10_000_000 + n,
      education: "UBC",
      faculty: "Commerce",
      major: "BUCS",
      year: n % 2 === 0 ? "3" : 3,
      gender: "",
      diet: "None",
      isMember: n < members,
      admin: false,
      "favedEventsID;year": favourites,
      createdAt: now - 500 * day + n,
      updatedAt: now - 50 * day + n,
    });
  }
  for (let n = 0; n < members; n += 1) {
    const row = {
      id: n % 5 === 2 ? personOf(n).replace("person", "PERSON") : personOf(n),
      profileID: `Member${n}`,
      firstName: `Fname${n}`,
      lastName: "Person",
      pronouns: "they/them",
      studentNumber: 10_000_000 + n,
      faculty: "Commerce",
      year: n % 2 === 0 ? "3rd Year" : 3,
      major: "BUCS",
      prevMember: n % 2 === 0 ? "true" : false,
      international: n % 3 === 0 ? "false" : true,
      topics: n % 2 === 0 ? "Consulting,Startups" : ["Consulting", "Startups"],
      cardCount: n % 4 === 0 ? "2" : 1,
      admin: false,
      createdAt: now - 300 * day + n,
      updatedAt: now - 40 * day + n,
    };
    await add("members", row);
    if (n % 20 === 0) await add("members", { ...row, updatedAt: now - 390 * day }, "older", false);
    if (n % 10 === 9) continue;
    await add("profiles", {
      compositeID: `PROFILE#Member${n}`,
      type: "PROFILE",
      fname: `Fname${n}`,
      lname: "Person",
      pronouns: "they/them",
      major: "BUCS",
      year: "3",
      hobby1: "chess",
      linkedIn: n % 6 === 0 ? "linkedin.com/in/nobody" : "https://www.linkedin.com/in/person",
      description: "Hello.",
      profileType: "ATTENDEE",
      viewableMap: { fname: true, hobby1: "true", linkedIn: false },
      createdAt: now - 300 * day + n,
      updatedAt: now - 30 * day + n,
    });
  }
  await add(
    "members",
    { id: "former@student.example", firstName: "Former", updatedAt: now - 390 * day },
    "older",
    false,
  );
  for (let n = 0; n < perEvent * events; n += 1) {
    const at = n % events;
    const { id, year } = eventOf(at);
    const key = `${id};${year}`;
    const person = personOf((Math.floor(n / events) * 13 + at * 7) % users);
    const state = isApplication(at)
      ? (applications[Math.floor(n / events) % applications.length] as (typeof applications)[number])
      : { registrationStatus: statuses[Math.floor(chance() * statuses.length)] as string, applicationStatus: "" };
    const status = state.registrationStatus.toLowerCase();
    const isApplicant = isApplication(at) && status === "registered";
    if (holding.has(status) && !isApplicant) made.holders.set(key, (made.holders.get(key) ?? 0) + 1);
    if (status === "waitlist") made.waiting.set(key, [...(made.waiting.get(key) ?? []), person]);
    const row = {
      id: person,
      "eventID;year": key,
      ...state,
      fname: "Fname",
      studentId: 10_000_000 + n,
      basicInformation: { fname: "Fname", lname: "Person", email: person, year: 3, heardFrom: "Friends" },
      dynamicResponses: {
        [`why-${at}`]: "To learn.",
        [`shop-${at}`]: n % 3 === 0 ? "A" : "B",
        [`diet-${at}`]: "None,Vegan",
        "a-question-of-old": "An answer.",
      },
      isPartner: false,
      points: n % 7 === 0 ? "10" : 0,
      checkoutLink: isPriced(at) ? "https://checkout.example/c/1" : "",
      createdAt: now - 90 * day + n * 1_000,
      updatedAt: now - 80 * day + n * 1_000,
    };
    await add("registrations", row, n % 2 === 0 ? "registrations" : "more");
  }
  for (let n = 0; n < events; n += 1) {
    const { id, year } = eventOf(n);
    await add("feedback", {
      id: `fb-${n}`,
      eventID: id,
      year,
      formType: "attendee",
      responses: { "overall-rating": 8, best: "The people." },
      respondentName: "Ann",
      submittedAt: now - n,
    });
  }
  await add("prizes", { id: "mug", name: "Mug", price: 100, imageHash: "abc", links: {} });
  for (let n = 0; n < size.odd; n += 1) {
    const { kind, row, taken } = oddRow(n, size);
    if (typeof row !== "string") {
      await add(kind, row, kind, taken);
      continue;
    }
    made.rows[kind] = (made.rows[kind] ?? 0) + 1;
    made.refused[kind] = (made.refused[kind] ?? 0) + 1;
    await files[kind]?.text(`${row.replaceAll(" ", "-")}\n`);
  }
  for (const file of Object.values(files)) await file.close();
  return made;
}
