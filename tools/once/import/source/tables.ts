/** Finds the files of the previous backend's tables in a folder. */
import { readdir } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";

export const kinds = ["events", "users", "members", "profiles", "registrations", "feedback", "prizes"] as const;
export type Kind = (typeof kinds)[number];

const tableNames: Readonly<Record<string, Kind>> = {
  events: "events",
  registrations: "registrations",
  users: "users",
  members: "members",
  profiles: "profiles",
  eventfeedback: "feedback",
  prizes: "prizes",
};

export interface Table {
  readonly kind: Kind;
  /** The year of a table of members, 0 without one. */
  readonly year: number;
}

const tableName =
  /^biztech(events|registrations|users|members|profiles|eventfeedback|prizes)(\d{4})?(?:-?prod)?(?=$|[^a-z0-9])/i;

/** The table that a file or folder is named after: the table's name first, with or without `PROD`. */
export function tableOf(name: string): Table | undefined {
  const [, kind = "", year = "0"] = tableName.exec(name) ?? [];
  const known = tableNames[kind.toLowerCase()];
  if (known === undefined || (year !== "0" && known !== "members")) return undefined;
  return { kind: known, year: Number(year) };
}

const dataFile = /\.(?:json|jsonl|ndjson)(?:\.gz)?$/i;
/** Files that DynamoDB's export writes in addition to the data. */
const besideData = /^(?:manifest-.*|_started)$/;

export interface SourceFile extends Table {
  readonly path: string;
}

export interface SourceFolder {
  readonly files: readonly SourceFile[];
  /** Files of tables that are not imported. */
  readonly unknown: readonly string[];
}

/**
 * Finds the data files. A file belongs to the table in its own name, or in that of the nearest parent folder. Files of one
 * table are sorted by name.
 */
export async function sourceFiles(root: string): Promise<SourceFolder> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const files: SourceFile[] = [];
  const unknown: string[] = [];
  for (const path of paths) {
    const name = basename(path);
    if (besideData.test(name) || name.startsWith(".")) continue;
    const table = dataFile.test(name) ? tableFor(root, path) : undefined;
    if (table === undefined) unknown.push(relative(root, path));
    else files.push({ ...table, path });
  }
  return { files, unknown };
}

function tableFor(root: string, path: string): Table | undefined {
  const named = tableOf(basename(path));
  if (named) return named;
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const table = tableOf(basename(folder));
    if (table || relative(root, folder) === "" || relative(root, folder).startsWith("..")) return table;
  }
}
