/** The one table of the service. Items and keys: the `store.ts` of each capability. */
import { AttributeType, BillingMode, ProjectionType, StreamViewType, Table } from "aws-cdk-lib/aws-dynamodb";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { Construct } from "constructs";
import type { Usable } from "./function.ts";
import { removalPolicy } from "./removal.ts";
import type { StageConfig } from "./stages.ts";

/**
 * What a function may be allowed to do. There is no Scan here on purpose: cost must follow what is asked for, never
 * how much is stored. Transactions need no action of their own, only those of the writes they are made of; "Query"
 * is the table itself, an index is granted by name.
 */
export type TableAction =
  | "GetItem"
  | "BatchGetItem"
  | "Query"
  | `Query ${IndexName}`
  | "PutItem"
  | "UpdateItem"
  | "DeleteItem"
  | "ConditionCheckItem";

/**
 * A transaction needs the actions of the writes that it is made of. Few transactions demand something of an item that
 * they leave as it is: their functions have "ConditionCheckItem" besides.
 */
export const transactions = ["PutItem", "UpdateItem", "DeleteItem"] satisfies TableAction[];

/** GSI1: lists of events, registrations, people. LEADERBOARD: by points. DynamoDB wants at least three characters. */
export type IndexName = "GSI1" | "LEADERBOARD";

export class ClubTable extends Construct implements Usable<TableAction> {
  readonly table: Table;
  readonly variables: Readonly<Record<string, string>>;

  constructor(scope: Construct, id: string, { stage }: { readonly stage: StageConfig }) {
    super(scope, id);
    // AWS::DynamoDB::Table, not GlobalTable: a club has one region, and stream, recovery and protection stand in the
    // template where readers, and the laptop that runs it, look for them.
    this.table = new Table(this, "Resource", {
      partitionKey: { name: "PK", type: AttributeType.STRING },
      sortKey: { name: "SK", type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      stream: StreamViewType.NEW_AND_OLD_IMAGES,
      timeToLiveAttribute: "ttl",
      deletionProtection: stage.deletionProtection,
      removalPolicy: removalPolicy(stage),
    });
    this.table.addGlobalSecondaryIndex({
      indexName: "GSI1" satisfies IndexName,
      partitionKey: { name: "GSI1PK", type: AttributeType.STRING },
      sortKey: { name: "GSI1SK", type: AttributeType.STRING },
      projectionType: ProjectionType.ALL,
    });
    this.table.addGlobalSecondaryIndex({
      indexName: "LEADERBOARD" satisfies IndexName,
      partitionKey: { name: "lb", type: AttributeType.STRING },
      sortKey: { name: "points", type: AttributeType.NUMBER },
      // A leaderboard shows names; the answers of a registration would only make each read and write dearer.
      projectionType: ProjectionType.INCLUDE,
      nonKeyAttributes: ["fname", "lname", "email"],
    });
    this.variables = { TABLE_NAME: this.table.tableName };
  }

  statements(actions: readonly TableAction[]): PolicyStatement[] {
    const onTable = actions.filter((action) => !action.startsWith("Query "));
    const indexes = actions
      .filter((action) => action.startsWith("Query "))
      .map((action) => action.slice("Query ".length));
    const statements = [
      new PolicyStatement({ actions: onTable.map((action) => `dynamodb:${action}`), resources: [this.table.tableArn] }),
    ];
    if (indexes.length > 0) {
      statements.push(
        new PolicyStatement({
          actions: ["dynamodb:Query"],
          resources: indexes.map((index) => `${this.table.tableArn}/index/${index}`),
        }),
      );
    }
    return statements;
  }
}
