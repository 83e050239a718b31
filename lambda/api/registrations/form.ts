/** Cleans a registration form as a client sends it. Pure. */
import type { NewRegistration } from "#domain/registrations/new-registration.ts";
import type { RegistrationForm } from "./schemas.ts";

/** Drops the fields that say nothing: `null`, and a blank first name. */
const said = (fields: object): object =>
  Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => value !== null && (name !== "fname" || value.trim() !== "")),
  );

export const readForm = ({ basicInformation, ...form }: RegistrationForm): NewRegistration => ({
  ...(said(form) as NewRegistration),
  ...(basicInformation && { basicInformation: said(basicInformation) }),
});
