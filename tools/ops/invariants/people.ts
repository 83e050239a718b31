/** Invariants of accounts, memberships, profiles and points. Pure. */
import type { MemberRecord } from "#domain/people/members/member.ts";
import { putNewMember } from "#domain/people/members/store.ts";
import type { ProfileRecord } from "#domain/people/profiles/profile.ts";
import { profileIdKey, profileKey } from "#domain/people/profiles/store.ts";
import { memberKey } from "#domain/people/users/person-records.ts";
import { putNewUser, type UserRecord, userKey } from "#domain/people/users/store.ts";
import type { RegistrationRecord } from "#domain/registrations/record/registration.ts";
import { pointsInTotal } from "#domain/registrations/store/points.ts";
import type { KeyTexts } from "#kit/table/item.ts";
import type { Item, Key } from "#kit/table/table.ts";
import { isOfKind, valuesIn } from "#outbox/stored-kinds.ts";
import { isRegistration } from "./as-read.ts";
import type { Finding, Rule } from "./finding.ts";

export const userRule: Rule = {
  related: () => [],
  judge: () => [],
  listed: (item) => putNewUser(item as unknown as UserRecord).Put?.Item,
};

export const memberRule: Rule = {
  related({ email }) {
    return [userKey(String(email)), profileKey(String(email))];
  },
  judge(item, { find }) {
    const member = item as unknown as MemberRecord;
    const user = find(userKey(member.email)) as unknown as UserRecord | undefined;
    const profile = find(profileKey(member.email)) as unknown as ProfileRecord | undefined;
    const findings: Finding[] = [];
    // A grant and an import create account, membership and profile. An admin may create a membership without an account.
    const wasGranted = profile !== undefined && profile.generation === member.generation;
    if (!user && wasGranted) findings.push({ kind: "no account", says: member.email });
    if (member.profileID !== profile?.profileID) {
      const says = `${member.email}: ${member.profileID ?? "none"}, and the profile is ${profile?.profileID ?? "missing"}`;
      findings.push({ kind: "other profile id", says });
    }
    return findings;
  },
  listed: (item) => putNewMember(item as unknown as MemberRecord).Put?.Item,
};

export const profileRule: Rule = {
  related: ({ profileID, email }) => [
    profileIdKey(String(profileID)),
    memberKey(String(email)),
    userKey(String(email)),
  ],
  judge({ email, profileID }, { find }) {
    const findings: Finding[] = [];
    // Deleting a membership unsets `isMember` in the account, and keeps the profile.
    const isMarked = find(userKey(String(email)))?.isMember === true;
    if (isMarked && !find(memberKey(String(email)))) findings.push({ kind: "no membership", says: String(email) });
    const owner = find(profileIdKey(String(profileID)))?.email;
    if (owner === email) return findings;
    findings.push(
      owner === undefined
        ? { kind: "no profile id", says: `${profileID} of ${email}` }
        : { kind: "profile id of another", says: `${profileID} of ${email} leads to ${owner}` },
    );
    return findings;
  },
};

export const profileIdRule: Rule = {
  related: ({ email }) => [profileKey(String(email))],
  judge(item, { find }) {
    const { profile: profileID } = valuesIn("profile id", item);
    const isTheirs = find(profileKey(String(item.email)))?.profileID === profileID;
    return isTheirs ? [] : [{ kind: "profile id of no person", says: `${profileID} of ${item.email}` }];
  },
};

/** The inputs for checking the points of one person. */
export interface PersonalPoints {
  /** The stored points over all events. */
  readonly points: number | undefined;
  readonly registrations: readonly Parameters<typeof pointsInTotal>[0][];
}

/** The difference between the points over all events and the registrations; 0 when they match. */
export const pointsMissing = ({ points = 0, registrations }: PersonalPoints): number =>
  registrations.reduce((sum, one) => sum + pointsInTotal(one), 0) - points;

/** Whether an item shows that its person has points. */
export const tellsPoints = (item: Item & Key): boolean =>
  isOfKind("total points", item) ||
  (isRegistration(item) && pointsInTotal(item as unknown as RegistrationRecord) !== 0);

/** The email in the key of an item of a person. */
export const personOf = (key: KeyTexts): string => valuesIn("account", key).email ?? "";
