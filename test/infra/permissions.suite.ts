/** Who may do what in the account: least privilege of the functions, and what the public reaches. */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { type FunctionName, functionEntries } from "../../lib/entries.ts";
import type { StageName } from "../../lib/stages.ts";
import { actionsOn, permissionFindings } from "./permission-findings.ts";
import { broken, givenTemplates, ofType, ownFunctions, type StageTemplate, stageNames } from "./stage-templates.ts";
import { actionsIn, tableActionsOf } from "./table-use.ts";
import { type Edit, set } from "./template-edits.ts";

let templates: Record<StageName, StageTemplate>;
beforeAll(async () => {
  templates = await givenTemplates();
});

const functionId = (template: StageTemplate, name: string): string =>
  ownFunctions(template).find(
    ([, { Properties }]) => Properties.Environment.Variables.POWERTOOLS_SERVICE_NAME === name,
  )![0];

const writes = ["DeleteItem", "PutItem", "UpdateItem"];
const checks = "ConditionCheckItem";

describe.each(stageNames)("permissions, %s", (stage) => {
  test("no scan, mails from one sender, nothing public but banners", () => {
    expect(permissionFindings(templates[stage])).toEqual([]);
  });

  test.each(Object.keys(functionEntries) as FunctionName[])(
    "%s may do with the table what its sources can ask for, and nothing else; `table` of its declaration grants it",
    async (name) => {
      const template = templates[stage];
      const granted = actionsOn(template, functionId(template, name), "AWS::DynamoDB::Table");
      expect(granted).toEqual(await tableActionsOf(name));
    },
  );

  test("whoever is told of a resource may use it, and the other way round", () => {
    const template = templates[stage];
    for (const [id, { Properties }] of ownFunctions(template)) {
      const told = Object.keys(Properties.Environment.Variables);
      expect(told.includes("TABLE_NAME")).toBe(actionsOn(template, id, "AWS::DynamoDB::Table").length > 0);
      expect(told.includes("IMAGE_BUCKET")).toBe(actionsOn(template, id, "AWS::S3::Bucket").length > 0);
    }
  });
});

describe("would be noticed:", () => {
  test("an action that no source asks for, and one that a source asks for in vain", async () => {
    const needed = await tableActionsOf("promoter");
    const granted = (actions: (all: string[]) => string[]) => {
      const template = broken(templates.production, (changed) => {
        for (const [id, { Properties }] of ofType(changed, "AWS::IAM::Policy")) {
          if (!id.startsWith("PromoterRole")) continue;
          for (const statement of Properties.PolicyDocument.Statement) {
            if (statement.Action.includes("dynamodb:GetItem")) statement.Action = actions(statement.Action);
          }
        }
      });
      return actionsOn(template, functionId(template, "promoter"), "AWS::DynamoDB::Table");
    };
    expect(granted((all) => all)).toEqual(needed);
    expect(granted((all) => [...all, "dynamodb:ConditionCheckItem"])).not.toEqual(needed);
    expect(granted((all) => all.slice(1))).not.toEqual(needed);
  });

  test("every kind of request to the table, and one that is not known", () => {
    const from = (name: string) => `import { ${name} } from "@aws-sdk/lib-dynamodb";\nsend(new ${name}({}));\n`;
    const query = '({ KeyConditionExpression: "PK = :line" }), ({ IndexName: "GSI1" })';
    const members = "[{ Put: {} }, { Update: {} }, { Delete: {} }, { ConditionCheck: { ...at } }]";
    expect(actionsIn(from("GetCommand") + from("BatchGetCommand"))).toEqual(["BatchGetItem", "GetItem"]);
    expect(actionsIn(from("PutCommand") + from("DeleteCommand"))).toEqual(["DeleteItem", "PutItem"]);
    expect(actionsIn(from("QueryCommand") + query)).toEqual(["Query", "Query /index/GSI1"]);
    expect(actionsIn(from("TransactWriteCommand") + members)).toEqual([checks, ...writes].sort());
    expect(actionsIn('import { PutObjectCommand } from "@aws-sdk/client-s3";\nnew PutObjectCommand({});')).toEqual([]);
    expect(() => actionsIn(from("ScanCommand"))).toThrow("ScanCommand");
    expect(() => actionsIn(from("TransactGetCommand"))).toThrow("TransactGetCommand");
  });

  const statement = (more: object) =>
    set("IAM::Policy", /./, "PolicyDocument.Statement.[]", { Effect: "Allow", Resource: "x", ...more });
  test.each<[string, RegExp, Edit]>([
    ["a scan", /dynamodb:Scan/, statement({ Action: ["dynamodb:Scan"] })],
    ["all but something", /everything but/, statement({ NotAction: "s3:*" })],
    ["mails from any sender", /any sender/, statement({ Resource: "arn:aws:ses:ca-central-1:1:identity/*" })],
    ["public writing", /open to everybody/, set("S3::BucketPolicy", /./, "PolicyDocument.Statement.1.Action", "s3:*")],
    ["more in public", /open to everybody/, set("S3::BucketPolicy", /./, "PolicyDocument.Statement.1.Resource", "x")],
    ["a function for anybody", /anybody may invoke/, set("Lambda::Permission", /./, "SourceArn")],
  ])("%s", (_, finding, edit) => {
    expect(permissionFindings(broken(templates.production, edit))).toContainEqual(expect.stringMatching(finding));
  });
});
