/** The local stage's DynamoDB: dynalite, with the transactions, conflicts, stream and expiry that it lacks. */
export type { Call } from "./engine.ts";
export type { TableDefinition } from "./protocol.ts";
export { startTableEngine, type TableEngine, type TableEngineOptions } from "./server.ts";
export type { StreamLog, StreamRecord } from "./stream-log.ts";
