/** Mails that an event sends by itself (`docs/contract.md`, "Emails"). Pure. */
import type { Issue } from "#kit/errors.ts";
import { day, hour } from "#kit/text/time.ts";
import { clockAt, zoneOf } from "#kit/text/time-zone.ts";
import { daysLater, type EventDates, endOf, toUtc } from "./dates.ts";
import type { MailRule, MailRuleInput } from "./event-input.ts";

/** The sweeper reads events from two weeks back to two weeks ahead. */
export const mostDays = { beforeStart: 13, afterEnd: 7 } as const;
export const mostRules = 10;

/** Milliseconds after its moment in which a mail after the event still goes. One before it goes until the start. */
const lateness = 3 * day;

/** What of an event its rules depend on. */
type RuledEvent = EventDates & { readonly timeZone?: string | undefined; readonly calledOff?: string | undefined };

/** Without empty fields. */
export const normalizeMailRule = ({ templateName, to, when, days, hours, time }: MailRuleInput): MailRule => ({
  ...{ templateName, to, when },
  ...(days && { days }),
  ...(hours && { hours }),
  ...(time && { time }),
});

/** A template goes to the same people of an event once, so this names a rule. */
export const ruleName = ({ templateName, to }: Pick<MailRule, "templateName" | "to">): string =>
  `rule#${templateName}#${to}`;

export function mailRuleIssues(rules: readonly MailRuleInput[]): Issue[] {
  const names = rules.map(ruleName);
  return rules.flatMap(({ when, days, hours, time }, index) => {
    const most = mostDays[when];
    const wrong: [isWrong: boolean, field: string, message: string][] = [
      [names.indexOf(names[index] as string) < index, "templateName", "goes to these people already"],
      [(days ?? 0) > most, "days", `must be at most ${most}`],
      [Boolean(hours && time), "time", "must not be set with hours"],
    ];
    return wrong.flatMap(([isWrong, field, message]) =>
      isWrong ? [{ path: `/mails/${index}/${field}`, message }] : [],
    );
  });
}

/**
 * When a rule's mail is due, epoch milliseconds: so many days before the start or after the end on the calendar of the
 * event's zone, at the given time or the event's own, and then so many hours. Undefined without a date.
 * @param stageZone IANA name
 */
export function momentOfRule(
  { when, days = 0, hours = 0, time }: MailRule,
  event: RuledEvent,
  stageZone: string,
): number | undefined {
  const timeZone = zoneOf(event, stageZone);
  const sign = when === "beforeStart" ? -1 : 1;
  const from = when === "beforeStart" ? Date.parse(event.startDate ?? "") : endOf(event);
  if (from === undefined || Number.isNaN(from)) return undefined;
  if (days === 0 && time === undefined) return from + sign * hours * hour;
  const [date = "", clock = ""] = clockAt(from, timeZone).split(" ");
  return Date.parse(toUtc(`${daysLater(date, sign * days)}T${time ?? clock}`, timeZone)) + sign * hours * hour;
}

/** Whether the mail is due, also if it was sent already. @param now epoch milliseconds */
export function isRuleDue(rule: MailRule, event: RuledEvent, now: number, stageZone: string): boolean {
  const moment = momentOfRule(rule, event, stageZone);
  if (event.calledOff !== undefined || moment === undefined || now < moment) return false;
  if (rule.when === "beforeStart") return now < Date.parse(event.startDate ?? "");
  const end = endOf(event) ?? moment;
  return now >= end && now < Math.max(moment, end) + lateness;
}

/** The rules whose mail would never be due: it would come too late, or too early. */
export const ruleTimeIssues = (
  event: RuledEvent & { readonly mails?: readonly MailRule[] },
  timeZone: string,
): Issue[] =>
  (event.mails ?? []).flatMap((rule, index) => {
    const moment = momentOfRule(rule, event, timeZone) ?? Number.NaN;
    if (rule.when === "beforeStart" && moment >= Date.parse(event.startDate ?? "")) {
      return [{ path: `/mails/${index}/time`, message: "must be before the event starts" }];
    }
    return rule.when === "afterEnd" && moment < (endOf(event) ?? moment)
      ? [{ path: `/mails/${index}/time`, message: "must be after the event ends" }]
      : [];
  });
