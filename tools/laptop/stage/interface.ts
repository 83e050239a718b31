/** The options of a local stage, and its interface while it runs. */
import type { JWK } from "jose";
import type { WholeCopy } from "../../kit/copy/whole-copy.ts";
import type { Bucket } from "../bucket/index.ts";
import type { Chat } from "../chat/index.ts";
import type { TableEngine, TableEngineOptions } from "../dynamodb/index.ts";
import type { LocalFunctions, StandIns } from "../functions/index.ts";
import type { FunctionLog } from "../functions/log.ts";
import type { AccessRequest } from "../iam/index.ts";
import type { IdentityService } from "../identity/index.ts";
import type { MailAccount } from "../mailbox/account.ts";
import type { Mailbox } from "../mailbox/index.ts";
import type { Payments } from "../payments/server/index.ts";
import type { DeadLetter } from "../queues/index.ts";
import type { Clock } from "../service-kit/clock.ts";
import type { StageOutputs } from "../service-kit/outputs.ts";

export interface LocalStageOptions {
  /** Folder that the local stage was synthesized into. */
  readonly assembly: string;
  /** The API's port; the other services take the ports after it. 4000 when absent, 0: any free ports. */
  readonly port?: number;
  /** Folder of data, logs and `outputs.json`. Absent: nothing is written to disk. */
  readonly directory?: string;
  /** Keep no data, even when there is a directory. */
  readonly memory?: boolean;
  /** Whether to create the first accounts and events. True when absent. */
  readonly seed?: boolean;
  /** A copy of a stage, with whose data this one begins. */
  readonly copy?: WholeCopy | undefined;
  /** Whether schedules run when they are due. True when absent. */
  readonly schedules?: boolean;
  /** Whether overlapping writes are refused as in AWS, or the milliseconds for which a write occupies its items. */
  readonly conflicts?: boolean | number;
  /** What SES refuses. Absent: the sender's domain is verified, and there are no limits. Changes take effect at once. */
  readonly mailAccount?: MailAccount;
  /** Called for every request to the table. */
  readonly onTableCall?: TableEngineOptions["onCall"];
  /** Called after each invocation of a function, by its name in the stack. */
  readonly onInvoked?: (functionName: string, milliseconds: number) => void;
  /** Milliseconds after which a write appears in the indexes of the table. Absent: at once. */
  readonly indexLag?: number | undefined;
  /** Milliseconds that each call of the table takes besides its work. Absent: none. */
  readonly callLatency?: number | undefined;
  /** Write units per second of each partition key of the table. Absent: no limit. */
  readonly partitionLimit?: number | undefined;
  /** Whether the gateway's own answers have CORS headers. True when absent. */
  readonly errorCors?: boolean | undefined;
  /** Invocations that may run at the same time, of all functions together. Absent: no limit. */
  readonly concurrency?: number | undefined;
  /**
   * The seed of the disorder that AWS allows: shards of the stream without an order, random order of queues, and repeats
   * of stream, queues and bus. Absent: all in one order and once.
   */
  readonly disorder?: number | undefined;
  /** Whether a permission is withheld from a function, by the function's name in the stack. For tests. */
  readonly withheld?: (functionName: string, request: AccessRequest) => boolean;
  /** Run in place of functions. */
  readonly standIns?: StandIns;
  /** Seconds until a message comes back after its function failed. The template's value when absent. */
  readonly visibility?: number;
  /** Time of the queues and of SES's limits. The machine's clock when absent. For tests. */
  readonly clock?: Clock;
  /** Makes the key pair of a user pool that has none yet, as its private key. Absent: a new one. For tests. */
  readonly makeKeyPair?: (() => Promise<JWK>) | undefined;
  /** Milliseconds before the first retry of stream, bus and payment provider; 500 when absent. */
  readonly retryDelay?: number;
  /** Print every line that functions log. */
  readonly verbose?: boolean;
  /** Do not even print the errors of functions. */
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
  /** The log lines of functions, if there is no directory for them. */
  readonly logs: FunctionLog["lines"];
  /** Calls a function by its name in the stack, for example `Events`. */
  invoke(functionName: string, event: unknown): Promise<unknown>;
  /** Address of a service by its name in `AWS_ENDPOINT_URL_<service>`, for example `DYNAMODB`. */
  endpoint(service: string): string;
  /** The environment variables of a function. */
  environmentOf(functionName: string): Readonly<Record<string, string | undefined>>;
  /** The permissions that the template gives to the functions, by the functions' names in the stack. */
  rights(): readonly { readonly functionName: string; readonly action: string; readonly resource: string }[];
  /** The next invocation of a function loads its bundle again. */
  restart(functionName: string): void;
  /** Runs a schedule now, by its name in the stack, for example `SweeperSchedule`. */
  runSchedule(name: string): Promise<void>;
  /** The messages in all dead-letter queues. */
  deadLetters(): readonly DeadLetter[];
  /**
   * Puts a message into a queue, as a rule does, or the stream that gives it up: it comes from no queue.
   * @param queue its name in the stack: `MailFailures`
   */
  giveUp(queue: string, body: string): void;
  /**
   * Moves the messages of a dead-letter queue back to the queues that they came from, as "Start DLQ redrive" does.
   * @param queue its name in the stack: `MailFailures`
   */
  redrive(queue: string): void;
  /**
   * Resolves when all work that a write, an event, a message or a schedule has triggered is done. It does not wait for
   * retries of failed work.
   */
  settled(): Promise<void>;
  close(): Promise<void>;
}
