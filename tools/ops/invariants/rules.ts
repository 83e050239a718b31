/** The rule for each item, by its key (`docs/design.md`, "The data model"). Pure. */

import type { EventRecord } from "#domain/events/event.ts";
import { eventKeyOf } from "#domain/events/store.ts";
import { putTrade } from "#domain/game/store.ts";
import type { Trade } from "#domain/game/trade.ts";
import type { RegistrationRecord } from "#domain/registrations/record/registration.ts";
import type { Item, Key } from "#kit/table.ts";
import type { Facts, Finding, Rule } from "./finding.ts";
import { batchRule, campaignRule, markerRule, rowRule } from "./messages.ts";
import { latestCheckoutRule } from "./money.ts";
import {
  eventRule,
  gameAccountRule,
  gameListRule,
  projectRule,
  seatsRule,
  submissionRule,
  templateLineRule,
  templateRule,
} from "./others.ts";
import { memberRule, profileIdRule, profileRule, userRule } from "./people.ts";
import { holdRule, placeRule, registrationKeyOf, registrationRule } from "./registrations.ts";

/** An item without invariants other than its key. */
const alone: Rule = { related: () => [], judge: () => [] };

const tradeRule: Rule = { ...alone, listed: (item) => putTrade(item as unknown as Trade, item.SK).Put?.Item };

/** Items by the prefixes of both keys. */
const known: readonly (readonly [partition: string, sort: string | RegExp, rule: Rule, name: string])[] = [
  ["EVENT#", "META", eventRule, "events"],
  ["EVENT#", "GONE#", alone, "deleted events"],
  ["SEAT#", "POOL", seatsRule, "seats"],
  ["WAIT#", /./, placeRule, "places in line"],
  ["USER#", "REG#", registrationRule, "registrations"],
  ["USER#", "POINTS", alone, "points"],
  ["USER#", "USER", userRule, "users"],
  ["USER#", "MEMBER", memberRule, "members"],
  ["USER#", "PROFILE", profileRule, "profiles"],
  ["USER#", "REFUND#", alone, "refunds"],
  ["USER#", "CHECKOUT#", latestCheckoutRule, "latest checkouts"],
  ["USER#", "BTX#", gameAccountRule, "game accounts"],
  ["PID#", "PID", profileIdRule, "profile ids"],
  ["PAY#", "CHECKOUT", alone, "checkouts"],
  ["PAY#", "SESSION", alone, "sessions"],
  ["PAY#", "SETTLED", alone, "settlements"],
  ["PAY#", "PAYMENT", alone, "payments"],
  ["SENT#", /./, markerRule, "markers"],
  ["CMP#", "BATCH#", batchRule, "batches"],
  ["CMP#", "CONTENT", alone, "contents"],
  ["CMPR#", /./, alone, "deliveries"],
  ["CMPREQ#", "CMPREQ", alone, "campaign requests"],
  ["REQ#", "REQ", alone, "requests"],
  ["TOKEN#", "CLOSED", alone, "closed tokens"],
  ["TPL#", "TPL", templateRule, "templates"],
  ["IMPORT#", "IMPORT", alone, "notes of imports"],
  ["DOOR#", "LINK", alone, "door links"],
  ["DOOR#", "DEVICE#", alone, "door devices"],
  ["SCAN#", /./, alone, "scans"],
  ["FB#", /./, submissionRule, "feedback"],
  ["BTXP#", "META", projectRule, "projects"],
  ["BTXP#", "MARKET", projectRule, "markets"],
  ["BTXA#", /./, gameListRule, "lists of game accounts"],
  ["BTXT#", /./, tradeRule, "trades"],
  ["BTXM#", /./, alone, "price changes"],
];

/** Partitions with a fixed key. */
const whole: Readonly<Record<string, readonly [rule: Rule, name: string]>> = {
  CMP: [campaignRule, "campaigns"],
  SUPPRESSED: [alone, "suppressions"],
  UNSUPPRESSED: [alone, "lifted suppressions"],
  TPL: [templateLineRule, "lines of templates"],
  PRIZE: [alone, "prizes"],
  HOLD: [holdRule, "holds"],
  RECONCILIATION: [alone, "marks of the reconciliation"],
};

const begins = (text: string, with_: string | RegExp): boolean =>
  typeof with_ === "string" ? text.startsWith(with_) : with_.test(text);

/** The rule of an item and the name of its kind; undefined when the service writes no such items. */
export function ruleOf({ PK, SK }: Key, hasChat: boolean): { readonly rule: Rule; readonly name: string } | undefined {
  if (PK.startsWith("OUT#")) return { rule: rowRule(hasChat), name: "messages" };
  const [rule, name] = whole[PK] ?? [];
  if (rule && name) return { rule, name };
  const found = known.find(([partition, sort]) => begins(PK, partition) && begins(SK, sort));
  return found && { rule: found[2], name: found[3] };
}

const keyFields: Readonly<Record<string, (item: Item) => Key | undefined>> = {
  registrations: (item) => registrationKeyOf(item as unknown as RegistrationRecord),
  events: (item) => eventKeyOf(item as unknown as EventRecord),
};

/** Whether a record's fields contradict its key. */
function isMisplaced(item: Item, name: string): boolean {
  const own = keyFields[name]?.(item);
  if (own) return own.PK !== item.PK || own.SK !== item.SK;
  return item.PK.startsWith("USER#") && item.email !== undefined && item.PK !== `USER#${item.email}`;
}

/**
 * The attributes of indexes that are not as the rule wants them. Of a registration these are the ones of the leaderboard:
 * the lists find it by its own keys. A person without a last name may have none or an empty one.
 */
function listedOtherwise(item: Item, rule: Rule): readonly string[] {
  if (!rule.listed) return [];
  const { GSI1PK: _GSI1PK, GSI1SK: _GSI1SK, leaderboard: _leaderboard, ...own } = item;
  const must = rule.listed(own as Item) ?? {};
  const ofRegistration = must.leaderboard === undefined ? ["leaderboard"] : ["leaderboard", "lname"];
  const names = item.SK.startsWith("REG#") ? ofRegistration : ["GSI1PK", "GSI1SK", "leaderboard"];
  return names.filter((name) => (must[name] || undefined) !== (item[name] || undefined));
}

/** All that is wrong with an item, by its rule and by what every item must be. */
export function judged(item: Item, hasChat: boolean, facts: Facts): readonly Finding[] {
  const known = ruleOf(item, hasChat);
  if (!known) return [{ kind: "unknown item", says: "" }];
  const { rule, name } = known;
  if (isMisplaced(item, name)) return [{ kind: "wrong key", says: "" }];
  const differs = listedOtherwise(item, rule);
  return [
    ...(differs.length > 0 ? [{ kind: "not listed" as const, says: differs.join(", ") }] : []),
    ...rule.judge(item, facts),
  ];
}
