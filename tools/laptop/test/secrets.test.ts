/** Which values the stage's secrets have, and keep. What Secrets Manager answers: `compared/`. */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, test } from "@jest/globals";
import { givenFolder } from "../../../test/unit/folder.ts";
import { type SecretProperties, type Secrets, startSecrets } from "../secrets/index.ts";

const arn = "arn:aws:secretsmanager:us-west-2:000000000000:secret:Ticket-abcdef";
const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function givenSecret(properties: SecretProperties, directory?: string): Promise<Secrets> {
  const secrets = await startSecrets({ directory, secrets: [{ name: "Ticket", arn, properties }] });
  open.push(() => secrets.close());
  return secrets;
}

async function putSecretValue({ url }: Secrets, request: object): Promise<[number, unknown]> {
  const headers = { "content-type": "application/x-amz-json-1.1", "x-amz-target": "secretsmanager.PutSecretValue" };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(request) });
  return [response.status, await response.json()];
}

test("a generated value stays the same over restarts, and only its owner can read it", async () => {
  const folder = await givenFolder(open);
  const first = (await givenSecret({ GenerateSecretString: {} }, folder)).valueOf("Ticket");
  expect(first).toHaveLength(32);
  expect((await givenSecret({ GenerateSecretString: {} }, folder)).valueOf(arn)).toBe(first);
  expect((await stat(join(folder, "secrets.json"))).mode & 0o777).toBe(0o600);
  // Control: without a folder it is another one.
  expect((await givenSecret({ GenerateSecretString: {} })).valueOf("Ticket")).not.toBe(first);
});

test.each<SecretProperties>([{ SecretString: "old" }, { GenerateSecretString: {} }])(
  "a value that is put survives a restart, in place of %j",
  async (properties) => {
    const folder = await givenFolder(open);
    await putSecretValue(await givenSecret(properties, folder), { SecretId: "Ticket", SecretString: "new" });
    expect((await givenSecret(properties, folder)).valueOf("Ticket")).toBe("new");
  },
);
