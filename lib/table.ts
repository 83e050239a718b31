/** The one table of the service (`docs/design.md`, "The data model"). Items and keys: the `store.ts` of each area. */

import {
  AttributeType,
  BillingMode,
  type ITable,
  ProjectionType,
  StreamViewType,
  Table,
} from "aws-cdk-lib/aws-dynamodb";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { Construct } from "constructs";
import { listedAttributes } from "#domain/registrations/record/stored-form.ts";
import type { TableAction } from "#kit/function.ts";
import type { Usable, Variables } from "./function.ts";
import { removalPolicy } from "./removal.ts";
import type { StageConfig } from "./stages.ts";

/**
 * GSI1: lists of events and people. REGISTRATIONS: the registrations of an event. LEADERBOARD: by points. A name has at
 * least three characters.
 */
type IndexName = "GSI1" | "REGISTRATIONS" | "LEADERBOARD";

/** Of queries, only those of the table's own indexes. */
export type KnownTableAction = Exclude<TableAction, `Query ${string}`> | `Query ${IndexName}`;

export class ClubTable extends Construct implements Usable<KnownTableAction> {
  /** The table that the functions use. */
  readonly table: ITable;
  readonly indexNames = ["GSI1", "REGISTRATIONS", "LEADERBOARD"] as const satisfies readonly IndexName[];
  readonly variables: Variables;

  constructor(scope: Construct, id: string, { stage }: { readonly stage: StageConfig }) {
    super(scope, id);
    const { reads, writes } = stage.tableThroughput;
    // Of the table and of each index by itself; AWS enforces them as well as it can.
    // https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode-max-throughput.html
    const limits = { maxReadRequestUnits: reads, maxWriteRequestUnits: writes };
    // Table, not TableV2 (AWS::DynamoDB::GlobalTable): with one region, stream, recovery and protection are properties of
    // the table itself and not of a replica, so the template is easier to read.
    const own = new Table(this, "Resource", {
      partitionKey: { name: "PK", type: AttributeType.STRING },
      sortKey: { name: "SK", type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      ...limits,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      stream: StreamViewType.NEW_AND_OLD_IMAGES,
      timeToLiveAttribute: "ttl",
      deletionProtection: stage.deletionProtection,
      removalPolicy: removalPolicy(stage),
    });
    own.addGlobalSecondaryIndex({
      indexName: "GSI1" satisfies IndexName,
      ...limits,
      partitionKey: { name: "GSI1PK", type: AttributeType.STRING },
      sortKey: { name: "GSI1SK", type: AttributeType.STRING },
      projectionType: ProjectionType.ALL,
    });
    own.addGlobalSecondaryIndex({
      indexName: "REGISTRATIONS" satisfies IndexName,
      ...limits,
      // A registration is in the person's partition, with the event as sort key. Only registrations have a queueKey.
      partitionKey: { name: "SK", type: AttributeType.STRING },
      sortKey: { name: "queueKey", type: AttributeType.STRING },
      // Internal attributes would make each row of a list more expensive.
      projectionType: ProjectionType.INCLUDE,
      nonKeyAttributes: [...listedAttributes],
    });
    own.addGlobalSecondaryIndex({
      indexName: "LEADERBOARD" satisfies IndexName,
      ...limits,
      partitionKey: { name: "leaderboard", type: AttributeType.STRING },
      sortKey: { name: "points", type: AttributeType.NUMBER },
      // A leaderboard shows names. A registration's answers would only make reads and writes more expensive.
      projectionType: ProjectionType.INCLUDE,
      nonKeyAttributes: ["fname", "lname", "email"],
    });
    // The stack keeps its own table in addition to a restored one: nothing is deleted, and a deploy reverts the change.
    const { restoredTable } = stage;
    this.table = restoredTable
      ? Table.fromTableAttributes(this, "Restored", {
          tableName: restoredTable.tableName,
          tableStreamArn: restoredTable.streamArn,
        })
      : own;
    this.variables = { TABLE_NAME: this.table.tableName };
  }

  statements(actions: readonly KnownTableAction[]): PolicyStatement[] {
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
