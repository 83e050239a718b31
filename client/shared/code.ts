/** Parts of the application whose code is loaded when it is needed. */
import { signal } from "@preact/signals";

/** A part could not be loaded: there is no network, or a newer version has replaced it. Only loading the page again helps. */
export const isPartMissing = signal(false);

/** @throws TypeError the part could not be loaded, which the page then says */
export const part = <T>(load: () => Promise<T>): Promise<T> =>
  load().catch((cause: unknown) => {
    isPartMissing.value = true;
    throw new TypeError("a part is missing", { cause });
  });

/** What signs people in. */
export const auth = () => part(() => import("./auth.ts"));
