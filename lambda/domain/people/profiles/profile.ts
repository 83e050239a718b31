/** What a profile is: what a member shows of themselves to the other people of the club. Pure. */

import { inAdminDomain } from "#kit/caller.ts";

/** Copied from the member record. */
export const copiedFields = ["fname", "lname", "pronouns", "major", "year"] as const;

/** Written by the person; may be empty. */
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

/** What a person changes of their profile; `null` empties a text. */
export type ProfileChanges = { readonly [field in OwnField]?: string | null } & {
  readonly viewableMap?: { readonly [field in ViewableField]?: boolean } | null;
};

/** A profile as stored, under the person's email. */
export interface ProfileRecord extends Readonly<Record<ViewableField, string>> {
  readonly email: string;
  /** Human-readable, unique, never changes. */
  readonly profileID: string;
  readonly profileType: "EXEC" | "ATTENDEE";
  readonly viewableMap: ViewableMap;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Counts the writes of this record, from 1. */
  readonly version: number;
  /** The request that created it: tells it from one that is created later. */
  readonly createdBy: string;
}

const hiddenAtFirst: ReadonlySet<string> = new Set(["hobby1", "hobby2", "funQuestion1", "funQuestion2"]);

const atFirst = <T>(value: (field: ViewableField) => T) =>
  Object.fromEntries(viewableFields.map((field) => [field, value(field)])) as Record<ViewableField, T>;

/** A profile as it begins: what is copied, nothing of the person's own, and hobbies and fun questions hidden. */
export function newProfile(
  copies: Readonly<Record<CopiedField, string>>,
  known: {
    readonly email: string;
    readonly profileID: string;
    readonly adminDomain: string;
    readonly now: number;
    readonly createdBy: string;
  },
): ProfileRecord {
  const { email, profileID, adminDomain, now, createdBy } = known;
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
    createdBy,
  };
}

/** The profile with what its person changes; `null` empties a field. The same object when that changes nothing. */
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
