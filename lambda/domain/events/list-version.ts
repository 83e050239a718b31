/** The version of a list of events: what tells, without reading it, that a list is the present one. Pure. */
import { createHash } from "node:crypto";
import { type EventRecord, isHidden } from "./event.ts";

/** The fields that tell an event at one of its edits from all other events and edits. */
type Edit = Pick<EventRecord, "id" | "year" | "generation" | "version">;

/** Below 2^32, so that the sum over two million events is exact in JavaScript and in the table. */
const fingerprint = ({ id, year, generation, version }: Edit): number =>
  createHash("sha256").update(`${id}#${year}#${generation}#${version}`).digest().readUInt32BE();

/**
 * The version of a list: the sum of its events' fingerprints, 0 without events. Each creation, edit and deletion of an
 * event moves it, and the events alone make it. So a list has all edits up to a version exactly when it has that
 * version, whatever the index has shown before. (One outdated list in 4,294,967,296 has it by chance.)
 */
const listVersionOf = (events: readonly Edit[]): number => events.reduce((sum, event) => sum + fingerprint(event), 0);

/** The versions of the list of visible events and the list of hidden ones. */
export interface ListVersions {
  readonly visible: number;
  readonly hidden: number;
}

export const listVersionsOf = (events: readonly EventRecord[]): ListVersions => ({
  visible: listVersionOf(events.filter((event) => !isHidden(event))),
  hidden: listVersionOf(events.filter(isHidden)),
});

/**
 * By how much a write of an event moves the two versions. Others may move them at the same time, in any order.
 * @param before the event before the write, undefined when it is created
 * @param after undefined when it is deleted
 */
export function listVersionMove(before: EventRecord | undefined, after: EventRecord | undefined): ListVersions {
  const [old, present] = [listVersionsOf(before ? [before] : []), listVersionsOf(after ? [after] : [])];
  return { visible: present.visible - old.visible, hidden: present.hidden - old.hidden };
}
