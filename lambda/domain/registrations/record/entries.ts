/** What a person entered in a registration, and its removal. Pure. */
import type { PlusOne } from "./plus-ones.ts";
import type { RegistrationRecord } from "./registration.ts";

type Entered = Pick<
  RegistrationRecord,
  "code" | "plusOnes" | "fname" | "studentId" | "basicInformation" | "dynamicResponses" | "choices"
>;

/** The answers that count seats of workshops. They stay as long as the registration does. */
const countedAnswers = ({ dynamicResponses, choices }: Entered): RegistrationRecord["dynamicResponses"] =>
  Object.fromEntries(Object.entries(dynamicResponses).filter(([question]) => question in choices));

/** The names of the form, which stay as long as the first name does. */
const namesIn = ({ fname, lname }: RegistrationRecord["basicInformation"]) => ({
  ...(fname !== undefined && { fname }),
  ...(lname !== undefined && { lname }),
});

/** Whether nothing of what the person entered is left, but perhaps the name. */
export const hasNoEntries = ({
  code,
  plusOnes = [],
  studentId,
  basicInformation,
  dynamicResponses,
  choices,
}: Entered): boolean =>
  studentId === undefined &&
  plusOnes.every(({ fname }) => fname === "") &&
  code?.note === undefined &&
  Object.keys(basicInformation).every((field) => field in namesIn(basicInformation)) &&
  Object.keys(dynamicResponses).every((question) => question in choices);

type Code = NonNullable<RegistrationRecord["code"]>;

/** The note may name people. */
export const withoutNote = ({ id, kind }: Code): Code => ({ id, kind });

/** The registration without what the person entered, and what was noted of the code, but for the name and the choice of a workshop. */
export function withoutEntries<R extends Entered>(registration: R): R {
  const { studentId, ...kept } = registration;
  const basicInformation = namesIn(registration.basicInformation);
  const { code, plusOnes } = registration;
  return {
    ...kept,
    basicInformation,
    dynamicResponses: countedAnswers(registration),
    ...(code && { code: withoutNote(code) }),
    // Their seats stay, as the registration does.
    ...(plusOnes && { plusOnes: plusOnes.map((one): PlusOne => ({ ...one, fname: "" })) }),
  } as unknown as R;
}

/** Whether not even the name is left. */
export const isNameless = ({ fname, basicInformation }: Entered): boolean =>
  fname === "" && Object.keys(namesIn(basicInformation)).length === 0;
