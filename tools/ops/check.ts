/** `check`: all invariants over the whole table (docs/runbook.md). It reads only. */
import { keyText } from "./invariants/finding.ts";
import { type Kind, kinds, resolutionOf } from "./invariants/kinds.ts";
import { type Found, type Walked, walk } from "./invariants/walk.ts";
import type { Run } from "./run.ts";
import { costLine, type ExitCode, number, progressOf } from "./terminal.ts";

/** Maximum printed findings of one kind; the rest is counted. */
const maxPrinted = 20;

/** Prints the first findings of each kind. */
export function printer(print: (line: string) => void) {
  const printed = new Map<Kind, number>();
  return ({ kind, says, key }: Found): void => {
    const before = printed.get(kind) ?? 0;
    printed.set(kind, before + 1);
    if (before < maxPrinted) print(`${kind}: ${keyText(key)}${says && `  ${says}`}`);
    else if (before === maxPrinted) print(`${kind}: more of them; only their number follows.`);
  };
}

/** The numbers of a walk, and what resolves each kind of finding. */
export function summary({ names, findings, busy, items }: Walked): string[] {
  const found = (Object.keys(kinds) as Kind[]).filter((kind) => findings.has(kind));
  const looked = [...names].map(([name, count]) => `${number(count)} ${name}`).join(", ");
  return [
    `Looked at ${number(items)} items: ${looked || "none"}.`,
    ...(busy.length > 0
      ? [`Not looked at, because registrations came all the time: ${busy.join(", ")}. Check again later.`]
      : []),
    ...(found.length === 0 ? ["Nothing is wrong."] : []),
    ...found.flatMap((kind) => [
      `${number(findings.get(kind) ?? 0)} x ${kind}: ${kinds[kind].means}`,
      `  -> ${resolutionOf(kind)}`,
    ]),
  ];
}

export async function check({ target, options, terminal, meter, stop, total }: Run): Promise<ExitCode> {
  const begun = performance.now();
  const tell = printer(terminal.print);
  const walked = await walk(
    { ...options, hasChat: target.hasChat, stop },
    { progress: progressOf(terminal.note), found: tell },
    total,
  );
  for (const line of summary(walked)) terminal.print(line);
  terminal.note(costLine(begun, meter.units));
  if (walked.isInterrupted) return 130;
  return walked.findings.size === 0 && walked.busy.length === 0 ? 0 : 1;
}
