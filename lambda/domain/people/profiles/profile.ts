/** A member's profile, visible to others in the club (`docs/contract.md`, "Profiles"). Pure. */

import { inAdminDomain } from "#kit/request/caller.ts";

/** The fields that are copied from the member record. */
export const copiedFields = ["fname", "lname", "pronouns", "major", "year"] as const;

/** The fields that the person enters. They may be empty. */
export const ownFields = [
  "hobby1",
  "hobby2",
  "funQuestion1",
  "funQuestion2",
  "linkedIn",
  "profilePictureURL",
  "additionalLink",
  "description",
] as const;

/** The fields that a person may show or hide. */
export const viewableFields = [...copiedFields, ...ownFields] as const;

export type CopiedField = (typeof copiedFields)[number];
export type OwnField = (typeof ownFields)[number];
export type ViewableField = (typeof viewableFields)[number];
export type ViewableMap = Readonly<Record<ViewableField, boolean>>;

/** The changes that a person makes to their profile. `null` empties a text. */
export type ProfileChanges = { readonly [field in OwnField]?: string | null } & {
  readonly viewableMap?: { readonly [field in ViewableField]?: boolean } | null;
};

/** A profile as stored, under the person's email. */
export interface ProfileRecord extends Readonly<Record<ViewableField, string>> {
  readonly email: string;
  /** Readable and unique. It never changes. */
  readonly profileID: string;
  readonly profileType: "EXEC" | "ATTENDEE";
  readonly viewableMap: ViewableMap;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Counts the writes of this record, from 1. */
  readonly version: number;
  /** Identifies the creation of the record: deleting and recreating it restarts the versions. */
  readonly generation: string;
}

/** An alternative id of a profile, which the web application reads. */
export const compositeIdOf = ({ profileID }: Pick<ProfileRecord, "profileID">): string => `PROFILE#${profileID}`;

const hiddenAtFirst: ReadonlySet<string> = new Set(["hobby1", "hobby2", "funQuestion1", "funQuestion2"]);

const atFirst = <T>(value: (field: ViewableField) => T) =>
  Object.fromEntries(viewableFields.map((field) => [field, value(field)])) as Record<ViewableField, T>;

/** A new profile with only the copied fields. Hobbies and fun questions are hidden by default. */
export function newProfile(
  copies: Readonly<Record<CopiedField, string>>,
  known: {
    readonly email: string;
    readonly profileID: string;
    readonly adminDomain: string;
    readonly now: number;
    readonly generation: string;
  },
): ProfileRecord {
  const { email, profileID, adminDomain, now, generation } = known;
  return {
    ...atFirst(() => ""),
    ...copies,
    email,
    profileID,
    profileType: inAdminDomain(email, adminDomain) ? "EXEC" : "ATTENDEE",
    viewableMap: atFirst((field) => !hiddenAtFirst.has(field)),
    createdAt: now,
    updatedAt: now,
    version: 1,
    generation,
  };
}

/**
 * The profile after the changes. `null` empties a field.
 * @param now epoch milliseconds
 * @returns the same object when nothing changes
 */
export function changedProfile(
  profile: ProfileRecord,
  { viewableMap = {}, ...texts }: ProfileChanges,
  now: number,
): ProfileRecord {
  const told = Object.entries(texts).map(([field, text]) => [field, text ?? ""] as const);
  const changes = told.filter(([field, text]) => profile[field as OwnField] !== text);
  const views = Object.entries(viewableMap ?? {}).filter(
    ([field, shown]) => profile.viewableMap[field as ViewableField] !== shown,
  );
  if (changes.length + views.length === 0) return profile;
  return {
    ...profile,
    ...Object.fromEntries(changes),
    viewableMap: { ...profile.viewableMap, ...Object.fromEntries(views) },
    updatedAt: now,
  };
}
