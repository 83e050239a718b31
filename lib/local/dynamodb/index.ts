/** The local stage's DynamoDB: dynalite, with the transactions, conflicts, stream and expiry that it lacks. */
export { RequestFailed, type TableDefinition } from "./protocol.ts";
export { type AnsweredCall, type Call, startTableEngine, type TableEngine, type TableEngineOptions } from "./server.ts";
export type { StreamLog, StreamRecord } from "./stream-log.ts";
