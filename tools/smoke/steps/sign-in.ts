/** Temporary accounts, and the sign-in of the web application. */
import type { Person } from "../step-kit/place.ts";
import type { Step } from "../step-kit/step.ts";

const numberOfPeople = 2;

/** An address of the SES mailbox simulator, which accepts all mails. */
export const simulatorAddress = (runId: string, who: string): string =>
  `success+${runId}-${who}@simulator.amazonses.com`;

export const signIn: Step = {
  name: "sign-in",
  async take({ id, adminEmailDomain, place, made, stop, found }) {
    // The admin does not register, so no mail is sent to this address.
    found.admin = await place.people.signedIn(`${id}@${adminEmailDomain}`, made, stop);
    const people: Person[] = [];
    for (let n = 1; n <= numberOfPeople; n += 1) {
      people.push(await place.people.signedIn(simulatorAddress(id, `${n}`), made, stop));
    }
    found.people = people;
    return `an admin and ${numberOfPeople} people signed in by SRP.`;
  },
};
