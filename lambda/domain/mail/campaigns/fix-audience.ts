/**
 * Fixes the audience of a campaign that begins at its time. The people of this moment are stored as batches behind those
 * that are stored, each transaction conditional on being the next; the last one fixes their number. So runs that die, or
 * come twice, agree on the batches, and no person is in two of them.
 */
import { readEvent } from "#domain/events/store.ts";
import { allErasures, type Erasure } from "#domain/people/users/erasures.ts";
import { allOf, itemsBeginning, queryItems } from "#kit/lists/pages.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { answer, type Decision, execute, write } from "#kit/table/execute.ts";
import { retried } from "#kit/table/retry.ts";
import { peopleOf } from "./audience.ts";
import { batchesOf, type CampaignRecord, type OpenAudience, type Recipient } from "./campaign.ts";
import { aboutEvent, type Club } from "./event-values.ts";
import { batchesAtOnce, batchKey, fixedAs, leaveOut, nextBatches, readCampaign, stoppedAs } from "./store.ts";

/** The people of a list whose account was deleted since the list was made. */
async function deletedSince({ createdAt }: CampaignRecord): Promise<ReadonlySet<string>> {
  const erasures = await allOf(queryItems<Erasure>(allErasures()));
  return new Set(erasures.filter(({ deletedAt }) => deletedAt >= createdAt).map(({ email }) => email));
}

async function storedBatches(id: string): Promise<readonly (readonly Recipient[])[]> {
  const { PK, SK } = batchKey(id, 0);
  const prefix = SK.slice(0, SK.indexOf("#") + 1);
  const items = await allOf(queryItems<{ readonly recipients: readonly Recipient[] }>(itemsBeginning(PK, prefix)));
  return items.map(({ recipients }) => recipients);
}

/** What of an audience is not stored yet, in batches. Pure. */
export function unstored(
  people: readonly Recipient[],
  stored: readonly (readonly Recipient[])[],
): readonly (readonly Recipient[])[] {
  const known = new Set(stored.flat().map(({ email }) => email));
  return batchesOf(people.filter(({ email }) => !known.has(email)));
}

/** The people of an audience now, and its event. */
async function peopleNow(open: OpenAudience, now: number) {
  if (open.kind === "emails") return { people: [] };
  if (open.kind === "members") return { people: await peopleOf(open, undefined, now) };
  const event = await readEvent(open.event);
  if (event?.generation !== open.event.generation) return undefined;
  return { people: await peopleOf(open, event, now), event };
}

/**
 * @returns the campaign with its people; undefined when it is stopped, also because its event is deleted
 * @throws Contended UnknownOutcome
 */
export async function fixAudience(
  campaign: CampaignRecord & { readonly open: OpenAudience },
  club: Club,
  context: RequestContext,
): Promise<CampaignRecord | undefined> {
  const { campaignId, open } = campaign;
  const present = await retried(() => peopleNow(open, context.now), context);
  if (open.kind === "emails") {
    const without = await retried(() => deletedSince(campaign), context);
    const listed = (await retried(() => storedBatches(campaignId), context)).flat();
    for (const { email } of listed) if (without.has(email)) await leaveOut(campaignId, email, context);
  }
  const about = present?.event && aboutEvent(present.event, club);
  for (;;) {
    const fixed = await execute(
      {
        async read() {
          const [current, stored] = await Promise.all([readCampaign(campaignId), storedBatches(campaignId)]);
          return { current, stored };
        },
        decide({ current, stored }): Decision<CampaignRecord | "more" | undefined> {
          if (!current || current.stoppedAt !== undefined) return answer(undefined);
          if (current.open === undefined) return answer(current);
          if (!present) return write({ campaign: stoppedAs(current, "no event", context.now) }, undefined);
          const more = unstored(present.people, stored).slice(0, batchesAtOnce);
          if (more.length > 0) return write(nextBatches(current, stored.length, more), "more");
          const recipients = stored.flat().length;
          const { open: _, ...rest } = current;
          const next = { ...rest, recipients, batches: stored.length };
          return write(fixedAs(next, about), next);
        },
      },
      context,
    );
    if (fixed !== "more") return fixed;
  }
}
