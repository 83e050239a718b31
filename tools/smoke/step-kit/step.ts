/** Steps and their input. */
import type { ClubClient } from "../../../client/index.ts";
import { type Answer, type Api, apiAt, type Call } from "./api.ts";
import type { CleanUp } from "./clean-up.ts";
import type { Person, Place } from "./place.ts";
import { Failed } from "./waiting.ts";

/** The price of a membership without a discount. */
export interface MembershipPrice {
  /** In cents. */
  readonly amount: number;
  /** ISO 4217. */
  readonly currency: string;
}

/** One run. */
export interface Run {
  /** Part of the name of everything that the run creates: `smoke-…`. */
  readonly id: string;
  /** Start of the run, epoch milliseconds. */
  readonly begun: number;
  /** Only admins see the event, like in production. */
  readonly hidden: boolean;
  readonly adminEmailDomain: string;
  /** One of the origins that the stage allows. */
  readonly origin: string;
  readonly membership: MembershipPrice;
  readonly api: Api;
  readonly place: Place;
  readonly made: CleanUp;
  /** Aborts the run: Ctrl-C, or the timeout. */
  readonly stop: AbortSignal;
  readonly found: Found;
}

/** Results of steps for later steps and the report. */
export interface Found {
  admin?: Person;
  people: readonly Person[];
  /** Measurements that no emulator can provide, one line each. */
  readonly measured: string[];
}

/** The step's result, as a sentence; `skipped`: the reason why it was not run. */
export type Outcome = string | { readonly skipped: string };

export interface Step {
  readonly name: string;
  /** Prerequisite steps. */
  readonly needs?: readonly Step[];
  /** @throws Failed or any other error: the step failed */
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

/** The command to delete something with the API. */
const deleteCommand = ({ api, place }: Run, path: string): string =>
  `curl -X DELETE "${api.url}${path}" -H "authorization: Bearer ${place.adminToken}"`;

/**
 * Registers something that the admin can delete with the API.
 * @param what the thing, as the subject of a sentence
 */
export function expectMade(run: Run, what: string, path: string): void {
  const { token } = adminOf(run);
  run.made.expect({
    what,
    command: deleteCommand(run, path),
    async remove(stop) {
      // The run's own API client may be aborted already.
      const { status, body } = await apiAt(run.api.url, stop).call("DELETE", path, { token });
      if (status !== 200 && status !== 404) throw new Failed(`${status} ${body?.message ?? ""}`.trim());
    },
  });
}
