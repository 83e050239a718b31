/** What a table of people can say, and which column says it. Pure. */
import type { components } from "../paths.ts";

type Schemas = components["schemas"];
export type TableEvent = Schemas["EventWithPeople"];
export type Question = Schemas["RegistrationQuestion"];

/** What the rows become. */
export const purposes = ["registrations", "members", "accounts"] as const;
export type Purpose = (typeof purposes)[number];

export interface Field {
  /** `email`, `basicInformation.diet`, `answer.<question id>`. */
  readonly name: string;
  readonly label: string;
  readonly kind: "email" | "name" | "line" | "flag" | "list" | "date" | "answer";
  /** Other headings of it. */
  readonly also?: readonly string[];
}

const line = (name: string, label: string, ...also: readonly string[]): Field => ({ name, label, kind: "line", also });
const flag = (name: string, label: string, ...also: readonly string[]): Field => ({ name, label, kind: "flag", also });

const email: Field = {
  ...{ name: "email", label: "Email", kind: "email" },
  also: ["e-mail", "mail", "email address", "e-mail address", "mail address", "courriel"],
};
/** Both names in a cell: `Ada Lovelace`, or `Lovelace, Ada`. */
const name: Field = {
  ...{ name: "name", label: "First and last name", kind: "name" },
  also: ["name", "full name", "participant", "attendee"],
};
const first = ["given name", "forename", "firstname", "first", "fname", "vorname", "prénom"] as const;
const last = ["surname", "family name", "lastname", "last", "lname", "nachname", "nom"] as const;
const studentNumber = ["student id", "studentid", "student no", "student #", "matriculation number"] as const;

type Basic = keyof NonNullable<Schemas["RegistrationForm"]["basicInformation"]>;
const basic = (of: Basic, label: string, ...also: readonly string[]) => line(`basicInformation.${of}`, label, ...also);

const ofRegistrations: readonly Field[] = [
  ...[email, name, line("fname", "First name", ...first), basic("lname", "Last name", ...last)],
  flag("isPartner", "Is a partner", "partner", "partner yes/no"),
  basic("studentId", "Student number", ...studentNumber),
  basic("year", "Year of study", "year", "year level", "level of study"),
  ...[basic("faculty", "Faculty"), basic("major", "Major"), basic("gender", "Gender")],
  basic("diet", "Dietary needs", "diet", "dietary restrictions", "allergies"),
  basic("phone", "Telephone", "phone", "phone number", "mobile"),
  basic("companyName", "Company", "organization", "organisation", "company name"),
  ...[basic("role", "Role", "position"), basic("heardFrom", "Heard from", "referral")],
  line("code", "Code", "promo code", "discount code", "voucher"),
];

const member = (of: keyof Schemas["NewMember"], label: string, ...also: readonly string[]) => line(of, label, ...also);

const ofMembers: readonly Field[] = [
  ...[email, name, member("firstName", "First name", ...first), member("lastName", "Last name", ...last)],
  {
    ...{ name: "until", label: "Member until", kind: "date" },
    also: ["until", "end", "ends", "valid until", "valid to", "expires", "expiry", "membership until"],
  },
  ...[member("pronouns", "Pronouns"), member("faculty", "Faculty"), member("major", "Major")],
  member("year", "Year of study", "year", "year level", "level of study"),
  member("education", "Education"),
  member("studentNumber", "Student number", ...studentNumber),
  member("diet", "Dietary needs", "diet", "dietary restrictions"),
  ...[member("heardFrom", "Heard from", "referral"), member("university", "University")],
  ...[member("highSchool", "High school"), member("discordId", "Discord")],
  flag("international", "International student", "international"),
  flag("prevMember", "Was a member before", "previous member", "returning member"),
  { name: "topics", label: "Topics", kind: "list", also: ["interests"] },
];

const user = (of: keyof Schemas["NewUser"], label: string, ...also: readonly string[]) => line(of, label, ...also);

const ofAccounts: readonly Field[] = [
  ...[email, name, user("fname", "First name", ...first), user("lname", "Last name", ...last)],
  user("studentId", "Student number", ...studentNumber),
  ...[user("faculty", "Faculty"), user("major", "Major")],
  user("year", "Year of study", "year", "year level", "level of study"),
  user("diet", "Dietary needs", "diet", "dietary restrictions"),
  ...[user("gender", "Gender"), user("education", "Education"), user("university", "University")],
];

/** Questions of both forms, each once. */
export function questionsOf(event: TableEvent): readonly Question[] {
  const all = [...event.registrationQuestions, ...event.partnerRegistrationQuestions];
  return [...new Map(all.toReversed().map((one) => [one.questionId, one])).values()].toReversed();
}

const fieldOf = ({ questionId, label }: Question): Field => ({
  ...{ name: `answer.${questionId}`, label, kind: "answer", also: [questionId] },
});

/** @param event whose registrations they become */
export function fieldsFor(purpose: Purpose, event?: TableEvent): readonly Field[] {
  if (purpose === "members") return ofMembers;
  if (purpose === "accounts") return ofAccounts;
  const [who, others] = [ofRegistrations.slice(0, 5), ofRegistrations.slice(5)];
  return [...who, ...(event ? questionsOf(event).map(fieldOf) : []), ...others];
}

/** For each column the name of its field. `null`: it is not used. Undefined: a person has to say. */
export type Mapping = readonly (string | null | undefined)[];

/** A heading without accents, capitals, blanks and signs. */
const plain = (text: string): string =>
  text
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}#]/gu, "");

/**
 * The fields of headings that are theirs. Each field has one column. A label counts before another spelling, and an
 * earlier field before a later one.
 */
export function guessed(headings: readonly string[], fields: readonly Field[]): Mapping {
  const known = new Map<string, string>();
  for (const names of [(one: Field) => [one.label], ({ also = [] }: Field) => also])
    for (const field of fields)
      for (const spelling of names(field)) {
        const key = plain(spelling);
        if (key !== "" && !known.has(key)) known.set(key, field.name);
      }
  const taken = new Set<string>();
  return headings.map((heading) => {
    const found = known.get(plain(heading));
    if (found === undefined || taken.has(found)) return undefined;
    taken.add(found);
    return found;
  });
}

/** What is to be said about the columns before rows can be read; empty: nothing. */
export function questionsAbout(
  headings: readonly string[],
  mapping: Mapping,
  fields: readonly Field[],
): readonly string[] {
  const labels = new Map(fields.map((field) => [field.name, field.label]));
  const open = headings.filter((_, column) => mapping[column] === undefined);
  const used = mapping.filter((one) => typeof one === "string");
  const unknown = used.filter((one) => !labels.has(one));
  const twice = [...new Set(used.filter((one, at) => used.indexOf(one) < at))];
  const hasName = ["fname", "firstName", "basicInformation.lname", "lname", "lastName"].some((one) =>
    used.includes(one),
  );
  return [
    ...open.map((heading) => `What is in the column “${heading}”?`),
    ...unknown.map((one) => `There is no field ${one}.`),
    ...twice.map((one) => `Two columns are “${labels.get(one) ?? one}”.`),
    ...(used.includes("email") ? [] : ["No column is the email."]),
    ...(used.includes("name") && hasName ? ["A name is in one column, or in one for each part of it, not both."] : []),
  ];
}
