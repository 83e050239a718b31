/** Who is signed in on this device. What signs people in is loaded when it is needed. */
import { signal } from "@preact/signals";
import { auth } from "./code.ts";
import { isDesk } from "./settings.ts";
import { forget, keep, readKept } from "./store.ts";

export interface Account {
  readonly email: string;
}

const key = "account";

/** Who was signed in when the page was loaded or since. */
export const account = signal<Account | undefined>(readKept<Account>(key));

/** Whose session has ended without a sign-out: what this one has begun to write is still there. */
const former = "former";

/** What a person has begun to write; at the desk also what is noted and searched for. */
function forgetBegun(): void {
  for (const begun of isDesk ? [""] : ["draft/", "key/", "name", "paying", former]) forget(begun);
}

export function enter(entered: Account): void {
  if ((readKept<string>(former) ?? entered.email) !== entered.email) forgetBegun();
  keep(former, undefined);
  keep(key, entered);
  account.value = entered;
}

/** What was seen by the account does not stay on the device. */
function leave(): void {
  keep(key, undefined);
  forget("own/");
  account.value = undefined;
}

/** The ID token; undefined when signed out, or the session has ended. */
export async function token(): Promise<string | undefined> {
  const who = account.value;
  if (!who) return undefined;
  const fresh = await (await auth()).idToken();
  // Without a network it is not known whether the session has ended.
  if (fresh === undefined && navigator.onLine && account.value === who) {
    keep(former, who.email);
    leave();
  }
  return fresh;
}

/** The next person at this device does not find what this one has begun to write, either. */
export async function signOut(): Promise<void> {
  leave();
  forgetBegun();
  await auth().then(
    ({ signOutHere }) => signOutHere(),
    () => undefined,
  );
}
