/** The local stage's DynamoDB: dynalite, with transactions, conflicts, stream and expiry added. */

export type { AnsweredCall } from "./call.ts";
export type { TableDefinition } from "./protocol.ts";
export { startTableEngine, type TableEngine, type TableEngineOptions } from "./server.ts";
export type { StreamLog, StreamRecord } from "./stream-log.ts";
export { partitionLimit } from "./throughput.ts";
