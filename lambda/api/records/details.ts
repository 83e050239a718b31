/** Details of people in the schemas of several capabilities. */
import { described, type TSchema } from "#kit/schema/schema.ts";

/** What each detail means, with an example of those that examples have. */
const details: Readonly<Record<string, readonly [description: string, example?: string]>> = {
  fname: ["First name.", "Ada"],
  lname: ["Last name.", "Lovelace"],
  firstName: ["First name.", "Ada"],
  lastName: ["Last name.", "Lovelace"],
  pronouns: ["Pronouns.", "she/her"],
  faculty: ["Faculty.", "Commerce"],
  major: ["Major.", "Mathematics"],
  year: ["Year of study, as the person wrote it.", "3"],
  studentId: ["Student number.", "12345678"],
  studentNumber: ["Student number.", "12345678"],
  diet: ["Dietary needs.", "Vegetarian"],
  gender: ["Gender, in the person's own words.", "Woman"],
  education: ["School or programme.", "UBC"],
  university: ["University.", "UBC"],
  highSchool: ["High school."],
  heardFrom: ["How the person heard of the club or event.", "A friend"],
  heardFromSpecify: ["More about `heardFrom`."],
  discordId: ["Name on Discord.", "ada#1815"],
  phone: ["Telephone number.", "+1 604 555 0100"],
  companyName: ["Company of a partner."],
  role: ["Role of a partner in the company."],
  international: ["Whether the person is an international student."],
  prevMember: ["Whether the person was a member in an earlier year."],
  hobby1: ["A hobby.", "Chess"],
  hobby2: ["Another hobby.", "Walking"],
  funQuestion1: ["Answer to the first fun question.", "I count things."],
  funQuestion2: ["Answer to the second fun question.", "Machines that weave."],
  linkedIn: ["Page on LinkedIn.", "https://linkedin.example/in/ada"],
  profilePictureURL: ["A picture of the person.", "https://images.example/ada.png"],
  additionalLink: ["Another web page of the person.", "https://ada.example"],
  description: ["What the person writes about themselves.", "I build machines that think."],
};

/** The same schema for each of these details, with what it means. Older spellings of a form have no meaning of their own. */
export const detailed = <const N extends string, S extends TSchema>(names: readonly N[], schema: S): Record<N, S> =>
  Object.fromEntries(names.map((name) => [name, described(schema, ...(details[name] ?? []))])) as Record<N, S>;
