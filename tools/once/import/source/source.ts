/** The rows of a folder, and which of them count: each record comes from one row. */
import { relative } from "node:path";
import { momentOf, UnclearDate } from "../map/dates.ts";
import { submissionName } from "../map/feedback.ts";
import { eventIdOf, eventName, yearOf } from "../map/keys.ts";
import { memberName, profileIdIn } from "../map/member.ts";
import { prizeName } from "../map/prize.ts";
import { profileName } from "../map/profile.ts";
import type { Row } from "../map/reading.ts";
import { registrationName } from "../map/registration.ts";
import { userName } from "../map/user.ts";
import { rowsOf, type SourceRow } from "./rows.ts";
import { type Kind, kinds, type SourceFolder, sourceFiles } from "./tables.ts";

/** A row of the source, with the name of its record: email, `<id>;<year>`, both, or an id. */
export type NamedRow = SourceRow & {
  readonly name?: string | undefined;
  /** Path from the folder. */
  readonly file: string;
  /** Why another row counts. Absent: this one does. */
  readonly passedOver?: string;
};

/** A row that has the name of its record. */
interface Candidate {
  readonly row: Row;
  readonly file: string;
  /** The year of a table of members, else 0. */
  readonly year: number;
}

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

/** A repeated hour is no fault here: the mapping refuses the row that counts. */
function timeOf({ updatedAt, createdAt }: Row, timeZone: string): number {
  const time = Number(updatedAt ?? createdAt ?? 0);
  if (Number.isFinite(time)) return time;
  try {
    return momentOf(String(updatedAt ?? createdAt), timeZone) ?? 0;
  } catch (error) {
    if (error instanceof UnclearDate) return 0;
    throw error;
  }
}

const counts = (one: Candidate, other: Candidate, timeZone: string): boolean =>
  one.year !== other.year ? one.year > other.year : timeOf(one.row, timeZone) >= timeOf(other.row, timeZone);

const ofEachKind = <Value>(make: () => Value): Readonly<Record<Kind, Value>> =>
  Object.fromEntries(kinds.map((kind) => [kind, make()])) as Record<Kind, Value>;

export class Source {
  readonly #rows = ofEachKind((): (NamedRow & { readonly year: number })[] => []);
  /** The row that each record comes from. */
  readonly #chosen = ofEachKind(() => new Map<string, Candidate>());
  readonly #owners = new Map<string, string>();
  /** Files of unknown tables. */
  readonly unknown: readonly string[];
  /** How many files have tables. */
  readonly files: number;
  /** The year of the newest table of members. */
  readonly membersOf: number;

  private constructor({ files, unknown }: SourceFolder) {
    this.unknown = unknown;
    this.files = files.length;
    this.membersOf = Math.max(0, ...files.filter(({ kind }) => kind === "members").map(({ year }) => year));
  }

  /**
   * Reads all rows.
   * @param timeZone of times without a zone
   * @throws Unreadable
   */
  static async in(root: string, timeZone: string): Promise<Source> {
    const folder = await sourceFiles(root);
    const source = new Source(folder);
    for (const { kind, path, year } of folder.files) {
      const file = relative(root, path);
      for (const one of await rowsOf(path)) {
        const name = "row" in one ? namesOf[kind](one.row) : undefined;
        const row = { ...one, name, file, year };
        source.#rows[kind].push(row);
        if (name === undefined || !("row" in row)) continue;
        const known = source.#chosen[kind].get(name);
        if (known === undefined || counts(row, known, timeZone)) source.#chosen[kind].set(name, row);
      }
    }
    for (const [email, { row, year }] of source.#chosen.members) {
      const profileID = profileIdIn(row);
      if (year !== source.membersOf || profileID === undefined || source.#owners.has(profileID)) continue;
      source.#owners.set(profileID, email);
    }
    return source;
  }

  /** Whether the person is in the newest table of members. */
  hasMembership = (email: string): boolean => this.#chosen.members.get(email)?.year === this.membersOf;

  /** The member who has the profile. */
  ownerOf = (profileID: string): string | undefined => this.#owners.get(profileID);

  hasProfile = (profileID: string): boolean => this.#chosen.profiles.has(profileID);

  /** All rows of a kind. */
  all(kind: Kind): NamedRow[] {
    return this.#rows[kind].map((row) => {
      const passedOver = row.name === undefined ? undefined : this.#passedOver(kind, row.name, row);
      return { ...row, ...(passedOver !== undefined && { passedOver }) };
    });
  }

  #passedOver(kind: Kind, name: string, row: object): string | undefined {
    const chosen = this.#chosen[kind].get(name);
    if (chosen !== row) return "another row of the same record is newer";
    if (kind !== "members" || chosen.year === this.membersOf) return undefined;
    return `a membership of ${chosen.year} only, and memberships are those of ${this.membersOf}`;
  }
}
