/**
 * The lists of events that a function keeps in memory between requests (`docs/design.md`, "The data model"). The index
 * may show an old list for a time that no party promises. So a list is kept only when it has the version that the table
 * itself has, and it is answered only while the table still has that version.
 */
import type { Page } from "#kit/pages.ts";
import { seam } from "#kit/seam.ts";
import type { EventRecord } from "./event.ts";
import { listEvents } from "./list.ts";
import { type ListVersions, listVersionsOf } from "./list-version.ts";
import { readListVersions } from "./store.ts";

interface KeptList {
  readonly version: string;
  readonly page: Page<EventRecord>;
}

/** For an admin and for the others. A page has a bound, so these have one too. */
const kept = new Map<boolean, KeptList>();

/** A caller who sees no hidden events has a list that their edits do not move. */
const nameOf = ({ visible, hidden }: ListVersions, seesHidden: boolean): string =>
  seesHidden ? `${visible} ${hidden}` : `${visible}`;

/** The list in memory, if it is the present one. Else the versions that were read, and nothing in memory any more. */
async function present(seesHidden: boolean): Promise<{ page: Page<EventRecord> } | { versions?: ListVersions }> {
  const list = kept.get(seesHidden);
  if (!list) return {};
  const versions = await readListVersions();
  if (list.version === nameOf(versions, seesHidden)) return { page: list.page };
  kept.delete(seesHidden);
  return { versions };
}

/**
 * The events in memory, if they have every edit that was committed before this was called. It costs a read unit.
 * @returns undefined, without a read, when no list is in memory
 */
export async function keptEvents(seesHidden: boolean): Promise<readonly EventRecord[] | undefined> {
  const known = await present(seesHidden);
  return "page" in known ? known.page.rows : undefined;
}

/**
 * The first page of the list: all events, unless they are more than one answer takes. It comes from memory while it has
 * not changed, else from the index.
 */
export async function firstEvents(seesHidden: boolean): Promise<Page<EventRecord>> {
  const known = await present(seesHidden);
  if ("page" in known) return known.page;
  // The order of the two reads does not matter: equal versions prove the list.
  const [versions, page] = await Promise.all([known.versions ?? readListVersions(), listEvents({}, seesHidden)]);
  const version = nameOf(versions, seesHidden);
  const isWhole = page.next === undefined;
  if (isWhole && seam.isProven(nameOf(listVersionsOf(page.rows), seesHidden), version)) {
    kept.set(seesHidden, { version, page });
  }
  return page;
}
