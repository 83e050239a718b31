/** The secret that seals tickets, for a copy of its stage. */
import { GetSecretValueCommand, PutSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { nameOf } from "./stack.ts";
import type { Target } from "./target.ts";

const secretOf = async (target: Target): Promise<string> =>
  target.isLaptop ? target.text("ticketKeySecret") : nameOf(target, "AWS::SecretsManager::Secret", "TicketKey");

export async function ticketKeyOf(target: Target): Promise<string> {
  const client = new SecretsManagerClient({ region: target.region });
  const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: await secretOf(target) }));
  if (!SecretString) throw new Error("The ticket key has no value.");
  return SecretString;
}

export async function setTicketKey(target: Target, SecretString: string): Promise<void> {
  if ((await ticketKeyOf(target)) === SecretString) return;
  const client = new SecretsManagerClient({ region: target.region });
  await client.send(new PutSecretValueCommand({ SecretId: await secretOf(target), SecretString }));
}
