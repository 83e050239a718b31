/** A table with the product's keys and indexes. */
import type { TableDefinition } from "../../dynamodb/index.ts";

const key = (partition: string, sort: string) => [
  { AttributeName: partition, KeyType: "HASH" as const },
  { AttributeName: sort, KeyType: "RANGE" as const },
];
const index = (IndexName: string, partition: string, sort: string) => ({
  IndexName,
  KeySchema: key(partition, sort),
  Projection: { ProjectionType: "ALL" },
});

export const givenDefinition = (more: Partial<TableDefinition> = {}): TableDefinition => ({
  TableName: "Club",
  AttributeDefinitions: [
    ...["PK", "SK", "GSI1PK", "GSI1SK", "lb"].map((AttributeName) => ({ AttributeName, AttributeType: "S" })),
    { AttributeName: "points", AttributeType: "N" },
  ],
  KeySchema: key("PK", "SK"),
  GlobalSecondaryIndexes: [index("GSI1", "GSI1PK", "GSI1SK"), index("Leaders", "lb", "points")],
  StreamSpecification: { StreamViewType: "NEW_AND_OLD_IMAGES" },
  TimeToLiveSpecification: { AttributeName: "ttl", Enabled: true },
  ...more,
});

export const givenKey = (partition: string, sort = "META") => ({ PK: { S: partition }, SK: { S: sort } });
