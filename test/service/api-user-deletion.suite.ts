/** Deleting an account, what follows, and other requests at the same moment (`docs/contract.md`, "Users"). */
import { TransactWriteCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import type { Message } from "#outbox/messages.ts";
import { givenSettings } from "../settings.ts";
import { ada, exec, newEmail, type OutboxRow, year } from "./given.ts";
import { type ServiceStage, sharedStage } from "./stage.ts";

let stage: ServiceStage;

interface Command {
  readonly name: string;
  // biome-ignore lint/suspicious/noExplicitAny: commands of any kind
  readonly input: any;
}
let beforeCall: (command: Command) => Promise<void> | void = () => undefined;

let opened: ReturnType<typeof openProduct> | undefined;
/** The functions in this process, on the stage's table. A test can delay or change their calls to the table. */
function product(): ReturnType<typeof openProduct> {
  opened ??= openProduct();
  return opened;
}
async function openProduct() {
  givenSettings({
    TABLE_NAME: stage.outputs.tableName,
    ADMIN_EMAIL_DOMAIN: stage.outputs.adminEmailDomain,
    AWS_REGION: stage.outputs.region,
    AWS_ENDPOINT_URL_DYNAMODB: stage.outputs.dynamodbUrl,
    TICKET_KEY_SECRET: stage.outputs.ticketKeySecret,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: stage.endpoint("SECRETS_MANAGER"),
  });
  const { client } = await import("#kit/table/table.ts");
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
  const { forgetPerson } = await import("#domain/registrations/reactions/forget-person.ts");
  const { leave } = await import("#domain/registrations/leave.ts");
  const { systemContext } = await import("#kit/request/context.ts");
  return { handler, forgetPerson, leave, systemContext };
}

beforeAll(async () => {
  stage = await sharedStage();
});
afterEach(() => {
  beforeCall = () => undefined;
});

let requests = 0;
/** Sends a request to the users function in this process. */
async function here(routeKey: string, as: string, { params, body }: { params?: object; body?: object } = {}) {
  requests += 1;
  const { handler } = await product();
  const answer = await handler({
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

/** @returns a profile id of this person; `name` is the first part */
const profileOf = (name: string, email: string): string => `${name}-${email.split("@")[0]}`;
/** The records that a grant of a membership writes. */
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

/** A person registers, and gets a seat or a place in line. */
const givenRegistration = async (eventID: string, email: string) =>
  expect((await stage.register(eventID, email, ada)).status).toBe(201);
const storedStatus = async (eventID: string, email: string) => (await stage.storedRegistration(eventID, email))?.status;

/** @returns the messages of a type about a person */
async function messageOf(type: string, email: string): Promise<OutboxRow["detail"][]> {
  const rows = await stage.outboxRows();
  return rows
    .filter(({ detailType, detail }) => detailType === type && detail.data.email === email)
    .map(({ detail }) => detail);
}

describe("the deletion of an account", () => {
  test("removes account, membership, profile and profile id once, with one message", async () => {
    const email = await stage.givenUser({ fname: "Ada", isMember: true });
    const grant = { email, firstName: "Ada", lastName: "Lovelace" };
    expect((await stage.api("POST", "/members/grant", { as: exec, body: grant })).status).toBeLessThan(300);
    const { profileID } = (await stage.api("GET", `/members/${email}`, { as: exec })).body;
    expect(await kindsOf(email)).toEqual(["MEMBER", "PROFILE", "USER"]);
    expect(await stage.stored(`PID#${profileID}`)).toHaveLength(1);
    expect(await remove(email)).toMatchObject({ status: 200, body: { message: expect.any(String) } });
    expect([await stage.stored(`USER#${email}`), await stage.stored(`PID#${profileID}`)]).toEqual([[], []]);
    expect((await stage.api("GET", "/users/self", { as: email })).status).toBe(404);
    expect((await stage.api("GET", `/users/isMember/${email}`, { as: email })).body).toBe(false);
    expect(await remove(email)).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
    expect(await messageOf("user.deleted", email)).toMatchObject([
      { metadata: { actor: email }, data: { email, origin: "self/account" } },
    ]);
    // A person who comes back has a new account.
    const { body } = await stage.api("POST", "/users", { as: email, body: {} });
    expect(body.user).toMatchObject({ isMember: false, favEvents: [] });
  });
});

test("who deletes and creates the account over and over is refused after three times an hour, and nobody else is", async () => {
  const email = await stage.givenUser();
  for (let times = 0; times < 3; times += 1) {
    expect((await remove(email)).status).toBe(200);
    expect((await stage.api("POST", "/users", { as: email, body: {} })).status).toBe(201);
  }
  const refused = await remove(email);
  expect(refused).toMatchObject({ status: 429, body: { code: "TOO_OFTEN" } });
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(3_400);
  expect((await remove(email, exec)).status).toBe(429);
  await stage.settled();
  expect(stage.subjectsTo(email).filter((subject) => subject.endsWith("is deleted"))).toHaveLength(3);
  expect((await remove(await stage.givenUser())).status).toBe(200);
});

describe("the registrations of a person who deletes the account", () => {
  test("are cancelled where the person could cancel, the next in line get the seats, and mails go out", async () => {
    const [email, next, second] = [await stage.givenUser(), await stage.givenUser(), await stage.givenUser()];
    const pricing = { member: 0, nonMember: 10 };
    const [full, priced, door, past, applied, declined] = [
      await stage.givenEvent({ capac: 1 }),
      await stage.givenEvent({ capac: 1, pricing }),
      await stage.givenEvent(),
      await stage.givenEvent(),
      await stage.givenEvent({ isApplicationBased: true, capac: 5 }),
      await stage.givenEvent({ isApplicationBased: true, capac: 5 }),
    ];
    for (const id of [full, priced]) {
      for (const who of [email, next, second]) await givenRegistration(id, who);
    }
    expect([await storedStatus(priced, email), await storedStatus(priced, next)]).toEqual(["incomplete", "waitlist"]);
    for (const id of [door, past, applied, declined]) await givenRegistration(id, email);
    await stage.changeRegistration(door, email, { registrationStatus: "checkedIn", points: 0 });
    await stage.changeRegistration(door, email, { points: 7 });
    await stage.changeRegistration(full, email, { points: 4 });
    await stage.moveTo(declined, email, "rejected");
    await stage.changeEvent(past, { startDate: "2020-01-01T00:00:00Z" });
    // Marks the registration as paid.
    const paid = await stage.givenEvent();
    await givenRegistration(paid, email);
    await stage.table.send(
      new UpdateCommand({
        TableName: stage.outputs.tableName,
        Key: { PK: `USER#${email}`, SK: `REG#${paid}#${year}` },
        UpdateExpression: "SET paidBy = :payment",
        ExpressionAttributeValues: { ":payment": "pay-1" },
      }),
    );
    await stage.settled();
    const left = [await stage.storedRegistration(door, email), await stage.storedRegistration(past, email)];

    expect((await remove(email)).status).toBe(200);
    await stage.settled();

    for (const id of [full, priced, applied, paid])
      expect([id, await storedStatus(id, email)]).toEqual([id, "cancelled"]);
    expect(await storedStatus(declined, email)).toBe("rejected");
    const kept = left.map((one) => ({ status: one?.status, points: one?.points, ofDeletedAccount: true }));
    expect([await stage.storedRegistration(door, email), await stage.storedRegistration(past, email)]).toMatchObject(
      kept,
    );
    expect([await storedStatus(full, next), await storedStatus(full, second)]).toEqual(["registered", "waitlist"]);
    expect([await storedStatus(priced, next), await storedStatus(priced, second)]).toEqual(["incomplete", "waitlist"]);
    for (const id of [full, priced])
      expect(await stage.countsOf(id)).toMatchObject({ seatsTaken: 1, waitlistCount: 1 });
    expect(await stage.countsOf(applied)).toMatchObject({ applicantCount: 0 });
    expect(await messageOf("payment.refundRequired", email)).toMatchObject([{ data: { paymentId: "pay-1" } }]);
    const cancelled = stage.subjectsTo(email).filter((subject) => /cancel/i.test(subject));
    expect(cancelled).toHaveLength(4);
    expect(stage.subjectsTo(next)).toHaveLength(4);
    expect(await kindsOf(email)).not.toContain("POINTS");
    expect(await messageOf("registration.cancelled", email)).toHaveLength(4);
  });

  /** Deletes an account and waits until consumers have handled the message. @returns the message */
  async function deletionOf(email: string): Promise<Message<"user.deleted">> {
    expect((await remove(email)).status).toBe(200);
    await stage.settled();
    const [detail] = await messageOf("user.deleted", email);
    const { id, occurredAt, actor, correlationId } = detail!.metadata;
    return {
      type: "user.deleted",
      id,
      occurredAt: Date.parse(occurredAt),
      actor,
      requestId: correlationId,
      data: { email, origin: "self/account" },
    };
  }
  const comeBack = async (email: string, id: string) => {
    await stage.api("POST", "/users", { as: email, body: {} });
    await givenRegistration(id, email);
    await stage.changeRegistration(id, email, { points: 3 });
  };

  test("stay when the person has come back, however often the message of the deletion comes", async () => {
    const [email, id] = [await stage.givenUser(), await stage.givenEvent()];
    await givenRegistration(id, email);
    const message = await deletionOf(email);
    expect(await storedStatus(id, email)).toBe("cancelled");
    await comeBack(email, id);
    const before = await stage.stored(`USER#${email}`);
    expect(before.map(({ SK }) => SK)).toEqual(["POINTS", `REG#${id}#${year}`, "USER"]);
    const { forgetPerson, systemContext } = await product();
    await forgetPerson(message, systemContext(message.requestId, Date.now()));
    expect(await stage.stored(`USER#${email}`)).toEqual(before);
  });

  /**
   * The person cancels, comes back and registers again while forget-user is at work, before it reads the registration.
   * @param withoutGuard ends the registration of the person whatever its queueKey is
   * @returns the status of the new registration afterwards
   */
  async function comingBackMeanwhile(withoutGuard: boolean): Promise<unknown> {
    const [email, id] = [await stage.givenUser(), await stage.givenEvent()];
    const message = await deletionOf(email);
    // Stands for a registration from before the deletion that the consumer has not reached.
    await givenRegistration(id, email);
    let isBack = false;
    beforeCall = async ({ name, input }) => {
      if (isBack || !name.endsWith("GetItemCommand") || !JSON.stringify(input).includes(`REG#${id}`)) return;
      isBack = true;
      await stage.moveTo(id, email, "cancelled");
      await comeBack(email, id);
    };
    const occurredAt = Date.now();
    const { forgetPerson, leave, systemContext } = await product();
    const context = systemContext(message.requestId, occurredAt);
    if (withoutGuard) {
      await leave({ email, event: { id, year }, to: "cancelled", origin: "self/account" }, context);
    } else {
      await forgetPerson({ ...message, occurredAt }, context);
    }
    expect(isBack).toBe(true);
    return storedStatus(id, email);
  }
  test("stay when the person comes back while forget-user is at work", async () => {
    expect(await comingBackMeanwhile(false)).toBe("registered");
  });
  test("would be lost then without the check of the queueKey", async () => {
    expect(await comingBackMeanwhile(true)).toBe("cancelled");
  });
});

/** Runs `happens` once, between an operation's reads and its first transaction. `change` may change transactions. */
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
/** Drops the members of a transaction that only check an item of these kinds. */
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
    // The grant found no account, so it writes no `isMember` to one.
    atFirstCommit(() => put(belongings(email, profileOf("race", email))), change);
    const answer = await here("POST /users", email, { body: {} });
    expect(answer.status).toBe(201);
    const user = await stage.storedUser(email);
    return [answer.body.user.isMember, user?.isMember];
  }
  test("stores the account as a member's", async () => {
    expect(await created()).toEqual([true, true]);
  });
  test("would store it without its membership, if the transaction did not check the member record", async () => {
    expect(await created(withoutCheckOf("MEMBER"))).toEqual([false, false]);
  });
});

describe("the deletion of an account, with another request between its reads and its transaction,", () => {
  const leftOf = async (email: string, ...ids: string[]) => [
    ...(await stage.stored(`USER#${email}`)).map(({ SK }) => SK),
    ...(await Promise.all(ids.map((id) => stage.stored(`PID#${id}`)))).flat().map(({ PK }) => PK),
  ];

  async function whileGranted(change?: (command: Command) => void) {
    const email = await stage.givenUser();
    atFirstCommit(() => put(belongings(email, profileOf("granted", email))), change);
    expect((await here("DELETE /users/{email}", email, { params: { email } })).status).toBe(200);
    return leftOf(email, profileOf("granted", email));
  }
  test("leaves no record when a membership is granted", async () => {
    expect(await whileGranted()).toEqual([]);
  });
  test("would leave the membership's records, if the transaction did not check them", async () => {
    expect(await whileGranted(withoutCheckOf("MEMBER", "PROFILE"))).toHaveLength(3);
  });

  async function whileRenamed(change?: (command: Command) => void) {
    const email = await stage.givenUser();
    const [old, other] = [profileOf("old", email), profileOf("other", email)];
    await put(belongings(email, old));
    atFirstCommit(() => put(belongings(email, other)), change);
    expect((await here("DELETE /users/{email}", email, { params: { email } })).status).toBe(200);
    return { email, left: await leftOf(email, old, other) };
  }
  test("frees the new profile id when the profile gets another one", async () => {
    // The old profile id stays: the request that gives another one has to remove it.
    const { email, left } = await whileRenamed();
    expect(left).toEqual([`PID#${profileOf("old", email)}`]);
    expect(await kindsOf(email)).toEqual([]);
  });
  test("would keep the new profile id taken, if the transaction did not check the id that was read", async () => {
    const anyId = ({ input }: Command) => {
      for (const { Delete } of input.TransactItems) {
        if (Delete?.ConditionExpression) {
          Object.assign(Delete, { ConditionExpression: "attribute_exists(PK)" });
          delete Delete.ExpressionAttributeValues;
        }
      }
    };
    const { email, left } = await whileRenamed(anyId);
    expect(left).toEqual([`PID#${profileOf("other", email)}`]);
  });
});

describe("toggling a favourite", () => {
  const toggle = (email: string, id: string) =>
    here("PATCH /users/favEvent/{email}", email, { params: { email: "self" }, body: { eventID: id, year } });

  /** Another request adds the same favourite in between. @returns the favourites afterwards */
  async function meanwhile(change?: (command: Command) => void) {
    const [email, id] = [await stage.givenUser(), await stage.givenEvent()];
    const toggled = () => stage.api("PATCH", "/users/favEvent/self", { as: email, body: { eventID: id, year } });
    atFirstCommit(toggled, change);
    expect((await toggle(email, id)).status).toBe(200);
    const user = await stage.storedUser(email);
    return user?.favEvents;
  }
  test("removes the favourite when another request has added it in between", async () => {
    expect(await meanwhile()).toEqual([]);
  });
  test("would store the favourite twice without its condition", async () => {
    const always = ({ input }: Command) => {
      const [{ Update }] = input.TransactItems;
      Update.ConditionExpression = `attribute_exists(PK) OR (${Update.ConditionExpression})`;
    };
    expect(await meanwhile(always)).toHaveLength(2);
  });
});
