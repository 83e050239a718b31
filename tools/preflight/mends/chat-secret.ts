/** The address of the chat's incoming webhook, as a secret. */
import { CreateSecretCommand } from "@aws-sdk/client-secrets-manager";
import { type Mend, Obstacle } from "../../kit/finding.ts";
import type { Account } from "../account.ts";
import { changing } from "../asking.ts";

/** Stores the address that a person gave. @param judge throws when the address cannot be used */
export function chatSecretOf({ clients, chatWebhook }: Account, name: string, judge: (text: string) => unknown): Mend {
  return {
    what: `store the address in CHAT_WEBHOOK as ${name}.`,
    async apply() {
      try {
        judge(chatWebhook ?? "");
      } catch {
        const give = "read -rs CHAT_WEBHOOK; export CHAT_WEBHOOK";
        throw new Obstacle("CHAT_WEBHOOK has no https address.", give);
      }
      const request = new CreateSecretCommand({ Name: name, SecretString: chatWebhook });
      await changing("secretsmanager:CreateSecret", clients.secrets.send(request));
      return `${name} has the address of the chat's webhook.`;
    },
  };
}
