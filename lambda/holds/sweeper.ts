/**
 * Ends the holds that are over, every minute. It walks from where it got to last time up to now, so that a night's sleep
 * loses nothing; a hold that could not be ended is tried again the next time.
 */
import pMap from "p-map";
import { NotFound } from "#kit/errors.ts";
import { log } from "#kit/log.ts";
import { queryItems } from "#kit/pages.ts";
import { commit } from "#kit/table.ts";
import { leave } from "../registrations/leave.ts";
import { readRegistration } from "../registrations/store.ts";
import { advanceCheckpoint, dropHold, holdsOver, hoursBetween, readCheckpoint, type StoredHold } from "./store.ts";

const atOnce = 4;
/** Milliseconds: a run stops before the next one begins. */
const maxDuration = 45_000;
/** Milliseconds: a hold may have been written a little later than it says, by a clock that is a little behind. */
const overlap = 600_000;
/** Milliseconds: how far back the first run looks. */
const firstLook = 7 * 86_400_000;

/** Ends one hold: the seat goes to the next in line, or is free. */
export async function endHold({ email, event, expiresAt }: StoredHold, now: number): Promise<void> {
  const arrival = `hold#${expiresAt}`;
  const origin = { now, actor: "system", correlationId: `hold-${expiresAt}` };
  const { changed } = await leave(
    { email, event, to: "cancelled", by: "system", because: "hold over", arrival },
    origin,
  ).catch((error: unknown) => {
    if (error instanceof NotFound) return { changed: false };
    throw error;
  });
  if (changed) return;
  // Whoever changed the registration has dropped the hold with it; one that stayed all the same is nobody's.
  const registration = await readRegistration({ email, event }, "strong");
  if (registration?.holdExpiresAt !== expiresAt) await commit({ hold: dropHold({ email, event, expiresAt }) });
}

/** @returns how many holds were ended or dropped, and how many could not be */
export async function sweep(now: number, started = performance.now()): Promise<{ ended: number; failed: number }> {
  const from = ((await readCheckpoint()) ?? now - firstLook) - overlap;
  const result = { ended: 0, failed: 0 };
  for (const hour of hoursBetween(from, now)) {
    const holds: StoredHold[] = [];
    for await (const hold of queryItems<StoredHold>(holdsOver(hour, now))) holds.push(hold);
    await pMap(
      holds,
      async (hold) => {
        if (performance.now() - started > maxDuration) {
          result.failed += 1;
          return;
        }
        await endHold(hold, now).then(
          () => {
            result.ended += 1;
          },
          (error: unknown) => {
            result.failed += 1;
            log.error("hold not ended", { event: hold.event, error });
          },
        );
      },
      { concurrency: atOnce },
    );
  }
  if (result.failed === 0) await advanceCheckpoint(now);
  return result;
}

export async function handler(): Promise<void> {
  const result = await sweep(Date.now());
  if (result.ended + result.failed > 0) log.info("holds swept", result);
  if (result.failed > 0) throw new Error("some holds could not be ended; the next run tries again");
}
