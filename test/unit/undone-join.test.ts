/**
 * A person registers again after a cancellation, and the event closes, changes or goes while the request joins the line.
 * The join is undone, and the cancelled registration is there as before.
 */
import { expect, test } from "@jest/globals";
import { type Gala, givenGala } from "./gala.ts";

/** A full event, and a person who has cancelled and registers again. */
async function givenReturner(): Promise<Gala> {
  const gala = givenGala({ capac: 1 });
  await gala.register("ada");
  await gala.become("ada", "cancelled");
  await gala.register("first");
  return gala;
}

const fieldsOf = (gala: Gala) => {
  const { version: _, noticeVersion: __, updatedAt: ___, ...fields } = gala.registrationOf("ada");
  return fields;
};
const lastMessage = (gala: Gala) => gala.messageOf("ada").at(-1);
const placeAt = ({ table }: Gala, queueKey: string) => table.peek({ PK: "WAIT#gala#2030", SK: queueKey });

test.each<[string, "self" | "admin" | undefined]>([
  ["a POST", undefined],
  ["a PUT", "self"],
])("the event closes: %s hears that, and the cancelled registration is as it was", async (_, by) => {
  const gala = await givenReturner();
  const before = fieldsOf(gala);
  let queueKey = "";
  gala.onceInLine(() => {
    ({ queueKey } = gala.registrationOf("ada"));
    expect(placeAt(gala, queueKey)).toBeDefined();
    gala.change({ isCompleted: true });
  });
  const again = by ? gala.become("ada", "registered", by) : gala.register("ada");
  await expect(again).rejects.toMatchObject({ code: "EVENT_CLOSED" });
  expect(fieldsOf(gala)).toEqual(before);
  expect(gala.registrationOf("ada")).toMatchObject({ status: "cancelled", version: 4, noticeVersion: 4 });
  expect(lastMessage(gala)).toMatchObject({
    detailType: "registration.cancelled",
    detail: { data: { notice: "cancelled" } },
  });
  expect(placeAt(gala, queueKey)).toBeUndefined();
});

test("the terms change: no notice says so, and the person waits under the new ones", async () => {
  const gala = await givenReturner();
  gala.onceInLine(() => gala.change({ pricing: { member: 5, nonMember: 20 } }));
  expect((await gala.register("ada")).registration.status).toBe("waitlist");
  const [, , , undone] = gala.messageOf("ada");
  expect(undone).toMatchObject({ detailType: "registration.cancelled" });
  expect(undone?.detail.data).not.toHaveProperty("notice");
  expect(gala.registrationOf("ada")).toMatchObject({ entryPrice: 2_000 });
});

test("the terms change and the next try is refused: what was due before the join is still due", async () => {
  const gala = await givenReturner();
  const { noticeVersion } = gala.registrationOf("ada");
  gala.onceInLine(() => gala.change({ nonBizTechAllowed: false }));
  await expect(gala.register("ada")).rejects.toMatchObject({ code: "MEMBERS_ONLY" });
  expect(gala.registrationOf("ada")).toMatchObject({ status: "cancelled", version: 4, noticeVersion });
});
