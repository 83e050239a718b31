/**
 * The rows of a folder, and which of them count: each record comes from one row. Only the rows' keys are kept in memory.
 */
import { relative } from "node:path";
import { submissionName } from "../map/feedback.ts";
import { eventIdOf, eventName, yearOf } from "../map/keys.ts";
import { memberName, profileIdIn } from "../map/member.ts";
import { prizeName } from "../map/prize.ts";
import { profileName } from "../map/profile.ts";
import type { Row } from "../map/reading.ts";
import { registrationName } from "../map/registration.ts";
import { userName } from "../map/user.ts";
import { rowsOf, type SourceRow } from "./rows.ts";
import { type Kind, kinds, type SourceFile, sourceFiles } from "./tables.ts";

/** The row that a record comes from. */
interface Chosen {
  /** Index among all rows of the kind. */
  readonly at: number;
  /** Epoch milliseconds, from the row. */
  readonly updatedAt: number;
  /** The year of a table of members, else 0. */
  readonly year: number;
  /** Only of members. */
  readonly profileID?: string | undefined;
}

/** A row of the source, with the name of its record: email, `<id>;<year>`, both, or an id. */
export type NamedRow = SourceRow & {
  readonly name?: string | undefined;
  /** Path from the folder. */
  readonly file: string;
  /** Why another row counts. Absent: this one does. */
  readonly passedOver?: string;
};

const namesOf: Readonly<Record<Kind, (row: Row) => string | undefined>> = {
  events: (row) => {
    const id = row.id === undefined ? undefined : eventIdOf(String(row.id));
    const year = yearOf(row.year);
    return id === undefined || year === undefined ? undefined : eventName({ id, year });
  },
  users: userName,
  members: memberName,
  profiles: profileName,
  registrations: (row) => {
    const named = registrationName(row);
    return named && `${named.email} ${named.event}`;
  },
  feedback: submissionName,
  prizes: prizeName,
};

const timeOf = ({ updatedAt, createdAt }: Row): number => {
  const time = Number(updatedAt ?? createdAt ?? 0);
  return Number.isFinite(time) ? time : Date.parse(String(updatedAt)) || 0;
};

const counts = (one: Chosen, other: Chosen): boolean =>
  one.year !== other.year ? one.year > other.year : one.updatedAt >= other.updatedAt;

export class Source {
  readonly #root: string;
  readonly #files: readonly SourceFile[];
  readonly #chosen: Readonly<Record<Kind, Map<string, Chosen>>>;
  readonly #rows: Readonly<Record<Kind, number>>;
  /** Files of unknown tables. */
  readonly unknown: readonly string[];
  /** The year of the newest table of members. */
  readonly membersOf: number;
  readonly #owners = new Map<string, string>();

  private constructor(
    root: string,
    { files, unknown }: Awaited<ReturnType<typeof sourceFiles>>,
    chosen: Record<Kind, Map<string, Chosen>>,
    rows: Record<Kind, number>,
  ) {
    this.#root = root;
    this.#files = files;
    this.unknown = unknown;
    this.#chosen = chosen;
    this.#rows = rows;
    this.membersOf = Math.max(0, ...files.filter(({ kind }) => kind === "members").map(({ year }) => year));
    for (const [email, { year, profileID }] of chosen.members) {
      const isCurrent = year === this.membersOf && profileID !== undefined;
      if (isCurrent && !this.#owners.has(profileID)) this.#owners.set(profileID, email);
    }
  }

  /**
   * Reads the keys of all rows.
   * @throws Unreadable
   */
  static async in(root: string): Promise<Source> {
    const folder = await sourceFiles(root);
    const chosen = Object.fromEntries(kinds.map((kind) => [kind, new Map()])) as Record<Kind, Map<string, Chosen>>;
    const rows = Object.fromEntries(kinds.map((kind) => [kind, 0])) as Record<Kind, number>;
    for (const { kind, path, year } of folder.files) {
      for (const one of await rowsOf(path)) {
        const at = rows[kind];
        rows[kind] += 1;
        const name = "row" in one ? namesOf[kind](one.row) : undefined;
        if (name === undefined || !("row" in one)) continue;
        const more = kind === "members" ? { profileID: profileIdIn(one.row) } : {};
        const candidate = { at, updatedAt: timeOf(one.row), year, ...more };
        const known = chosen[kind].get(name);
        if (known === undefined || counts(candidate, known)) chosen[kind].set(name, candidate);
      }
    }
    return new Source(root, folder, chosen, rows);
  }

  /** The number of rows, including those that do not count. */
  rowsOf = (kind: Kind): number => this.#rows[kind];

  get files(): number {
    return this.#files.length;
  }

  has = (kind: Kind, name: string): boolean => this.#chosen[kind].has(name);

  /** Whether the person is in the newest table of members. */
  hasMembership = (email: string): boolean => this.#chosen.members.get(email)?.year === this.membersOf;

  /** The member who has the profile. */
  ownerOf = (profileID: string): string | undefined => this.#owners.get(profileID);

  hasProfile = (profileID: string): boolean => this.#chosen.profiles.has(profileID);

  /** Names of the records of a kind. */
  names = (kind: Kind): IterableIterator<string> => this.#chosen[kind].keys();

  /** All rows of a kind. */
  async *all(kind: Kind): AsyncGenerator<NamedRow> {
    let at = 0;
    for (const { path } of this.#files.filter((file) => file.kind === kind)) {
      const file = relative(this.#root, path);
      for (const one of await rowsOf(path)) {
        const name = "row" in one ? namesOf[kind](one.row) : undefined;
        const why = name === undefined ? undefined : this.#passedOver(kind, name, at);
        yield { ...one, name, file, ...(why !== undefined && { passedOver: why }) };
        at += 1;
      }
    }
  }

  #passedOver(kind: Kind, name: string, at: number): string | undefined {
    const chosen = this.#chosen[kind].get(name);
    if (chosen && chosen.at !== at) return "another row of the same record is newer";
    if (kind !== "members" || chosen?.year === this.membersOf) return undefined;
    return `a membership of ${chosen?.year} only, and memberships are those of ${this.membersOf}`;
  }
}
