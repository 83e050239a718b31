/** Tables that production retains when its stack is deleted: a new stack starts with a new, empty table. */
import { paginateListTables } from "@aws-sdk/client-dynamodb";
import { stackName } from "../../../lib/stage-names.ts";
import { ok, warning } from "../../kit/finding.ts";
import type { Check } from "../check-kit/account.ts";
import { asking } from "../check-kit/asking.ts";
import { all, describedStack } from "../check-kit/stack.ts";

export const earlierTable: Check = {
  name: "earlier table",
  isForDeploy: true,
  look: async (account) => {
    const name = stackName(account.stage.name);
    if (await describedStack(account)) return [ok(`${name} is there, with its own table.`)];
    const pages = paginateListTables({ client: account.clients.tables }, {});
    const tables = (await asking("dynamodb:ListTables", all(pages))).flatMap(({ TableNames = [] }) => TableNames);
    const kept = tables.filter((table) => table.startsWith(`${name}-`));
    if (kept.length === 0) return [ok(`no table is left of an earlier ${name}.`)];
    return kept.map((table) =>
      warning(
        `the table ${table} is left of an earlier stack. The new stack makes an empty one.`,
        `aws dynamodb describe-table --table-name ${table} shows how much is in it.`,
      ),
    );
  },
};
