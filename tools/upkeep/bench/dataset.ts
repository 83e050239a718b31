/**
 * The data of a measured stage. `npm run once -- import` writes it, so each item has the shape that the product's own code
 * writes.
 */
import { spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { StageOutputs } from "../../laptop/service-kit/outputs.ts";

export interface Dataset {
  /** How many people register; a fifth of them for each hot event. */
  readonly size: number;
}

export const year = 2030;

/** Fixed width, so that items have the same size. */
const digits = (n: number): string => String(n).padStart(5, "0");

/** The ids of the events in requests. Several data sets fit into one stage. */
export const eventsOf = ({ size }: Dataset) => ({
  /** Seats are free. */
  open: `open-${digits(size)}`,
  /** Every seat is taken: a fifth of the people has one, at least twelve, and the others wait. */
  full: `full-${digits(size)}`,
  /** A seat costs money. No person is registered. */
  priced: `priced-${digits(size)}`,
});

export const exec = "exec@club.example";

export const personOf = (n: number): string => `person${digits(n)}@student.example`;

/** People of each hot event. */
export const crowdOf = ({ size }: Dataset): number => size / 5;

/** Seats of the full event. From 1,000 registrations on, over a hundred people wait: places are not counted exactly. */
export const seatsOf = (dataset: Dataset): number => Math.max(12, crowdOf(dataset) / 5);

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

function eventRows(dataset: Dataset) {
  const others = Array.from({ length: 4 }, (_, n) => eventRow(`other-${digits(n)}`, n));
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

const isMember = (n: number): boolean => n % 4 === 0 && n < 100;

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
  return Array.from({ length: crowd }, (_, n) => [
    registrationRow(n, open, n, "registered"),
    registrationRow(n, full, n, n < seats ? "registered" : "waitlist"),
  ]).flat();
}

/** Data sets share people and the events that no request uses. */
async function writeSource(folder: string, datasets: readonly Dataset[]): Promise<void> {
  const people = Array.from({ length: Math.max(...datasets.map(({ size }) => size)) }, (_, n) => n);
  const events = new Map(datasets.flatMap((dataset) => eventRows(dataset).map((row) => [row.id, row])));
  const files = {
    biztechEventsPROD: [...events.values()],
    biztechUsersPROD: people.map((n) => userRow(n, isMember(n))),
    biztechMembers2026PROD: people.filter(isMember).map(memberRow),
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
