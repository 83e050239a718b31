/** The rules of memberships and profiles (`docs/contract.md`, "Members" and "Profiles"). */
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { visibleProfile } from "#api/records/profile-answer.ts";
import { completed, isBlank } from "#domain/people/members/completion.ts";
import { formChangesOf, formOf, type MembershipForm } from "#domain/people/members/form.ts";
import { type Grant, type Granted, grantedTo, type Held, isNewMembership } from "#domain/people/members/granting.ts";
import { newMember } from "#domain/people/members/member.ts";
import { requireFirstName, requireFullName, withNames } from "#domain/people/members/names.ts";
import {
  changedProfile,
  newProfile,
  ownFields,
  type ViewableField,
  viewableFields,
} from "#domain/people/profiles/profile.ts";
import type { UserRecord } from "#domain/people/users/store.ts";
import type { ValidationFailed } from "#kit/errors.ts";

const known = { email: "ada@unit.example", adminDomain: "club.example", now: 1_000, generation: "g1" };
const grant: Grant = { ...known, profileID: "RareGeckosJam" };

const text = fc.constantFrom("", "a", "b", "Ada");
const form: fc.Arbitrary<MembershipForm> = fc.record(
  {
    firstName: text,
    lastName: text,
    pronouns: text,
    major: text,
    year: text,
    studentNumber: text,
    international: fc.boolean(),
    prevMember: fc.boolean(),
    topics: fc.array(fc.constantFrom("x", "y"), { maxLength: 2 }),
  },
  { requiredKeys: [] },
);
const user: fc.Arbitrary<UserRecord> = fc
  .record(
    { fname: text, lname: text, major: text, year: text, studentId: text, isMember: fc.boolean() },
    { requiredKeys: ["isMember"] },
  )
  .map((fields) => ({ ...fields, email: known.email, admin: false, favEvents: ["e;1"], createdAt: 1, updatedAt: 1 }));
const copies = fc.record({ fname: text, lname: text, pronouns: text, major: text, year: text });
const profile = copies.map((fields) => newProfile(fields, { ...known, profileID: "OldCatsSing", now: 1 }));
const held: fc.Arbitrary<Held> = fc.record(
  { user, member: form.map((fields) => newMember(fields, { ...known, now: 1 })), profile },
  { requiredKeys: [] },
);

/** These fields are set by the service. The profile's id lies in the profile too. */
const bookkeeping = new Set(["updatedAt", "isMember", "profileID"]);
const filledIn = (record: object = {}) =>
  Object.fromEntries(Object.entries(record).filter(([name, value]) => !isBlank(value) && !bookkeeping.has(name)));

describe("a grant", () => {
  test("overwrites no field that has a value", () => {
    fc.assert(
      fc.property(held, form, (before, told) => {
        const after = grantedTo(before, told, grant);
        expect(after.user).toMatchObject(filledIn(before.user));
        expect(after.member).toMatchObject(filledIn(before.member));
        expect(after.profile).toMatchObject(filledIn(before.profile));
      }),
    );
  });

  test("leaves no gap for a second grant", () => {
    fc.assert(
      fc.property(held, form, (before, told) => {
        const once = grantedTo(before, told, grant);
        const twice = grantedTo(once, told, { ...grant, now: 2_000, profileID: "AnotherOne" });
        for (const part of ["user", "member", "profile"] as const) expect(twice[part]).toBe(once[part]);
        expect(isNewMembership(once)).toBe(false);
      }),
    );
  });

  test("makes a member with one profile, and keeps everything that the form says", () => {
    fc.assert(
      fc.property(held, form, (before, told) => {
        const { user, member, profile }: Granted = grantedTo(before, told, grant);
        expect(user.isMember).toBe(true);
        expect(member.profileID).toBe(profile.profileID);
        expect(profile.profileID).toBe(before.profile?.profileID ?? grant.profileID);
        for (const [name, value] of Object.entries(told).filter(([, said]) => !isBlank(said))) {
          const now = member[name as keyof MembershipForm];
          expect(now).toEqual(
            isBlank(before.member?.[name as keyof MembershipForm]) ? value : before.member?.[name as "year"],
          );
        }
        if (!isBlank(told.firstName) && isBlank(before.user?.fname)) expect(user.fname).toBe(told.firstName);
        if (!isBlank(told.studentNumber) && isBlank(before.user?.studentId))
          expect(user.studentId).toBe(told.studentNumber);
      }),
    );
  });

  test.each([
    ["ada@unit.example", false, "ATTENDEE"],
    ["exec@club.example", true, "EXEC"],
  ])("for %s sets the admin flag by the domain", (email, admin, profileType) => {
    const granted = grantedTo({}, {}, { ...grant, email });
    expect(granted).toMatchObject({ user: { admin }, member: { admin }, profile: { profileType } });
  });

  test.each<[string, Held, boolean]>([
    ["nothing", {}, true],
    ["a user", { user: { isMember: false } as UserRecord }, true],
    ["a member without a user", { member: newMember({}, known) }, false],
    [
      "a member whose user is not marked",
      { member: newMember({}, known), user: { isMember: false } as UserRecord },
      true,
    ],
  ])("makes a new membership for %s: %#", (_, before, isNew) => expect(isNewMembership(before)).toBe(isNew));

  test("treats false and 0 as values, blank texts and lists as gaps", () => {
    const record = { a: false, b: 0, c: "", d: [] as string[], e: undefined as string | undefined };
    const filled = completed(record, { a: true, b: 1, c: "x", d: ["x"], e: "x" });
    expect(filled).toEqual({ a: false, b: 0, c: "x", d: ["x"], e: "x" });
    expect(completed(record, { c: "", d: [], e: undefined })).toBe(record);
  });
});

describe("the membership form", () => {
  test.each([
    ["fname", "firstName"],
    ["student_number", "studentNumber"],
    ["referral", "heardFrom"],
    ["dietaryRestrictions", "diet"],
  ])("%s is %s", (spelling, name) => expect(formOf({ [spelling]: "x" })).toEqual({ [name]: "x" }));

  test("false is a value of a flag", () => {
    expect(formOf({ internationalStudent: false })).toEqual({ international: false });
  });

  test("with contradicting spellings takes the record's own first, then the grant's, then snake_case", () => {
    expect(formOf({ year: "4", levelOfStudy: "3", level_of_study: "2" })).toEqual({ year: "4" });
    expect(formOf({ year: "", levelOfStudy: "3", level_of_study: "2" })).toEqual({ year: "3" });
    expect(formChangesOf({ year: null, levelOfStudy: "3" })).toEqual({ year: undefined });
  });

  test("reads topics from a text or a list, each once; none is none", () => {
    for (const topics of ["a, b,,a , ", ["a", " b ", "", "a"]]) expect(formOf({ topics }).topics).toEqual(["a", "b"]);
    expect(formOf({ topics: null }).topics).toBeUndefined();
    expect(formChangesOf({ topics: " , " })).toEqual({ topics: undefined });
  });
});

describe("the name of a new member", () => {
  test("is the form's, else the account's, else the token's, each part by itself", () => {
    const named = withNames({ firstName: "", lastName: "L" }, { lastName: "B" }, { firstName: "Lin", lastName: "C" });
    expect(named).toEqual({ firstName: "Lin", lastName: "L" });
    expect(withNames({}, { firstName: "Ada" }, { firstName: "Lin" })).toEqual({ firstName: "Ada" });
  });

  const pathsOf = (check: () => void): string[] => {
    try {
      check();
      return [];
    } catch (error) {
      return (error as ValidationFailed).details.issues.map(({ path }) => path);
    }
  };
  test.each<[MembershipForm, string[], string[]]>([
    [{ firstName: "Ada", lastName: "Lovelace" }, [], []],
    [{ firstName: "Ada" }, ["/lastName"], []],
    [{ lastName: "Lovelace" }, ["/firstName"], ["/firstName"]],
    [{}, ["/firstName", "/lastName"], ["/firstName", "/lastName"]],
  ])("of %j lacks, for a grant and for a payment: %j, %j", (told, full, first) => {
    expect(pathsOf(() => requireFullName(told))).toEqual(full);
    expect(pathsOf(() => requireFirstName(told))).toEqual(first);
  });
});

describe("a member", () => {});

describe("a profile", () => {
  const full = {
    ...newProfile(
      Object.fromEntries(viewableFields.map((field) => [field, ""])) as Record<ViewableField, string>,
      grant,
    ),
    ...Object.fromEntries(viewableFields.map((field) => [field, `my ${field}`])),
  };

  test("shows at first all fields but hobbies and fun questions", () => {
    const hidden = viewableFields.filter((field) => !full.viewableMap[field]);
    expect(hidden).toEqual(["hobby1", "hobby2", "funQuestion1", "funQuestion2"]);
  });

  test("shows others exactly the fields that the person shows, and the four that are always shown", () => {
    const views = fc.record(Object.fromEntries(viewableFields.map((field) => [field, fc.boolean()])));
    fc.assert(
      fc.property(views, (viewableMap) => {
        const shown = viewableFields.filter((field) => viewableMap[field]);
        expect(visibleProfile(changedProfile(full, { viewableMap }, 2_000))).toEqual({
          compositeID: "PROFILE#RareGeckosJam",
          profileID: "RareGeckosJam",
          type: "PROFILE",
          profileType: "ATTENDEE",
          ...Object.fromEntries(shown.map((field) => [field, `my ${field}`])),
        });
      }),
    );
  });

  test("takes new values, empties null fields, keeps the rest, and stays the same when nothing changes", () => {
    const own = Object.fromEntries(ownFields.map((field) => [field, full[field]]));
    expect(changedProfile(full, { ...own, viewableMap: { ...full.viewableMap } }, 2_000)).toBe(full);
    expect(changedProfile(full, { viewableMap: null }, 2_000)).toBe(full);
    expect(changedProfile(full, { hobby1: null, viewableMap: { hobby1: true } }, 2_000)).toEqual({
      ...full,
      hobby1: "",
      viewableMap: { ...full.viewableMap, hobby1: true },
      updatedAt: 2_000,
    });
  });
});
