/**
 * The data of a measured stage. `npm run once -- import` writes it, so each item has the shape that the product's own code
 * writes.
 */
import { spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { StageOutputs } from "../../laptop/stage/outputs.ts";

/** How many registrations and users there are. */
export const sizes = [100, 1_000, 10_000] as const;
export type Size = (typeof sizes)[number];

/** Which part of all people is in the hot events. */
export type Share = "fifth" | "all";

export interface Dataset {
  readonly size: Size;
  readonly share: Share;
  /** Only the data of the measured requests: few members, and no registrations of other events. For the tests. */
  readonly lean?: boolean;
}

export const year = 2030;

/** Fixed width, so that items have the same size. */
const digits = (n: number): string => String(n).padStart(5, "0");

/** The ids of the events in requests. Several data sets fit into one stage. */
export const eventsOf = ({ size, share }: Dataset) => ({
  /** Seats are free. */
  open: `open-${share}-${digits(size)}`,
  /** Every seat is taken: a fifth of the people has one, at least twelve, and the others wait. */
  full: `full-${share}-${digits(size)}`,
  /** A seat costs money. No person is registered. */
  priced: `priced-${share}-${digits(size)}`,
});

export const exec = "exec@club.example";

export const personOf = (n: number): string => `person${digits(n)}@student.example`;

/** People of each hot event. */
export const crowdOf = ({ size, share }: Dataset): number => (share === "all" ? size : size / 5);

/** Seats of the full event. From 1,000 registrations on, over a hundred people wait: places are not counted exactly. */
export const seatsOf = (dataset: Dataset): number => Math.max(12, crowdOf(dataset) / 5);

/**
 * Events besides the three named ones: a club with ten thousand registrations has a hundred events. Two lean data sets
 * in one stage have ten events together.
 */
const othersOf = ({ size, lean }: Dataset): number => (lean ? 4 : Math.max(7, size / 100 - 3));

const hour = 3_600_000;
const day = 24 * hour;
/** All records have the same time, so that sizes and order are the same in every run. */
const begin = Date.UTC(2026, 0, 5);

const questions = [
  { questionId: "why", label: "Why do you come?", type: "TEXT", required: true, charLimit: 500 },
  { questionId: "diet", label: "Diet", type: "SELECT", required: false, choices: "None,Vegan,Halal" },
];

/** The answers of a person who registers, in the file and over HTTP. */
export const answers = {
  why: "I want to meet people who build things, and to hear how they began. ".repeat(4).trim(),
  diet: "Vegan",
};

const eventRow = (id: string, n: number, more: object = {}) => ({
  id,
  year,
  ename: `Event ${id}`,
  description: "An evening with people from the trade. ".repeat(10).trim(),
  startDate: new Date(Date.UTC(year, 2, 1) + n * day).toISOString(),
  endDate: new Date(Date.UTC(year, 2, 1) + n * day + 3 * hour).toISOString(),
  elocation: "Great Hall",
  imageUrl: "https://images.club.example/banner.jpg",
  isPublished: true,
  registrationQuestions: questions,
  createdAt: begin + n,
  updatedAt: begin + n,
  ...more,
});

const otherOf = (n: number): string => `other-${digits(n)}`;

function eventRows(dataset: Dataset) {
  const others = Array.from({ length: othersOf(dataset) }, (_, n) => eventRow(otherOf(n), n));
  const { open, full, priced } = eventsOf(dataset);
  const named = [
    eventRow(open, 400, { capac: 100_000 }),
    eventRow(full, 401, { capac: seatsOf(dataset) }),
    eventRow(priced, 402, { capac: 100_000, pricing: { members: 5, nonMembers: 10 } }),
  ];
  return [...others, ...named];
}

const userRow = (n: number, isMember: boolean) => ({
  id: personOf(n),
  fname: "Grace",
  lname: `Hopper ${n}`,
  studentId: 10_000_000 + n,
  education: "UBC",
  faculty: "Commerce",
  major: "Business and Computer Science",
  year: "3",
  diet: "None",
  isMember,
  admin: false,
  createdAt: begin + n,
  updatedAt: begin + n,
});

/** Every fourth person. */
const isMember = (n: number, { lean }: Dataset): boolean => n % 4 === 0 && (!lean || n < 100);

const memberRow = (n: number) => ({
  id: personOf(n),
  profileID: `Member${n}`,
  firstName: "Grace",
  lastName: `Hopper ${n}`,
  studentNumber: 10_000_000 + n,
  faculty: "Commerce",
  year: "3",
  major: "Business and Computer Science",
  topics: "Consulting,Startups",
  createdAt: begin + n,
  updatedAt: begin + n,
});

const registrationRow = (person: number, event: string, n: number, registrationStatus: string) => ({
  id: personOf(person),
  "eventID;year": `${event};${year}`,
  registrationStatus,
  fname: "Grace",
  studentId: 10_000_000 + person,
  basicInformation: {
    fname: "Grace",
    lname: `Hopper ${person}`,
    year: "3",
    faculty: "Commerce",
    major: "Business and Computer Science",
    heardFrom: "Friends",
  },
  dynamicResponses: answers,
  points: n % 7 === 0 ? 10 + (n % 50) : 0,
  createdAt: begin + 30 * day + n * 1_000,
  updatedAt: begin + 30 * day + n * 1_000,
});

function registrationRows(dataset: Dataset): object[] {
  const { open, full } = eventsOf(dataset);
  const crowd = crowdOf(dataset);
  const seats = seatsOf(dataset);
  const hot = Array.from({ length: crowd }, (_, n) => [
    registrationRow(n, open, n, "registered"),
    registrationRow(n, full, n, n < seats ? "registered" : "waitlist"),
  ]).flat();
  const events = othersOf(dataset);
  const rest = dataset.lean ? 0 : Math.max(0, dataset.size - hot.length);
  const others = Array.from({ length: rest }, (_, n) =>
    registrationRow((crowd + n) % dataset.size, otherOf(n % events), n, "registered"),
  );
  return [...hot, ...others];
}

/** Data sets share people and the events that no request uses. */
async function writeSource(folder: string, datasets: readonly Dataset[]): Promise<void> {
  const largest = datasets.reduce((one, other) => (other.size > one.size ? other : one));
  const people = Array.from({ length: largest.size }, (_, n) => n);
  const events = new Map(datasets.flatMap((dataset) => eventRows(dataset).map((row) => [row.id, row])));
  const files = {
    biztechEventsPROD: [...events.values()],
    biztechUsersPROD: people.map((n) => userRow(n, isMember(n, largest))),
    biztechMembers2026PROD: people.filter((n) => isMember(n, largest)).map(memberRow),
    biztechRegistrationsPROD: datasets.flatMap(registrationRows),
  };
  await mkdir(folder);
  for (const [name, rows] of Object.entries(files)) {
    await writeFile(join(folder, `${name}.jsonl`), rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  }
}

const start = fileURLToPath(new URL("../../../bin/start.mjs", import.meta.url));

/**
 * Brings the records into the stage.
 * @throws Error with the output of the import when it fails
 */
export async function importDatasets(datasets: readonly Dataset[], outputs: StageOutputs): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "bench-"));
  try {
    const [from, to, report] = ["source", "outputs.json", "report"].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    await writeSource(from, datasets);
    await writeFile(to, JSON.stringify(outputs));
    await run(["once", "import", "--from", from, "--to", to, "--report", report, "--yes"]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function run(args: readonly string[]): Promise<void> {
  // Drops the options of a test runner.
  const { NODE_OPTIONS: _options, ...env } = process.env;
  const child = spawn(process.execPath, [start, ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
    });
  }
  const code = await new Promise((resolve) => child.once("close", resolve));
  if (code !== 0) throw new Error(`The import of the records ended with ${code}:\n${printed}`);
}
