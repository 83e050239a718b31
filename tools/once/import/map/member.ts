/** Maps a membership of the previous backend. Pure. */
import { NewMember as schema } from "#api/members/schemas.ts";
import { type FormInput, formOf } from "#domain/people/members/form.ts";
import { type MemberRecord, newMember } from "#domain/people/members/member.ts";
import { endGiven, withEnd } from "#domain/people/members/terms.ts";
import { isPathPart } from "#kit/request/gateway-key.ts";
import { formatChecks } from "#kit/schema/formats.ts";
import { fitTo } from "./fit.ts";
import { type Mapped, mapped, Reading, type Row, studentNumber } from "./reading.ts";

/** The generation of imported memberships and profiles. An import restores none that was deleted here. */
export const importedGeneration = "import";

const fit = fitTo<FormInput & { readonly discordId?: string; readonly cardCount?: number }>(schema);

export const memberName = (row: Row): string | undefined => new Reading(row).email("id", "email");

/** The id of the member's profile in the source. */
export const profileIdIn = (row: Row): string | undefined => profileIdOf(new Reading(row));

function profileIdOf(reading: Reading): string | undefined {
  const id = reading.text("profileID", { most: 100 });
  if (id === undefined || isPathPart(id)) return id;
  reading.note("profileID", "left out: no path carries it", id, null);
  return undefined;
}

/** The end of the membership. A date alone is its last day. Undefined: the source has none, or none that is a date. */
function endIn(reading: Reading, timeZone: string): number | undefined {
  const text = reading.text("until", { most: 40 });
  if (text === undefined) return undefined;
  if (formatChecks["iso-date"]?.(text)) return endGiven(text, timeZone);
  reading.note("until", "left out: not a date", text, null);
  return undefined;
}

const texts = [
  "firstName",
  "lastName",
  "pronouns",
  "faculty",
  "major",
  "year",
  "education",
  "diet",
  "heardFrom",
  "heardFromSpecify",
  "university",
  "highSchool",
  "discordId",
] as const;

export const mapMember = (
  row: Row,
  { adminDomain, timeZone }: { readonly adminDomain: string; readonly timeZone: string },
): Mapped<MemberRecord> =>
  mapped(row, (reading) => {
    const email = reading.key();
    const fields = {
      ...reading.texts(texts),
      studentNumber: studentNumber(reading, "studentNumber"),
      international: reading.flag("international"),
      prevMember: reading.flag("prevMember"),
      topics: reading.list("topics", { most: 50, longest: 100 }),
      cardCount: reading.whole("cardCount", 0, 1_000_000),
    };
    const admin = reading.flag("admin");
    const profileID = profileIdOf(reading);
    const { createdAt, updatedAt } = reading.times(timeZone);
    const until = endIn(reading, timeZone);
    reading.leftOut();
    const { discordId, cardCount, ...form } = fit(fields, reading);
    const known = { email, adminDomain, now: createdAt, generation: importedGeneration };
    const member = newMember({ ...formOf(form), discordId, cardCount }, known);
    if (admin !== undefined && admin !== member.admin) {
      reading.note("admin", "decided by the email's domain", admin, member.admin);
    }
    const ending = until === undefined ? {} : withEnd(member, until, { rule: "forever", timeZone });
    return { ...member, ...ending, ...(profileID !== undefined && { profileID }), updatedAt };
  });
