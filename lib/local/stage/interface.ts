/** How a local stage is started, and what it is to whoever has started it. */
import type { Bucket } from "../bucket/index.ts";
import type { Chat } from "../chat/index.ts";
import type { TableEngine, TableEngineOptions } from "../dynamodb/index.ts";
import type { LocalFunctions, StandIns } from "../functions/index.ts";
import type { FunctionLog } from "../functions/log.ts";
import type { IdentityService } from "../identity/index.ts";
import type { Mailbox } from "../mailbox/index.ts";
import type { Payments } from "../payments/index.ts";
import type { DeadLetter } from "./event-services.ts";
import type { StageOutputs } from "./outputs.ts";

export interface LocalStageOptions {
  /** Folder that the local stage was synthesized into. */
  readonly assembly: string;
  /** Of the API; the other services take the ports after it. 4000 when absent, 0: any free ones. */
  readonly port?: number;
  /** Where data, logs and `outputs.json` go. Absent: nothing is written to disk. */
  readonly directory?: string;
  /** Keep no data, even where there is a directory. */
  readonly memory?: boolean;
  /** Whether to create the accounts and events to begin with. True when absent. */
  readonly seed?: boolean;
  /** Whether overlapping writes are refused as in AWS, or for how many milliseconds a write occupies its items. */
  readonly conflicts?: boolean | number;
  /** Hears of every request to the table. */
  readonly onTableCall?: TableEngineOptions["onCall"];
  /** What runs in place of functions. */
  readonly standIns?: StandIns;
  /** Seconds until a message that a function failed at comes again. As the template says when absent. */
  readonly visibility?: number;
  /** Milliseconds before stream, bus and payment provider try again for the first time; 500 when absent. */
  readonly retryDelay?: number;
  /** Print everything that functions log. */
  readonly verbose?: boolean;
  /** Print not even errors of functions. */
  readonly quiet?: boolean;
}

export interface LocalStage {
  readonly outputs: StageOutputs;
  readonly engine: TableEngine;
  readonly identity: IdentityService;
  readonly functions: LocalFunctions;
  readonly bucket: Bucket;
  readonly mailbox: Mailbox;
  readonly chat: Chat;
  readonly payments: Payments;
  /** Lines that functions printed, where they go to no directory. */
  readonly logs: FunctionLog["lines"];
  /** Why seeding broke off, if it did. */
  readonly seedProblem?: Error;
  /** Calls a function by the name that it has in the stack, as `Events`. */
  invoke(functionName: string, event: unknown): Promise<unknown>;
  /** Address of a service by its name in `AWS_ENDPOINT_URL_<service>`, as `DYNAMODB`. */
  endpoint(service: string): string;
  /** The variables that a function finds. */
  environmentOf(functionName: string): Readonly<Record<string, string | undefined>>;
  /** Runs a schedule now, by its name in the stack, as `SweeperSchedule`. */
  runSchedule(name: string): Promise<void>;
  /** What nobody got done. */
  deadLetters(): readonly DeadLetter[];
  /**
   * Resolves when nothing is under way any more that a write, an event, a message or a schedule has set off. What
   * failed and waits to be tried again is not waited for.
   */
  settled(): Promise<void>;
  close(): Promise<void>;
}
