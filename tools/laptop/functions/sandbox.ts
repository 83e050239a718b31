/** One worker thread that runs a function's bundle; AWS calls it an execution environment. */
import { createInterface } from "node:readline";
import { Worker } from "node:worker_threads";

/** Lambda's configuration of a function. */
export interface FunctionDescription {
  readonly logicalId: string;
  readonly name: string;
  readonly arn: string;
  /** Folder of the bundle. */
  readonly folder: string;
  /** `<file>.<export>` */
  readonly handler: string;
  /** All variables of the function's `process.env`. */
  readonly environment: Readonly<Record<string, string>>;
  /** Milliseconds. */
  readonly timeout: number;
  /** Megabytes. */
  readonly memory: number;
  readonly logGroup: string;
  readonly logStream: string;
}

/** The reason of a failed invocation, as Lambda reports it. */
export interface Failure {
  /** For example `Runtime.ExitError`, or the name of the error that the handler threw. */
  readonly errorType: string;
  readonly errorMessage: string;
  readonly trace?: readonly string[];
  /** The invocation used up its time. Then Lambda stops it, and the function's own runtime prints nothing. */
  readonly hasTimedOut?: true;
}

/** One call of the handler. Exactly one of `succeed` and `fail` is called, once. */
export interface Invocation {
  readonly id: number;
  /** JSON. */
  readonly event: string;
  readonly requestId: string;
  /** Gets JSON. */
  readonly succeed: (result: string) => void;
  readonly fail: (failure: Failure) => void;
}

export interface SandboxListener {
  /** Gets every line that the function prints. */
  print(line: string): void;
  /** Gets the same text again, when an invocation printed it. */
  printed(requestId: string, text: string): void;
  /** Called when another invocation can run. */
  room(): void;
  /** Called when the sandbox broke and takes no invocations any more. `loaded`: whether the bundle had loaded. */
  gone(failure: Failure, loaded: boolean): void;
  /** Called when the thread has ended, for any reason. */
  exited(): void;
}

type WorkerMessage =
  | { readonly ready: true }
  | { readonly failed: Failure }
  | { readonly pong: number }
  | { readonly printed: string; readonly requestId: string }
  | { readonly id: number; readonly result: string }
  | { readonly id: number; readonly error: Failure };

/** Invocations that one worker runs at the same time. Lambda would start a sandbox for each. */
const maxAtOnce = 100;
/** Milliseconds that loading the bundle may take: long, as a busy machine is no broken bundle. */
const startTimeout = 60_000;
/** Milliseconds after which a worker that does not answer counts as stuck. */
const pingTimeout = 5_000;

export class Sandbox {
  private readonly description: FunctionDescription;
  private readonly listener: SandboxListener;
  private readonly worker: Worker;
  private readonly running = new Map<number, { readonly invocation: Invocation; readonly timer: NodeJS.Timeout }>();
  private readonly startTimer: NodeJS.Timeout;
  private pingTimer: NodeJS.Timeout | undefined;
  private loaded = false;
  private state: "open" | "retired" | "gone" = "open";

  constructor(description: FunctionDescription, listener: SandboxListener) {
    this.description = description;
    this.listener = listener;
    const { folder, handler, arn, name, memory, logGroup, logStream, environment } = description;
    this.worker = new Worker(new URL("./worker.mjs", import.meta.url), {
      workerData: { folder, handler, arn, name, memory, logGroup, logStream },
      env: { ...environment },
      argv: [],
      // Without the loader of this process: the function runs in plain Node.
      execArgv: [],
      stdout: true,
      stderr: true,
      // Young objects have V8's own limit: with a third of it, lists take a tenth more time.
      resourceLimits: { maxOldGenerationSizeMb: memory },
    });
    const late = `Init did not end within ${startTimeout / 1_000} seconds`;
    this.startTimer = setTimeout(() => this.end({ errorType: "Sandbox.Timedout", errorMessage: late }), startTimeout);
    for (const stream of [this.worker.stdout, this.worker.stderr]) createInterface(stream).on("line", listener.print);
    this.worker.on("message", (message: WorkerMessage) => this.hear(message));
    this.worker.on("error", ({ message, stack, code }: NodeJS.ErrnoException) => {
      const errorType = code === "ERR_WORKER_OUT_OF_MEMORY" ? "Runtime.OutOfMemory" : "Runtime.UncaughtException";
      this.end({ errorType, errorMessage: message, trace: stack?.split("\n") });
    });
    this.worker.on("exit", (code) => {
      this.end({ errorType: "Runtime.ExitError", errorMessage: `Runtime exited with status ${code}` });
      listener.exited();
    });
  }

  get hasRoom(): boolean {
    return this.loaded && this.state === "open" && this.running.size < maxAtOnce;
  }

  run(invocation: Invocation): void {
    const { id, event, requestId } = invocation;
    const { timeout } = this.description;
    const timer = setTimeout(() => this.expire(invocation), timeout);
    this.running.set(id, { invocation, timer });
    this.worker.postMessage({ id, event, requestId, deadline: Date.now() + timeout });
  }

  /** Takes no more invocations, and ends after its last one. */
  retire(): void {
    this.state = "retired";
    if (this.running.size === 0) void this.terminate();
  }

  /** Ends at once. Running invocations fail with this reason. */
  async stop(reason: Failure): Promise<void> {
    this.end(reason);
    await this.terminate();
  }

  private async terminate(): Promise<void> {
    this.state = "gone";
    clearTimeout(this.startTimer);
    clearTimeout(this.pingTimer);
    await this.worker.terminate();
  }

  private hear(message: WorkerMessage): void {
    if ("ready" in message) {
      clearTimeout(this.startTimer);
      this.loaded = true;
      this.listener.room();
    } else if ("failed" in message) {
      const { errorType, errorMessage, trace } = message.failed;
      this.end({ errorType: "Runtime.ImportModuleError", errorMessage: `${errorType}: ${errorMessage}`, trace });
    } else if ("pong" in message) {
      clearTimeout(this.pingTimer);
      this.pingTimer = undefined;
    } else if ("printed" in message) {
      this.listener.printed(message.requestId, message.printed);
    } else if ("error" in message) {
      this.settle(message.id)?.fail(message.error);
    } else {
      this.settle(message.id)?.succeed(message.result);
    }
  }

  /** Removes an invocation; undefined when its time was over before. */
  private settle(id: number): Invocation | undefined {
    const found = this.running.get(id);
    if (!found) return undefined;
    clearTimeout(found.timer);
    this.running.delete(id);
    if (this.state === "open") this.listener.room();
    if (this.state === "retired" && this.running.size === 0) void this.terminate();
    return found.invocation;
  }

  /**
   * Fails an invocation whose time is over. Lambda would stop the sandbox. Here other invocations share it, so it is
   * stopped only when it does not answer any more.
   */
  private expire({ id }: Invocation): void {
    const seconds = (this.description.timeout / 1_000).toFixed(2);
    const errorType = "Sandbox.Timedout";
    this.settle(id)?.fail({
      errorType,
      errorMessage: `Task timed out after ${seconds} seconds`,
      hasTimedOut: true,
    });
    if (this.pingTimer || this.state === "gone") return;
    this.pingTimer = setTimeout(() => this.end({ errorType, errorMessage: "Task is stuck" }), pingTimeout);
    this.worker.postMessage({ ping: id });
  }

  /** Ends the broken sandbox; all its invocations fail. */
  private end(failure: Failure): void {
    if (this.state === "gone") return;
    const lost = [...this.running.values()];
    this.running.clear();
    void this.terminate();
    for (const { invocation, timer } of lost) {
      clearTimeout(timer);
      invocation.fail(failure);
    }
    this.listener.gone(failure, this.loaded);
  }
}
