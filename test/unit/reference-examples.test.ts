/** The examples of the reference: each is valid, and its fields are of one state. */
import { describe, expect, test } from "@jest/globals";
import { propertiesOf, type RegistrationStatus } from "#domain/registrations/record/statuses.ts";
import { documentAjv } from "../../tools/reference/ajv.ts";
import { openApiDocument } from "../../tools/reference/document.ts";

type Fields = Readonly<Record<string, unknown>>;

/** What is wrong with an object; undefined: it is no object of this kind, or nothing is. */
const rules: Readonly<Record<string, (fields: Fields) => boolean | undefined>> = {
  "a registration has the fields of its state": (one) => {
    if (one["eventID;year"] === undefined || one.registrationStatus === undefined) return undefined;
    const status = one.registrationStatus as RegistrationStatus;
    const { unpaid, ticket } = propertiesOf({ status });
    const isInLine = one.waitlistPosition !== undefined || one.waitlistAhead !== undefined;
    return (
      (one.checkedInAt !== undefined) === (status === "checkedIn") &&
      (one.holdExpiresAt === undefined || unpaid) &&
      (one.checkoutLink === undefined || unpaid) &&
      (!isInLine || status === "waitlist") &&
      (one.ticketCode === undefined || ticket)
    );
  },
  "an answer has the status of its registration": ({ registrationStatus: status, registration }) =>
    status === undefined || registration === undefined
      ? undefined
      : (registration as Fields).registrationStatus === status,
  "a row that succeeded has no reason for a failure": ({ success, message, unknown }) =>
    success === undefined ? undefined : success !== true || (message === undefined && unknown === undefined),
  "a scan that was a check-in has no reason": ({ outcome, reason, again }) =>
    outcome === undefined ? undefined : outcome !== "checkedIn" || (reason === undefined && again === undefined),
  "a campaign's numbers add up": ({ state, recipients, sent, failed, suppressed, unconfirmed, pending }) => {
    if (sent === undefined) return undefined;
    const sum = [sent, failed, suppressed, unconfirmed, pending].reduce<number>((all, n) => all + Number(n), 0);
    return sum === recipients && (state === "done") === (pending === 0);
  },
  "only choices have choices, and only workshops a cap": ({ questionId, type, choices, participantCap, scaleMax }) =>
    questionId === undefined || type === undefined
      ? undefined
      : (choices === undefined || /SELECT|CHOICE|CHECKBOX|WORKSHOP/.test(`${type}`)) &&
        (participantCap === undefined || type === "WORKSHOP_SELECTION") &&
        (scaleMax === undefined || type === "LINEAR_SCALE"),
  "seats are those that are taken and those that remain": ({ seatsTaken, remaining, capac, counts }) => {
    if (counts === undefined || capac === undefined) return undefined;
    const { seatsTaken: taken, remaining: left } = counts as Record<string, number>;
    return seatsTaken === undefined && remaining === undefined && Number(taken) + Number(left) === capac;
  },
  "a price is the base price and 0.02 for each share": ({ basePrice, currentPrice, netShares }) =>
    basePrice === undefined
      ? undefined
      : Math.round(100 * (Number(basePrice) + 0.02 * Number(netShares))) === Math.round(100 * Number(currentPrice)),
  "a part was refunded": ({ state, amount, wentBack }) =>
    wentBack === undefined
      ? undefined
      : state !== "part refunded" || (Number(wentBack) > 0 && Number(wentBack) < Number(amount)),
};

const objectsIn = (node: unknown): Fields[] =>
  typeof node !== "object" || node === null
    ? []
    : [...(Array.isArray(node) ? [] : [node as Fields]), ...Object.values(node).flatMap(objectsIn)];

interface Example {
  readonly place: string;
  readonly schema: object;
  readonly value: unknown;
}

/** All examples with their schemas. */
function examplesIn(node: unknown, place: string): Example[] {
  if (typeof node !== "object" || node === null) return [];
  const { schema, example, examples, ...rest } = node as Fields;
  const named = Object.values((examples ?? {}) as Record<string, { value: unknown }>).map(({ value }) => value);
  const values = schema === undefined ? [] : [...(example === undefined ? [] : [example]), ...named];
  return [
    ...values.map((value) => ({ place, schema: schema as object, value })),
    ...Object.entries(rest).flatMap(([name, inner]) => examplesIn(inner, `${place}/${name}`)),
  ];
}

const document = openApiDocument();
const examples = [...examplesIn(document.paths, ""), ...examplesIn(document.components.responses, "")];

test("each example fits its schema", () => {
  const ajv = documentAjv();
  ajv.addSchema({ $id: "document", components: document.components });
  const fits = ({ schema, value }: Example) =>
    ajv.validate(JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"document#/')), value);
  expect(examples.length).toBeGreaterThan(350);
  expect(examples.filter((one) => !fits(one)).map(({ place }) => place)).toEqual([]);
});

describe.each(Object.entries(rules))("%s", (_name, rule) => {
  test("in each example, of which there is one", () => {
    const judged = examples.flatMap(({ place, value }) =>
      objectsIn(value).map((fields) => ({ place, is: rule(fields), fields })),
    );
    expect(judged.filter(({ is }) => is === false)).toEqual([]);
    expect(judged.some(({ is }) => is === true)).toBe(true);
  });
});

test.each<RegistrationStatus>(["registered", "incomplete", "waitlist", "checkedIn"])("%s has an example", (status) => {
  const all = examples.flatMap(({ value }) => objectsIn(value));
  expect(all.filter((one) => one["eventID;year"] && one.registrationStatus === status).length).toBeGreaterThan(0);
});
