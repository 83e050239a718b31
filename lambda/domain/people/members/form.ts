/** Reads a membership form in all its spellings (`docs/contract.md`, "Members"). Pure. */
import { distinctEntriesIn } from "#kit/text/text.ts";
import { isBlank } from "./completion.ts";

/**
 * The spellings of each field, in order of precedence: the name in the member record, in `POST /members/grant`, in the
 * web application's snake_case, and in the user record, which its payment form uses.
 */
const spelledText = {
  firstName: ["firstName", "first_name", "fname"],
  lastName: ["lastName", "last_name", "lname"],
  pronouns: ["pronouns"],
  faculty: ["faculty"],
  major: ["major"],
  /** Academic year. */
  year: ["year", "levelOfStudy", "level_of_study"],
  education: ["education"],
  studentNumber: ["studentNumber", "student_number"],
  diet: ["diet", "dietaryRestrictions", "dietary_restrictions"],
  heardFrom: ["heardFrom", "referral", "heard_from"],
  heardFromSpecify: ["heardFromSpecify", "heard_from_specify"],
  university: ["university"],
  highSchool: ["highSchool", "high_school"],
  discordId: ["discordId", "discord_id"],
} as const;

const spelledFlag = {
  international: ["international", "internationalStudent", "international_student"],
  prevMember: ["prevMember", "previousMember", "prev_member", "previous_member"],
} as const;

type TextField = keyof typeof spelledText;
type FlagField = keyof typeof spelledFlag;
type TextSpelling = (typeof spelledText)[TextField][number];
type FlagSpelling = (typeof spelledFlag)[FlagField][number];

/** The fields that a new member fills in, under the names of the member record. */
export type MembershipForm = { readonly [F in TextField]?: string } & { readonly [F in FlagField]?: boolean } & {
  readonly topics?: readonly string[];
};

/** The form's text fields, and below its boolean fields. */
export const textFields = Object.keys(spelledText) as readonly TextField[];
export const flagFields = Object.keys(spelledFlag) as readonly FlagField[];

/** All names of the form's text fields, and below of its boolean fields. */
export const textSpellings: readonly TextSpelling[] = Object.values(spelledText).flat();
export const flagSpellings: readonly FlagSpelling[] = Object.values(spelledFlag).flat();

/** A form as sent. Absent, `null` and the empty string all mean no value. */
export type FormInput = { readonly [S in TextSpelling]?: string | null } & {
  readonly [S in FlagSpelling]?: boolean | null;
} & {
  /** A list, or a comma-separated string. */
  readonly topics?: readonly string[] | string | null;
};

const spellings: readonly (readonly [keyof MembershipForm, readonly string[]])[] = Object.entries({
  ...spelledText,
  ...spelledFlag,
  topics: ["topics"],
}) as [keyof MembershipForm, readonly string[]][];

/** The field of each older spelling. They are accepted, but the reference documents only the field. */
export const olderSpellings: ReadonlyMap<string, keyof MembershipForm> = new Map(
  spellings.flatMap(([field, names]) => names.filter((name) => name !== field).map((name) => [name, field] as const)),
);

/** Topics are distinct and not blank. */
const readAs = (name: keyof MembershipForm, value: unknown): unknown =>
  name === "topics" && !isBlank(value) ? distinctEntriesIn(value as readonly string[] | string) : value;

/** The form with the names of the member record. Of several spellings the first one with a value counts. */
export function formOf(input: FormInput): MembershipForm {
  const given = input as Readonly<Record<string, unknown>>;
  const fields = spellings.map(([name, names]) => {
    const spelled = names.find((spelling) => !isBlank(given[spelling]));
    return [name, spelled && readAs(name, given[spelled])] as const;
  });
  return Object.fromEntries(fields.filter(([, value]) => !isBlank(value)));
}

/**
 * The changes in a form, with the names of the member record. Undefined removes a field. Of several spellings the first
 * one that is present counts, even if blank.
 */
export function formChangesOf(input: FormInput): Partial<MembershipForm> {
  const given = input as Readonly<Record<string, unknown>>;
  const fields = spellings.flatMap(([name, names]) => {
    const spelled = names.find((spelling) => given[spelling] !== undefined);
    if (spelled === undefined) return [];
    const value = readAs(name, given[spelled]);
    return [[name, isBlank(value) ? undefined : value] as const];
  });
  return Object.fromEntries(fields);
}
