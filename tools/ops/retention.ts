/** `retention --days <number>`: what the sweeper would remove with `answersKeptDays` (docs/contract.md, "A person's data"). */
import { allEvents, endedBefore } from "#domain/events/list.ts";
import { signedSubmissionsOf } from "#domain/feedback/forget.ts";
import { withEntriesOf } from "#domain/registrations/reactions/remove-entries.ts";
import { UsageError } from "../kit/outputs.ts";
import type { Run } from "./run.ts";
import { costLine, type ExitCode } from "./terminal.ts";

/** A report, an offline door and a refund need what people entered for some time. */
const fewestDays = 30;

export async function retention({ flags, terminal, target, meter, stop }: Run): Promise<ExitCode> {
  const days = Number(flags.days ?? target.stage.answersKeptDays);
  if (!Number.isInteger(days) || days < fewestDays) {
    throw new UsageError(`--days is a whole number of days, ${fewestDays} or more.`);
  }
  const begun = performance.now();
  let total = 0;
  for (const event of endedBefore(await allEvents(), days, Date.now())) {
    const [entered, signed] = await Promise.all([withEntriesOf(event), signedSubmissionsOf(event)]);
    const count = entered.length + signed.length;
    if (count > 0) terminal.print(`${event.id} ${event.year}: ${count}`);
    total += count;
    if (stop?.aborted) return 130;
  }
  terminal.print(
    `Registrations with entries and signed feedback, of events that ended ${days} days ago or earlier: ${total}`,
  );
  terminal.note(costLine(begun, meter.units));
  return 0;
}
