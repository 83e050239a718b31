import { commit, getItem, getItems, type Key, type TransactItem, tableName } from "#kit/table.ts";
import { type Origin, outboxRow } from "../outbox/store.ts";

/** A person as stored. The email is in the key as well. */
export interface UserRecord {
  readonly email: string;
  readonly fname?: string;
  readonly lname?: string;
  readonly faculty?: string;
  readonly major?: string;
  readonly year?: string;
  readonly studentId?: string;
  readonly diet?: string;
  readonly gender?: string;
  readonly education?: string;
  readonly university?: string;
  /** By the email's domain at creation; never consulted for access. */
  readonly admin: boolean;
  readonly isMember: boolean;
  /** `<event id>;<year>` */
  readonly favEvents: readonly string[];
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** The request that created it, so that its retry recognizes its own work. */
  readonly createdBy?: string;
}

export const userKey = (email: string): Key => ({ PK: `USER#${email}`, SK: "USER" });
const memberKey = (email: string): Key => ({ PK: `USER#${email}`, SK: "MEMBER" });

export const readUser = (email: string) => getItem<UserRecord>(userKey(email), "strong");

/** Those of these people who have a record, by email. */
export async function readUsers(emails: readonly string[]): Promise<ReadonlyMap<string, UserRecord>> {
  const users = (await getItems(emails.map(userKey), "strong")) as unknown as UserRecord[];
  return new Map(users.map((user) => [user.email, user]));
}

/** Whether a membership record exists for this email. */
export const hasMembership = async (email: string): Promise<boolean> =>
  (await getItem(memberKey(email), "strong")) !== undefined;

/** Refused when the person has a record. */
export const putNewUser = (user: UserRecord): TransactItem => ({
  Put: {
    TableName: tableName,
    Item: { ...userKey(user.email), GSI1PK: "USERS#0", GSI1SK: user.email, ...user },
    ConditionExpression: "attribute_not_exists(PK)",
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  },
});

/** @returns whether it was created, now or by an earlier try; false when the person has a record already */
export async function insertUser(user: UserRecord, origin: Origin): Promise<boolean> {
  const outcome = await commit({
    user: putNewUser({ ...user, createdBy: origin.correlationId }),
    outbox: outboxRow({ type: "user.created", data: { email: user.email } }, origin),
  });
  return outcome.committed || outcome.refused.user?.createdBy === origin.correlationId;
}
