/** What a person entered in a registration, and its removal. Pure. */
import type { RegistrationRecord } from "./registration.ts";

type Entered = Pick<RegistrationRecord, "fname" | "studentId" | "basicInformation" | "dynamicResponses" | "choices">;

/** The answers that count seats of workshops. They stay as long as the registration does. */
const countedAnswers = ({ dynamicResponses, choices }: Entered): RegistrationRecord["dynamicResponses"] =>
  Object.fromEntries(Object.entries(dynamicResponses).filter(([question]) => question in choices));

/** Whether nothing of what the person entered is left, but perhaps the first name. */
export const hasNoEntries = ({ studentId, basicInformation, dynamicResponses, choices }: Entered): boolean =>
  studentId === undefined &&
  Object.keys(basicInformation).length === 0 &&
  Object.keys(dynamicResponses).every((question) => question in choices);

/** The registration without what the person entered, but for the first name and the choice of a workshop. */
export function withoutEntries<R extends Entered>(registration: R): R {
  const { studentId, ...kept } = registration;
  return { ...kept, basicInformation: {}, dynamicResponses: countedAnswers(registration) } as unknown as R;
}
