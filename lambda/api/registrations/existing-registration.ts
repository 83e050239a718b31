/** The refusal of a second registration, with the first one. */
import { AlreadyRegistered } from "#domain/registrations/already-registered.ts";
import { withTicketCode } from "#domain/registrations/tickets/codes.ts";
import { Duplicate } from "#kit/errors.ts";
import { registrationAnswer } from "./registration-answer.ts";

/**
 * Adds the existing registration with its ticket to the refusal that it causes. The caller must be the person or an
 * admin: other people are refused before any registration is read.
 * @throws Duplicate
 */
export async function showingExisting<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof AlreadyRegistered)) throw error;
    const { registration } = error;
    throw new Duplicate(error.message, {
      registration: registrationAnswer(registration, await withTicketCode(registration)),
    });
  }
}
