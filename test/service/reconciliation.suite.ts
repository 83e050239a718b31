/** The reconciliation on the running stage, after a webhook that heard nothing for a day. */
import { beforeAll, expect, test } from "@jest/globals";
import { exec, newEmail, year } from "./given.ts";
import { type OutageStage, sharedRefunds } from "./outage.ts";

let stage: OutageStage["stage"];
beforeAll(async () => {
  ({ stage } = await sharedRefunds());
});

const payments = async (id: string) => {
  await stage.indexed();
  const { body } = await stage.api("GET", `/payments?eventID=${id}&year=${year}`, { as: exec });
  const backOf = ({ wentBack, frozen }: { wentBack: number; frozen: number }): number => wentBack + frozen;
  return body.sort((one: never, other: never) => backOf(one) - backOf(other));
};

test("what the webhook never heard is settled in the night, once, with its fees, its refund and its dispute", async () => {
  stage.payments.holdBack();
  const id = await stage.givenEvent({ capac: 20, pricing: { members: 5, nonMembers: 10 } });
  const people = Array.from({ length: 5 }, newEmail);
  const sessions: string[] = [];
  for (const email of people) {
    await stage.register(id, email);
    const { id: session } = await stage.eventCheckout(id, email);
    sessions.push(session);
    stage.payments.pay(session);
  }
  const [refunded = "", disputed = ""] = sessions;
  stage.payments.refundInDashboard(refunded, 400);
  stage.payments.dispute(disputed);
  expect(await payments(id)).toEqual([]);
  for (let nights = 0; nights < 2; nights += 1) {
    await stage.invoke("Reconciler", {});
    await stage.settled();
    expect(await payments(id)).toMatchObject([
      ...Array(3).fill({ state: "kept", fee: 59, payouts: [] }),
      { state: "part refunded", wentBack: 400, fee: 59 },
      { state: "frozen", frozen: 1_000, fee: 59 + 1_500 },
    ]);
  }
  for (const email of people) {
    expect((await stage.registrationOf(id, email)).registrationStatus).toBe("registered");
    expect(stage.subjectsTo(email).filter((subject) => /registered/i.test(subject))).toHaveLength(1);
  }
  // The late events change nothing, and the payout of its day is noted.
  await stage.payments.release();
  const { id: payout } = stage.payments.payOut();
  await stage.settled();
  await stage.invoke("Reconciler", {});
  await stage.settled();
  expect((await payments(id)).map((one: { payouts: string[] }) => one.payouts)).toEqual(Array(5).fill([payout]));
});

test("a payout that fails days after it arrived is told once, and its money stands at the provider again", async () => {
  await stage.givenPaid();
  const { id } = stage.payments.payOut();
  await stage.invoke("Reconciler", {});
  stage.payments.movePayout(id, "failed");
  await stage.settled();
  for (let nights = 0; nights < 2; nights += 1) {
    await stage.invoke("Reconciler", {});
    await stage.settled();
  }
  const told = (await stage.chatTexts()).filter((text) => text.includes(id));
  expect(told).toEqual([expect.stringMatching(/^A payout did not reach the club.s bank account/)]);
  const [from, to] = [-1, 1].map((days) => new Date(Date.now() + days * 86_400_000).toISOString());
  const { rows } = (await stage.api("GET", `/payments/journal?from=${from}&to=${to}`, { as: exec })).body;
  const ofPayout = rows.filter(({ source }: { source?: string }) => source === id);
  // Both are of one second here, within which the journal is in the order of the provider's ids.
  expect(ofPayout.map(({ kind, account }: Record<string, string>) => `${kind}, ${account}`).sort()).toEqual([
    ...["payout failed, bank", "payout failed, provider", "payout, bank", "payout, provider"],
  ]);
});
