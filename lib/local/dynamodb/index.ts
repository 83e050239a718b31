/** The local stage's DynamoDB: dynalite, with transactions, conflicts, stream and expiry added. */
export { RequestFailed, type TableDefinition } from "./protocol.ts";
export { type AnsweredCall, startTableEngine, type TableEngine, type TableEngineOptions } from "./server.ts";
export type { StreamLog, StreamRecord } from "./stream-log.ts";
