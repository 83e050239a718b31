/** Who is signed in on this device. What signs people in is loaded when it is needed. */
import { signal } from "@preact/signals";
import { auth } from "./code.ts";
import { forget, keep, readKept } from "./store.ts";

export interface Account {
  readonly email: string;
}

const key = "account";

/** Who was signed in when the page was loaded or since. */
export const account = signal<Account | undefined>(readKept<Account>(key));

export function enter(entered: Account): void {
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
  if (!account.value) return undefined;
  const fresh = await (await auth()).idToken();
  // Without a network it is not known whether the session has ended.
  if (fresh === undefined && navigator.onLine) leave();
  return fresh;
}

/** The next person at this device does not find what this one has begun to write, either. */
export async function signOut(): Promise<void> {
  leave();
  for (const begun of ["draft/", "key/", "name", "paying"]) forget(begun);
  await auth().then(
    ({ signOutHere }) => signOutHere(),
    () => undefined,
  );
}
