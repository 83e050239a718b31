/** The rule for each item, by its key (`docs/design.md`, "The data model"). Pure. */

import type { EventRecord } from "#domain/events/event.ts";
import { eventKeyOf } from "#domain/events/store.ts";
import { putTrade } from "#domain/game/store.ts";
import type { Trade } from "#domain/game/trade.ts";
import type { RegistrationRecord } from "#domain/registrations/record/registration.ts";
import type { KeyTexts } from "#kit/table/item.ts";
import type { Item, Key } from "#kit/table/table.ts";
import { partitionOf, partitionPrefixOf, type StoredKind, storedKindOf } from "#outbox/stored-kinds.ts";
import { isRegistration } from "./as-read.ts";
import type { Facts, Finding, Rule } from "./finding.ts";
import { batchRule, campaignRule, markerRule, rowRule } from "./messages.ts";
import { latestCheckoutRule, paymentRule } from "./money.ts";
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

/** The kinds of items with invariants. The others have none but their key. */
const rules: { readonly [K in StoredKind]?: Rule } = {
  event: eventRule,
  seats: seatsRule,
  "place in line": placeRule,
  registration: registrationRule,
  hold: holdRule,
  account: userRule,
  membership: memberRule,
  profile: profileRule,
  "profile id": profileIdRule,
  payment: paymentRule,
  "latest checkout of an event": latestCheckoutRule,
  "latest checkout of the membership": latestCheckoutRule,
  "marker of a notice": markerRule,
  campaign: campaignRule,
  "batch of a campaign": batchRule,
  template: templateRule,
  "line of a template": templateLineRule,
  feedback: submissionRule,
  "project, text": projectRule,
  "project, market": projectRule,
  "account in the game": gameAccountRule,
  "listed game account": gameListRule,
  trade: tradeRule,
};

/** The rule of an item and its kind; undefined when the service writes no such items. */
export function ruleOf(
  key: KeyTexts,
  hasChat: boolean,
): { readonly rule: Rule; readonly kind: StoredKind } | undefined {
  const kind = storedKindOf(key);
  return kind && { rule: kind === "outbox row" ? rowRule(hasChat) : (rules[kind] ?? alone), kind };
}

const keyFields: { readonly [K in StoredKind]?: (item: Item) => Key | undefined } = {
  registration: (item) => registrationKeyOf(item as unknown as RegistrationRecord),
  event: (item) => eventKeyOf(item as unknown as EventRecord),
};

/** Whether a record's fields contradict its key. */
function isMisplaced(item: Item, kind: StoredKind): boolean {
  const own = keyFields[kind]?.(item);
  if (own) return own.PK !== item.PK || own.SK !== item.SK;
  const isPersons = item.PK.startsWith(partitionPrefixOf("account"));
  return isPersons && item.email !== undefined && item.PK !== partitionOf("account", { email: String(item.email) });
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
  const names = isRegistration(item) ? ofRegistration : ["GSI1PK", "GSI1SK", "leaderboard"];
  return names.filter((name) => (must[name] || undefined) !== (item[name] || undefined));
}

/** All that is wrong with an item, by its rule and by what every item must be. */
export function judged(item: Item, hasChat: boolean, facts: Facts): readonly Finding[] {
  const known = ruleOf(item, hasChat);
  if (!known) return [{ kind: "unknown item", says: "" }];
  const { rule, kind } = known;
  if (isMisplaced(item, kind)) return [{ kind: "wrong key", says: "" }];
  const differs = listedOtherwise(item, rule);
  return [
    ...(differs.length > 0 ? [{ kind: "not listed" as const, says: differs.join(", ") }] : []),
    ...rule.judge(item, facts),
  ];
}
