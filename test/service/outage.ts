/** A stage whose mail account and clock a test changes. */
import { afterAll, expect } from "@jest/globals";
import type { MailAccount } from "../../tools/laptop/mailbox/account.ts";
import type { SynthesisSettings } from "../../tools/laptop/template/synthesis.ts";
import { fakeClock } from "../unit/local-time.ts";
import { exec, newEmail, newEventId, times } from "./given.ts";
import { givenStage } from "./stage.ts";

const minute = 60_000;
export const hour = 60 * minute;

type Changing<T> = { -readonly [Key in keyof T]?: T[Key] };

export type OutageStage = Awaited<ReturnType<typeof givenOutages>>;

/** The caller closes the stage. */
export async function givenOutages(settings: SynthesisSettings = {}) {
  const account: Changing<MailAccount> = {};
  const clock = fakeClock();
  const stage = await givenStage({ quiet: true, clock, mailAccount: account, ...settings });

  /** Moves the clock in steps. A message that comes back after a step is handled before the next step. */
  async function pass(milliseconds: number, step: number): Promise<void> {
    await stage.settled();
    for (let passed = 0; passed < milliseconds; passed += step) {
      clock.advance(step);
      await stage.settled();
    }
  }

  async function givenCampaign(emails: readonly string[]): Promise<string> {
    const templateName = `News_${newEventId()}`.replace(/[^\w-]/g, "");
    const template = { templateName, subject: "News", html: "<p>Hi</p>", text: "Hi" };
    expect((await stage.api("POST", "/emails/templates", { as: exec, body: template })).status).toBe(201);
    const body = { templateName, audience: { emails } };
    return (await stage.api("POST", "/emails/send", { as: exec, body })).body.campaignId;
  }

  return {
    stage,
    account,
    pass,
    /** The time of all tries of a message before the later ones. */
    passFirstTries: () => pass(100 * minute, 20 * minute),
    passHours: (hours: number) => pass(hours * hour, hour),
    givenCampaign,
    progressOf: async (id: string) => (await stage.api("GET", `/emails/campaigns/${id}`, { as: exec })).body,
    /** The number of mails that each of these people got. */
    mailsOf: (emails: readonly string[]): number[] => emails.map((email) => stage.mailsTo(email).length),
    /** Names of the dead-letter queues with messages. */
    failures: () => [...new Set(stage.deadLetters().map(({ queue }) => queue))].sort(),
    /** SES works as always, and no message waits. */
    reset(): void {
      expect(stage.deadLetters()).toEqual([]);
      for (const name of Object.keys(account)) delete account[name as keyof MailAccount];
    },
  };
}

let sharedOutage: Promise<OutageStage> | undefined;

/** The stage that the suites of a test file share, which sends refunds by itself. It is closed after the last test. */
export function sharedRefunds(): Promise<OutageStage> {
  sharedOutage ??= givenOutages({ refunds: "automatic" });
  return sharedOutage;
}

afterAll(async () => {
  const [outage] = await Promise.allSettled([sharedOutage]);
  if (outage.status === "fulfilled") await outage.value?.stage.close();
});

export const allOnce = (emails: readonly string[]): number[] => emails.map(() => 1);
export const none = (emails: readonly string[]): number[] => emails.map(() => 0);

/** People whom no other test knows. */
export const newPeople = (count: number): string[] => times(count, () => newEmail());
