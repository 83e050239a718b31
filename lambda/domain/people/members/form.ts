/** The membership form, whichever way its fields are spelled. Pure. */
import { isBlank } from "./completion.ts";

/** What somebody tells when they become a member, in the words of the member record whatever form they filled in. */
export interface MembershipForm {
  readonly firstName?: string;
  readonly lastName?: string;
  readonly pronouns?: string;
  readonly faculty?: string;
  readonly major?: string;
  /** Academic year. */
  readonly year?: string;
  readonly education?: string;
  readonly studentNumber?: string;
  readonly international?: boolean;
  readonly prevMember?: boolean;
  readonly diet?: string;
  readonly heardFrom?: string;
  readonly heardFromSpecify?: string;
  readonly university?: string;
  readonly highSchool?: string;
  readonly topics?: readonly string[];
}

/**
 * How each field may be spelled, best first: the record's own name, the name of `POST /members/grant`, then the web
 * application's snake_case.
 */
const spelledText = {
  firstName: ["firstName", "first_name"],
  lastName: ["lastName", "last_name"],
  pronouns: ["pronouns"],
  faculty: ["faculty"],
  major: ["major"],
  year: ["year", "levelOfStudy", "level_of_study"],
  education: ["education"],
  studentNumber: ["studentNumber", "student_number"],
  diet: ["diet", "dietaryRestrictions", "dietary_restrictions"],
  heardFrom: ["heardFrom", "referral", "heard_from"],
  heardFromSpecify: ["heardFromSpecify", "heard_from_specify"],
  university: ["university"],
  highSchool: ["highSchool", "high_school"],
} as const satisfies Partial<Record<keyof MembershipForm, readonly string[]>>;

const spelledFlag = {
  international: ["international", "internationalStudent", "international_student"],
  prevMember: ["prevMember", "previousMember", "prev_member", "previous_member"],
} as const satisfies Partial<Record<keyof MembershipForm, readonly string[]>>;

type TextSpelling = (typeof spelledText)[keyof typeof spelledText][number];
type FlagSpelling = (typeof spelledFlag)[keyof typeof spelledFlag][number];

/** Every name under which a text, or a yes or no, of the form may come in. */
export const textSpellings: readonly TextSpelling[] = Object.values(spelledText).flat();
export const flagSpellings: readonly FlagSpelling[] = Object.values(spelledFlag).flat();

/** A form as it comes in. Nothing, `null` and the empty text are all nothing. */
export type FormInput = { readonly [S in TextSpelling]?: string | null } & {
  readonly [S in FlagSpelling]?: boolean | null;
} & {
  /** A list, or its entries with commas between them. */
  readonly topics?: readonly string[] | string | null;
};

const spellings: readonly (readonly [keyof MembershipForm, readonly string[]])[] = Object.entries({
  ...spelledText,
  ...spelledFlag,
  topics: ["topics"],
}) as [keyof MembershipForm, readonly string[]][];

/** The topics of a list, or of a text with commas; each once, none blank. */
function topicsOf(topics: readonly string[] | string): string[] {
  const list = typeof topics === "string" ? topics.split(",") : topics;
  return [...new Set(list.map((topic) => topic.trim()))].filter((topic) => topic !== "");
}

const readAs = (name: keyof MembershipForm, value: unknown): unknown =>
  name === "topics" && !isBlank(value) ? topicsOf(value as readonly string[] | string) : value;

/** The form in the record's words. Of several spellings of a field the best that says something counts. */
export function formOf(input: FormInput): MembershipForm {
  const given = input as Readonly<Record<string, unknown>>;
  const said = spellings.map(([name, names]) => {
    const spelled = names.find((spelling) => !isBlank(given[spelling]));
    return [name, spelled && readAs(name, given[spelled])] as const;
  });
  return Object.fromEntries(said.filter(([, value]) => !isBlank(value)));
}

/**
 * The changes that a form asks for, in the record's words; undefined means that a field is to be removed. Of several
 * spellings of a field the best that is there counts.
 */
export function formChangesOf(input: FormInput): Partial<MembershipForm> {
  const given = input as Readonly<Record<string, unknown>>;
  const said = spellings.flatMap(([name, names]) => {
    const spelled = names.find((spelling) => given[spelling] !== undefined);
    if (spelled === undefined) return [];
    const value = readAs(name, given[spelled]);
    return [[name, isBlank(value) ? undefined : value] as const];
  });
  return Object.fromEntries(said);
}
