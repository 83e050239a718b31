/** Which fields a PATCH of a user may change. */
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { changeFrom } from "#domain/people/users/user.ts";
import { NotAllowed, ValidationFailed } from "#kit/errors.ts";

const admin = { email: "exec@club.example", isAdmin: true };
const person = { email: "ada@unit.example", isAdmin: false };

const text = fc.oneof(fc.constant(null), fc.string());
const detail = fc.constantFrom("fname", "lname", "studentId", "diet");
const details = fc.dictionary(detail, text, { noNullPrototype: true });

describe("a change", () => {
  test("of a fixed field is refused by name, for every value and caller", () => {
    const immutable = fc.subarray(["id", "email", "admin"], { minLength: 1 });
    fc.assert(
      fc.property(details, immutable, fc.anything(), fc.boolean(), (change, names, value, isAdmin) => {
        const named = Object.fromEntries(names.map((name) => [name, value]));
        const refusal = (() => {
          try {
            return changeFrom({ ...change, ...named, isMember: true }, { isAdmin });
          } catch (error) {
            return error;
          }
        })();
        expect(refusal).toBeInstanceOf(ValidationFailed);
        expect((refusal as ValidationFailed).details.issues.map(({ path }) => path)).toEqual(names.map((n) => `/${n}`));
      }),
    );
  });

  test("of the membership is for admins", () => {
    for (const isMember of [true, false]) {
      expect(changeFrom({ isMember }, admin)).toEqual({ isMember });
      expect(() => changeFrom({ isMember, fname: "A" }, person)).toThrow(
        new NotAllowed("Only an admin can change isMember."),
      );
    }
  });
});
