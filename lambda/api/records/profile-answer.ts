/** The API's answer about a profile (`docs/contract.md`, "Profiles"). Pure. */

import type { Profile, VisibleProfile } from "#api/records/schemas.ts";
import { compositeIdOf, type ProfileRecord, viewableFields } from "#domain/people/profiles/profile.ts";

const identityOf = (record: ProfileRecord) => ({
  compositeID: compositeIdOf(record),
  profileID: record.profileID,
  type: "PROFILE" as const,
  profileType: record.profileType,
});

/** A profile as its owner sees it. */
export function profileAnswer(record: ProfileRecord): Profile {
  const { email: _email, version: _version, generation: _generation, ...fields } = record;
  return { ...identityOf(record), ...fields };
}

/** A profile as other people see it: its identity, and the fields that the owner shows. */
export function visibleProfile(record: ProfileRecord): VisibleProfile {
  const shown = viewableFields.filter((field) => record.viewableMap[field] === true);
  return { ...identityOf(record), ...Object.fromEntries(shown.map((field) => [field, record[field]])) };
}
