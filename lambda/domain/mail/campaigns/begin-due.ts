/**
 * Begins the campaigns whose time has come: those that an admin has scheduled, and those of the rules of events. Each begins
 * once: a scheduled one by the condition on its record, a rule's by a marker of the event's generation. The event is
 * demanded as it was read, so a rule of one that has moved or is hidden meanwhile waits for its new time.
 */
import pMap from "p-map";
import type { EventRecord } from "#domain/events/event.ts";
import type { MailRule } from "#domain/events/event-input.ts";
import { isRuleDue, ruleName } from "#domain/events/mail-rules.ts";
import { announcedKey, eventAsRead, markAnnounced } from "#domain/events/store.ts";
import { systemContext } from "#kit/request/context.ts";
import { writeOnce } from "#kit/table/execute.ts";
import { getItems, queryOnce } from "#kit/table/table.ts";
import { readTemplate } from "../templates/store.ts";
import { type CampaignRecord, eventText } from "./campaign.ts";
import { beginCampaign, type DueCampaign, dueCampaigns, startOfRule } from "./store.ts";

const atOnce = 4;

/** Begins what admins have scheduled. @param now epoch milliseconds @returns how many have begun */
export async function beginScheduled(now: number): Promise<number> {
  const { items } = await queryOnce<DueCampaign>(dueCampaigns(now));
  const begun = await pMap(items, (line) => beginCampaign(line, systemContext("due-campaign", now)), {
    ...{ concurrency: atOnce, stopOnError: false },
  });
  return begun.filter(Boolean).length;
}

interface Due {
  readonly event: EventRecord;
  readonly rule: MailRule;
}

/** The rules of visible events that are due, also those whose mail was sent. Pure. @param now epoch milliseconds */
export const dueRules = (events: readonly EventRecord[], now: number, timeZone: string): Due[] =>
  events.flatMap((event) =>
    (event.mails ?? []).filter((rule) => isRuleDue(rule, event, now, timeZone)).map((rule) => ({ event, rule })),
  );

/** A rule whose template is gone leaves a campaign that says so. */
async function beginRule({ event, rule }: Due, now: number): Promise<boolean> {
  const context = systemContext(ruleName(rule), now);
  const template = await readTemplate(rule.templateName);
  const { id, year, generation } = event;
  const campaign: CampaignRecord = {
    campaignId: context.newId(),
    templateName: rule.templateName,
    ...{ recipients: 0, batches: 0, audience: eventText(event), createdBy: context.actor, createdAt: now },
    ...{ sendAt: now, begunAt: now },
    open: { kind: "event", event: { id, year, generation }, ...(rule.to === "came" && { status: ["checkedIn"] }) },
    ...(!template && { stoppedAt: now, stoppedBecause: "no template" }),
  };
  const content = template && { subject: template.subject, html: template.html, text: template.text };
  const members = {
    mark: markAnnounced(event, ruleName(rule), now),
    event: eventAsRead(event),
    ...startOfRule(campaign, content, context),
  };
  return (await writeOnce(members, context)) === undefined;
}

/** @param due rules that may have been sent @returns how many have begun */
export async function beginRules(due: readonly Due[], now: number): Promise<number> {
  const keys = due.map(({ event, rule }) => announcedKey(event, ruleName(rule)));
  const sent = new Set((await getItems(keys, "eventual")).map(({ PK, SK }) => `${PK} ${SK}`));
  const open = due.filter((_, place) => !sent.has(`${keys[place]?.PK} ${keys[place]?.SK}`));
  const begun = await pMap(open, (one) => beginRule(one, now), { concurrency: atOnce, stopOnError: false });
  return begun.filter(Boolean).length;
}
