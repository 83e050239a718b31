/** Maps a profile of the previous backend. Pure. */
import { ProfileChanges as schema } from "#api/profiles/schemas.ts";
import {
  changedProfile,
  copiedFields,
  newProfile,
  ownFields,
  type ProfileChanges,
  type ProfileRecord,
  viewableFields,
} from "#domain/people/profiles/profile.ts";
import { isPathPart } from "#kit/request/gateway-key.ts";
import { fitTo } from "./fit.ts";
import { importedGeneration } from "./member.ts";
import { type Mapped, mapped, Refused, type Row } from "./reading.ts";

export interface ProfileFacts {
  /** The canonical email of the member who has the profile. */
  readonly ownerOf: (profileID: string) => string | undefined;
  readonly adminDomain: string;
  /** Of times without a zone. */
  readonly timeZone: string;
}

const fit = fitTo<ProfileChanges>(schema);

const prefix = "PROFILE#";

/** The id of a row of type `PROFILE`. Undefined for connections, and for rows without an id. */
export function profileName(row: Row): string | undefined {
  const { compositeID, type = "PROFILE" } = row;
  if (type !== "PROFILE" || typeof compositeID !== "string") return undefined;
  const id = (compositeID.startsWith(prefix) ? compositeID.slice(prefix.length) : compositeID).trim();
  return id.length > 100 || !isPathPart(id) ? undefined : id;
}

const [longLine, longText, longAddress] = [200, 4_000, 2_048];
const longest: Readonly<Record<string, number>> = {
  funQuestion1: longText,
  funQuestion2: longText,
  description: 10_000,
  linkedIn: longAddress,
  profilePictureURL: longAddress,
  additionalLink: longAddress,
};
const lines = new Set(["funQuestion1", "funQuestion2", "description"]);

export const mapProfile = (row: Row, { ownerOf, adminDomain, timeZone }: ProfileFacts): Mapped<ProfileRecord> =>
  mapped(row, (reading) => {
    if (row.type !== undefined && row.type !== "PROFILE") {
      throw new Refused("a connection of two people, which the service does not have");
    }
    const profileID = profileName(row);
    for (const name of ["compositeID", "type", "profileID"]) reading.raw(name);
    if (profileID === undefined) throw new Refused("the profile has no usable id");
    const email = ownerOf(profileID);
    if (email === undefined) throw new Refused("no member has this profile");
    const copies = Object.fromEntries(copiedFields.map((name) => [name, reading.text(name) ?? ""])) as Record<
      (typeof copiedFields)[number],
      string
    >;
    const own = Object.fromEntries(
      ownFields.map((name) => [name, reading.text(name, { most: longest[name] ?? longLine, lines: lines.has(name) })]),
    );
    const views = reading.map("viewableMap");
    const viewableMap = views && Object.fromEntries(viewableFields.map((name) => [name, views.flag(name)]));
    views?.leftOut();
    const profileType = reading.raw("profileType");
    const { createdAt, updatedAt } = reading.times(timeZone);
    reading.leftOut();
    const changes = fit({ ...own, viewableMap }, reading);
    const fresh = newProfile(copies, { email, profileID, adminDomain, now: createdAt, generation: importedGeneration });
    if (profileType !== undefined && profileType !== fresh.profileType) {
      reading.note("profileType", "decided by the email's domain", profileType, fresh.profileType);
    }
    return { ...changedProfile(fresh, changes, updatedAt), updatedAt };
  });
