/** A registration form as it comes in. Pure. */
import type { NewRegistration } from "#domain/registrations/new-registration.ts";
import type { RegistrationForm } from "./schemas.ts";

/** What is `null` is not said; neither is a first name that is blank. */
const said = (fields: object): object =>
  Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => value !== null && (name !== "fname" || value.trim() !== "")),
  );

export const readForm = ({ basicInformation, ...form }: RegistrationForm): NewRegistration => ({
  ...(said(form) as NewRegistration),
  ...(basicInformation && { basicInformation: said(basicInformation) }),
});
