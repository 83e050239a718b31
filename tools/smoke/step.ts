/** What a step is, and what it gets. */
import type { ClubClient } from "../../client/index.ts";
import { type Answer, type Api, apiAt, type Call } from "./api.ts";
import type { CleanUp } from "./clean-up.ts";
import type { Person, Place } from "./place.ts";
import { Failed } from "./waiting.ts";

/** One run. */
export interface Run {
  /** Is in the name of everything that the run makes: `smoke-…`. */
  readonly id: string;
  /** Only admins see the event, as in production. */
  readonly hidden: boolean;
  readonly adminEmailDomain: string;
  readonly api: Api;
  readonly place: Place;
  readonly made: CleanUp;
  /** Ends the run: Ctrl-C, or the time is over. */
  readonly stop: AbortSignal;
  readonly found: Found;
}

/** What steps tell later steps and the person who reads. */
export interface Found {
  admin?: Person;
  people: readonly Person[];
  /** What no emulator can tell, one line each. */
  readonly measured: string[];
}

/** What the step found, as a sentence; `skipped` is the reason why it could not look. */
export type Outcome = string | { readonly skipped: string };

export interface Step {
  readonly name: string;
  /** Steps without which this one tells nothing. */
  readonly needs?: readonly Step[];
  /** @throws Failed and every other error: the step failed */
  readonly take: (run: Run) => Promise<Outcome>;
}

/** @throws Failed before the sign-in */
export function adminOf({ found }: Run): Person {
  if (found.admin) return found.admin;
  throw new Failed("no admin is signed in.");
}

/** The client of the admin. */
export const asAdmin = (run: Run): ClubClient => run.api.as(adminOf(run).token);

/** A raw request of the admin. */
export const byAdmin = (run: Run, method: string, path: string, call: Call = {}): Promise<Answer> =>
  run.api.call(method, path, { token: adminOf(run).token, ...call });

/** The command with which a person deletes something by the API. */
const deleteCommand = ({ api, place }: Run, path: string): string =>
  `curl -X DELETE "${api.url}${path}" -H "authorization: Bearer ${place.adminToken}"`;

/**
 * Something that the admin deletes by the API.
 * @param what the thing, as the subject of a sentence
 */
export function expectMade(run: Run, what: string, path: string): void {
  const { token } = adminOf(run);
  run.made.expect({
    what,
    command: deleteCommand(run, path),
    async remove(stop) {
      // The API of the run may be stopped already.
      const { status, body } = await apiAt(run.api.url, stop).call("DELETE", path, { token });
      if (status !== 200 && status !== 404) throw new Failed(`${status} ${body?.message ?? ""}`.trim());
    },
  });
}
