/** Deleting an account and what follows from it, and what may happen to an account at the same moment. */
import { TransactWriteCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import type { Message } from "#outbox/messages.ts";
import { exec, givenStage, type ServiceStage } from "./stage.ts";

let stage: ServiceStage;
/** The product in this process, on the stage's table: its calls can be held up and changed. */
let product: Awaited<ReturnType<typeof openProduct>>;

interface Command {
  readonly name: string;
  // biome-ignore lint/suspicious/noExplicitAny: commands of any kind
  readonly input: any;
}
let beforeCall: (command: Command) => Promise<void> | void = () => undefined;

async function openProduct() {
  Object.assign(process.env, {
    TABLE_NAME: stage.outputs.tableName,
    ADMIN_EMAIL_DOMAIN: stage.outputs.adminEmailDomain,
    TIME_ZONE: "America/Vancouver",
    AWS_REGION: stage.outputs.region,
    AWS_ACCESS_KEY_ID: "LOCALTest",
    AWS_SECRET_ACCESS_KEY: "local",
    AWS_ENDPOINT_URL_DYNAMODB: stage.outputs.dynamodbUrl,
    NEW_REGISTRATION_HOLD_MS: "1800000",
    PROMOTION_HOLD_MS: "86400000",
    ACCEPTANCE_HOLD_MS: "259200000",
    POWERTOOLS_LOG_LEVEL: "SILENT",
  });
  const { client } = await import("#kit/table.ts");
  type Next = (args: { input: unknown }) => Promise<unknown>;
  const held =
    (next: Next, { commandName: name }: { commandName: string }) =>
    async (args: { input: unknown }) => {
      await beforeCall({ name, input: args.input });
      return next(args);
    };
  const stack = client.middlewareStack as unknown as { add(middleware: unknown, options: object): void };
  stack.add(held, { step: "initialize", priority: "high" });
  const { handler } = await import("#api/users/index.ts");
  const { forgetUser } = await import("#consumers/forget-user.ts");
  const { leave } = await import("#domain/registrations/leave.ts");
  const { systemContext } = await import("#kit/context.ts");
  return { handler, forgetUser, leave, systemContext };
}

beforeAll(async () => {
  stage = await givenStage();
  product = await openProduct();
}, 60_000);
afterEach(() => {
  beforeCall = () => undefined;
});
afterAll(() => stage.close());

let requests = 0;
/** A request that is answered in this process. */
async function here(routeKey: string, as: string, { params, body }: { params?: object; body?: object } = {}) {
  requests += 1;
  const answer = await product.handler({
    routeKey,
    headers: {},
    pathParameters: params,
    body: body && JSON.stringify(body),
    isBase64Encoded: false,
    requestContext: {
      requestId: `here-${requests}`,
      timeEpoch: Date.now(),
      authorizer: { jwt: { claims: { token_use: "id", email: as, email_verified: "true" } } },
    },
  } as never);
  return { status: answer.statusCode, body: JSON.parse(String(answer.body)) };
}

let people = 0;
const newEmail = (): string => {
  people += 1;
  return `leaver-${people}@student.example`;
};
async function givenUser(fields: Record<string, unknown> = {}): Promise<string> {
  const email = newEmail();
  expect((await stage.api("POST", "/users", { as: exec, body: { email, ...fields } })).status).toBe(201);
  return email;
}
/** The records that come with a membership, as whoever grants one writes them. */
const belongings = (email: string, profileID: string) => [
  { PK: `USER#${email}`, SK: "MEMBER", email, profileID, createdAt: 1 },
  { PK: `USER#${email}`, SK: "PROFILE", email, profileID, createdAt: 1 },
  { PK: `PID#${profileID}`, SK: "PID", email },
];
const put = (items: readonly Record<string, unknown>[]) =>
  stage.table.send(
    new TransactWriteCommand({
      TransactItems: items.map((Item) => ({ Put: { TableName: stage.outputs.tableName, Item } })),
    }),
  );
const remove = (email: string, as = email) => stage.api("DELETE", `/users/${email}`, { as });
const kindsOf = async (email: string) => (await stage.stored(`USER#${email}`)).map(({ SK }) => SK);

const year = 2030;
let events = 0;
async function givenEvent(fields: Record<string, unknown> = {}): Promise<string> {
  events += 1;
  const id = `left-${events}`;
  const body = { id, year, ename: id, startDate: "2030-05-01T18:00:00Z", ...fields };
  expect((await stage.api("POST", "/events", { as: exec, body })).status).toBe(201);
  return id;
}
const register = async (eventID: string, email: string, as = email) => {
  const answer = await stage.api("POST", "/registrations", { as, body: { eventID, year, email, fname: "Ada" } });
  expect(answer.status).toBe(201);
  return answer.body.registrationStatus;
};
const move = (eventID: string, email: string, changes: object) =>
  stage.api("PUT", `/registrations/${email}/x`, { as: exec, body: { eventID, year, ...changes } });
const registrationOf = async (eventID: string, email: string) =>
  (await stage.stored(`USER#${email}`)).find(({ SK }) => SK === `REG#${eventID}#${year}`) ?? {};
const statusOf = async (eventID: string, email: string) => (await registrationOf(eventID, email)).status;
const countsOf = async (id: string) =>
  (await stage.api("GET", `/events/${id}/${year}?count=true`, { as: exec })).body.counts;
const subjectsTo = (email: string) =>
  stage.mailbox
    .list()
    .filter(({ destination }) => destination.to.some((to) => to.includes(email)))
    .map(({ subject }) => subject);

/** Message of a kind about somebody. */
async function messageOf(type: string, email: string): Promise<Record<string, unknown>[]> {
  const hours = [Date.now() - 3_600_000, Date.now()].map((at) =>
    new Date(at).toISOString().slice(0, 13).replace(/\D/g, ""),
  );
  const partitions = hours.flatMap((hour) => Array.from({ length: 8 }, (_, shard) => `OUT#${hour}#${shard}`));
  const rows = (await Promise.all(partitions.map((partition) => stage.stored(partition)))).flat() as {
    detailType: string;
    detail: { data: { email?: string } };
  }[];
  return rows
    .filter(({ detailType, detail }) => detailType === type && detail.data.email === email)
    .map(({ detail }) => detail);
}

describe("deleting", () => {
  test("takes account, membership, profile and its identifier, once, with message of it", async () => {
    const email = await givenUser({ fname: "Ada", isMember: true });
    await put(belongings(email, "brave-red-fox"));
    expect(await remove(email)).toMatchObject({ status: 200, body: { message: expect.any(String) } });
    expect([await stage.stored(`USER#${email}`), await stage.stored("PID#brave-red-fox")]).toEqual([[], []]);
    expect((await stage.api("GET", "/users/self", { as: email })).status).toBe(404);
    expect((await stage.api("GET", `/users/isMember/${email}`, { as: email })).body).toBe(false);
    expect(await remove(email)).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
    expect(await messageOf("user.deleted", email)).toMatchObject([{ metadata: { actor: email }, data: { email } }]);
    // Whoever comes back begins anew.
    const { body } = await stage.api("POST", "/users", { as: email, body: {} });
    expect(body.user).toMatchObject({ isMember: false, favEvents: [] });
  });

  test("is for oneself and for admins; twenty at once delete once", async () => {
    const [email, other] = [await givenUser(), await givenUser()];
    expect(await remove(other, email)).toMatchObject({ status: 403, body: { message: "Unauthorized" } });
    expect(await kindsOf(other)).toEqual(["USER"]);
    expect((await stage.api("DELETE", "/users/nonsense", { as: email })).status).toBe(400);
    const answers = await Promise.all(Array.from({ length: 20 }, () => remove(other, exec)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 19 }, () => 404)]);
    expect(await messageOf("user.deleted", other)).toHaveLength(1);
    expect((await stage.api("DELETE", "/users/self", { as: email })).status).toBe(200);
  });

  test.each([["MEMBER"], ["PROFILE"]])("takes a %s alone, too", async (kind) => {
    const email = newEmail();
    await put(belongings(email, `alone-${people}`).filter(({ SK }) => SK === kind || SK === "PID"));
    expect((await remove(email, exec)).status).toBe(200);
    expect([await stage.stored(`USER#${email}`), await stage.stored(`PID#alone-${people}`)]).toEqual([[], []]);
  });
});

describe("the registrations of somebody who deletes their account", () => {
  test("that are ahead are cancelled: the next in line come up, and people are told; the rest stays", async () => {
    const [email, next, second] = [await givenUser(), await givenUser(), await givenUser()];
    const pricing = { member: 0, nonMember: 10 };
    const [full, priced, door, past, applied, declined] = [
      await givenEvent({ capac: 1 }),
      await givenEvent({ capac: 1, pricing }),
      await givenEvent(),
      await givenEvent(),
      await givenEvent({ isApplicationBased: true, capac: 5 }),
      await givenEvent({ isApplicationBased: true, capac: 5 }),
    ];
    for (const id of [full, priced]) {
      for (const who of [email, next, second]) await register(id, who);
    }
    expect([await statusOf(priced, email), await statusOf(priced, next)]).toEqual(["incomplete", "waitlist"]);
    for (const id of [door, past, applied, declined]) await register(id, email);
    await move(door, email, { registrationStatus: "checkedIn", points: 0 });
    await move(door, email, { points: 7 });
    await move(full, email, { points: 4 });
    await move(declined, email, { registrationStatus: "rejected" });
    await stage.api("PATCH", `/events/${past}/${year}`, { as: exec, body: { startDate: "2020-01-01T00:00:00Z" } });
    // As if it had been paid.
    const paid = await givenEvent();
    await register(paid, email);
    await stage.table.send(
      new UpdateCommand({
        TableName: stage.outputs.tableName,
        Key: { PK: `USER#${email}`, SK: `REG#${paid}#${year}` },
        UpdateExpression: "SET paidBy = :payment",
        ExpressionAttributeValues: { ":payment": "pay-1" },
      }),
    );
    await stage.settled();
    const left = [await registrationOf(door, email), await registrationOf(past, email)];

    expect((await remove(email)).status).toBe(200);
    await stage.settled();

    for (const id of [full, priced, applied, paid]) expect([id, await statusOf(id, email)]).toEqual([id, "cancelled"]);
    expect(await statusOf(declined, email)).toBe("rejected");
    expect([await registrationOf(door, email), await registrationOf(past, email)]).toEqual(left);
    expect([await statusOf(full, next), await statusOf(full, second)]).toEqual(["registered", "waitlist"]);
    expect([await statusOf(priced, next), await statusOf(priced, second)]).toEqual(["incomplete", "waitlist"]);
    for (const id of [full, priced]) expect(await countsOf(id)).toMatchObject({ seatsTaken: 1, waitlistCount: 1 });
    expect(await countsOf(applied)).toMatchObject({ applicantCount: 0 });
    expect(await messageOf("payment.refundRequired", email)).toMatchObject([{ data: { paymentId: "pay-1" } }]);
    const cancelled = subjectsTo(email).filter((subject) => /cancel/i.test(subject));
    expect(cancelled).toHaveLength(4);
    expect(subjectsTo(next)).toHaveLength(4);
    expect(await kindsOf(email)).not.toContain("POINTS");
    expect(await messageOf("registration.cancelled", email)).toHaveLength(4);
  });

  /** Deletes an account and resolves to the news of it, when all has been done about it. */
  async function deletionOf(email: string): Promise<Message<"user.deleted">> {
    expect((await remove(email)).status).toBe(200);
    await stage.settled();
    const [detail] = (await messageOf("user.deleted", email)) as unknown as {
      metadata: { id: string; occurredAt: string; actor: string; correlationId: string };
    }[];
    const { id, occurredAt, actor, correlationId } = detail!.metadata;
    return { type: "user.deleted", id, occurredAt: Date.parse(occurredAt), actor, correlationId, data: { email } };
  }
  const comeBack = async (email: string, id: string) => {
    await stage.api("POST", "/users", { as: email, body: {} });
    await register(id, email);
    await move(id, email, { points: 3 });
  };

  test("and comes back at once stay from then on, however often the message comes", async () => {
    const [email, id] = [await givenUser(), await givenEvent()];
    await register(id, email);
    const message = await deletionOf(email);
    expect(await statusOf(id, email)).toBe("cancelled");
    await comeBack(email, id);
    const before = await stage.stored(`USER#${email}`);
    expect(before.map(({ SK }) => SK)).toEqual(["POINTS", `REG#${id}#${year}`, "USER"]);
    await product.forgetUser(message, product.systemContext("again", message.correlationId, Date.now()));
    expect(await stage.stored(`USER#${email}`)).toEqual(before);
  });

  /** Comes back after the list of what is to cancel was read. @returns what is left of the new registration */
  async function comingBackMeanwhile(withoutGuard: boolean): Promise<unknown> {
    const [email, id] = [await givenUser(), await givenEvent()];
    const message = await deletionOf(email);
    // Registered before the deletion, and the consumer has not come to it yet.
    await register(id, email);
    let isBack = false;
    beforeCall = async ({ name, input }) => {
      if (isBack || name !== "GetItemCommand" || !JSON.stringify(input).includes(`REG#${id}`)) return;
      isBack = true;
      await move(id, email, { registrationStatus: "cancelled" });
      await comeBack(email, id);
    };
    const occurredAt = Date.now();
    const context = product.systemContext("meanwhile", message.correlationId, occurredAt);
    if (withoutGuard) {
      const by = "self" as const;
      const departure = { email, event: { id, year }, to: "cancelled" as const, by };
      await product.leave(departure, context);
    } else {
      await product.forgetUser({ ...message, occurredAt }, context);
    }
    expect(isBack).toBe(true);
    return statusOf(id, email);
  }
  test("and comes back while it is worked on: the new one stays", async () => {
    expect(await comingBackMeanwhile(false)).toBe("registered");
  });
  test("and comes back while it is worked on, without looking at the arrival: the new one is lost", async () => {
    expect(await comingBackMeanwhile(true)).toBe("cancelled");
  });
});

/** Makes something happen once, between what the product has read and its first transaction, and can change that. */
function atFirstCommit(happens: () => Promise<unknown>, change: (command: Command) => void = () => undefined): void {
  let hasHappened = false;
  beforeCall = async (command) => {
    if (command.name !== "TransactWriteItemsCommand") return;
    change(command);
    if (hasHappened) return;
    hasHappened = true;
    await happens();
  };
}
/** Drops the members of a transaction that only check the item of this kind. */
const withoutCheckOf =
  (...kinds: string[]) =>
  ({ input }: Command) => {
    input.TransactItems = input.TransactItems.filter(
      ({ ConditionCheck }: { ConditionCheck?: object }) =>
        !ConditionCheck || !kinds.some((kind) => JSON.stringify(ConditionCheck).includes(`"${kind}"`)),
    );
  };

describe("creating an account while a membership begins", () => {
  async function created(change?: (command: Command) => void) {
    const email = newEmail();
    // Whoever grants a membership finds no account, and commits only while there is none.
    atFirstCommit(() => put(belongings(email, `race-${people}`)), change);
    const answer = await here("POST /users", email, { body: {} });
    expect(answer.status).toBe(201);
    const [user] = (await stage.stored(`USER#${email}`)).filter(({ SK }) => SK === "USER");
    return [answer.body.user.isMember, user?.isMember];
  }
  test("makes a member of it", async () => {
    expect(await created()).toEqual([true, true]);
  });
  test("without demanding what was read: an account that knows nothing of its membership", async () => {
    expect(await created(withoutCheckOf("MEMBER"))).toEqual([false, false]);
  });

  test("and while one ends: makes no member of it", async () => {
    const email = newEmail();
    await put(belongings(email, `ends-${people}`));
    atFirstCommit(() =>
      stage.table.send(
        new TransactWriteCommand({
          TransactItems: [
            { Delete: { TableName: stage.outputs.tableName, Key: { PK: `USER#${email}`, SK: "MEMBER" } } },
          ],
        }),
      ),
    );
    expect((await here("POST /users", email, { body: {} })).body.user.isMember).toBe(false);
  });
});

describe("deleting an account", () => {
  const leftOf = async (email: string, ...ids: string[]) => [
    ...(await stage.stored(`USER#${email}`)).map(({ SK }) => SK),
    ...(await Promise.all(ids.map((id) => stage.stored(`PID#${id}`)))).flat().map(({ PK }) => PK),
  ];

  async function whileGranted(change?: (command: Command) => void) {
    const email = await givenUser();
    atFirstCommit(() => put(belongings(email, `granted-${people}`)), change);
    expect((await here("DELETE /users/{email}", email, { params: { email } })).status).toBe(200);
    return leftOf(email, `granted-${people}`);
  }
  test("while a membership is granted leaves nothing behind", async () => {
    expect(await whileGranted()).toEqual([]);
  });
  test("while a membership is granted, without demanding what was read: its records stay", async () => {
    expect(await whileGranted(withoutCheckOf("MEMBER", "PROFILE"))).toHaveLength(3);
  });

  async function whileRenamed(change?: (command: Command) => void) {
    const email = await givenUser();
    const [old, other] = [`old-${people}`, `other-${people}`];
    await put(belongings(email, old));
    atFirstCommit(() => put(belongings(email, other)), change);
    expect((await here("DELETE /users/{email}", email, { params: { email } })).status).toBe(200);
    return leftOf(email, old, other);
  }
  test("while the profile gets another identifier frees that one", async () => {
    // The old pointer was whoever gave the new identifier's to remove.
    const email = `leaver-${people + 1}@student.example`;
    expect(await whileRenamed()).toEqual([`PID#old-${people}`]);
    expect(await kindsOf(email)).toEqual([]);
  });
  test("while the profile gets another identifier, without demanding the one that was read: it is blocked", async () => {
    const anyId = ({ input }: Command) => {
      for (const { Delete } of input.TransactItems) {
        if (Delete?.ConditionExpression) {
          Object.assign(Delete, { ConditionExpression: "attribute_exists(PK)" });
          delete Delete.ExpressionAttributeValues;
        }
      }
    };
    expect(await whileRenamed(anyId)).toEqual([`PID#other-${people}`]);
  });

  test("whose answer gets lost is a success, and one that came to nothing is tried again", async () => {
    for (const isDone of [true, false]) {
      const email = await givenUser();
      let isLost = false;
      beforeCall = async ({ name, input }) => {
        if (name !== "TransactWriteItemsCommand" || isLost) return;
        isLost = true;
        if (isDone) await stage.table.send(new TransactWriteCommand(input));
        throw Object.assign(new Error("no answer"), { name: "TimeoutError" });
      };
      expect((await here("DELETE /users/{email}", email, { params: { email } })).status).toBe(200);
      expect(await kindsOf(email)).toEqual([]);
      expect(await messageOf("user.deleted", email)).toHaveLength(1);
    }
  });
});

describe("toggling a favourite", () => {
  const toggle = (email: string, id: string) =>
    here("PATCH /users/favEvent/{email}", email, { params: { email: "self" }, body: { eventID: id, year } });

  test("whose answer gets lost is done once", async () => {
    const [email, id] = [await givenUser(), await givenEvent()];
    for (const there of [[`${id};${year}`], []]) {
      let isLost = false;
      beforeCall = async ({ name, input }) => {
        if (name !== "TransactWriteItemsCommand" || isLost) return;
        isLost = true;
        await stage.table.send(new TransactWriteCommand(input));
        throw Object.assign(new Error("no answer"), { name: "TimeoutError" });
      };
      expect(await toggle(email, id)).toMatchObject({ status: 200, body: { favEvents: there } });
    }
  });

  /** Somebody else adds the same one in between. @returns the favourites then */
  async function meanwhile(change: (command: Command) => void = () => undefined) {
    const [email, id] = [await givenUser(), await givenEvent()];
    let hasHappened = false;
    beforeCall = async (command) => {
      if (command.name !== "TransactWriteItemsCommand") return;
      change(command);
      if (hasHappened) return;
      hasHappened = true;
      await stage.api("PATCH", "/users/favEvent/self", { as: email, body: { eventID: id, year } });
    };
    expect((await toggle(email, id)).status).toBe(200);
    const [user] = (await stage.stored(`USER#${email}`)).filter(({ SK }) => SK === "USER");
    return user?.favEvents;
  }
  test("that another request has toggled since takes it back", async () => {
    expect(await meanwhile()).toEqual([]);
  });
  test("that another request has toggled since, without condition: it is there twice", async () => {
    const always = ({ input }: Command) => {
      const [{ Update }] = input.TransactItems;
      Update.ConditionExpression = `attribute_exists(PK) OR (${Update.ConditionExpression})`;
    };
    expect(await meanwhile(always)).toHaveLength(2);
  });
});
