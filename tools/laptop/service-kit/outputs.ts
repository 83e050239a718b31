/** `.local/outputs.json`: the addresses and accounts of the running local stage. */
import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** A seeded account. */
export interface SeededAccount {
  readonly email: string;
  readonly password: string;
  readonly role: "admin" | "member" | "user";
}

export interface StageOutputs {
  readonly apiUrl: string;
  /** Of the hosted pages: an event's is `/event/<id>/<year>` below it. */
  readonly pagesUrl: string;
  readonly apiId: string;
  /** Of API Gateway's management API. */
  readonly gatewayUrl: string;
  /** The file of the template that the stage runs. */
  readonly templateFile: string;
  readonly region: string;
  readonly userPoolId: string;
  readonly userPoolClientId: string;
  readonly identityUrl: string;
  readonly dynamodbUrl: string;
  readonly tableName: string;
  readonly imagesUrl: string;
  readonly imageBucket: string;
  readonly busUrl: string;
  readonly busName: string;
  readonly queuesUrl: string;
  readonly secretsUrl: string;
  /** The secret that seals tickets. */
  readonly ticketKeySecret: string;
  readonly mailUrl: string;
  readonly chatUrl: string;
  readonly paymentsUrl: string;
  /** The payment provider signs its webhook requests with this. */
  readonly webhookSecret: string;
  readonly adminEmailDomain: string;
  /** Cents. */
  readonly membershipPrice: string;
  /** ISO 4217. */
  readonly currency: string;
  readonly accounts: readonly SeededAccount[];
}

/** Writes the file atomically: other processes read it while stages start. */
export async function writeOutputs(directory: string, outputs: StageOutputs): Promise<void> {
  await mkdir(directory, { recursive: true });
  const file = join(directory, "outputs.json");
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, `${JSON.stringify(outputs, null, 2)}\n`);
  await rename(draft, file);
}
