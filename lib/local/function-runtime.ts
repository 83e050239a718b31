/** One Lambda function as it ships, running in a worker thread of its own. */
import { randomUUID } from "node:crypto";
import { createInterface } from "node:readline";
import { Worker } from "node:worker_threads";

/** What Lambda knows of a function. */
export interface FunctionDescription {
  readonly logicalId: string;
  readonly name: string;
  readonly arn: string;
  /** Folder of the bundle. */
  readonly folder: string;
  /** `<file>.<export>` */
  readonly handler: string;
  /** All that the function will find in `process.env`. */
  readonly environment: Readonly<Record<string, string>>;
  /** Milliseconds. */
  readonly timeout: number;
  /** Megabytes. */
  readonly memory: number;
  readonly logGroup: string;
  readonly logStream: string;
}

/** An invocation that failed, with what Lambda would report. */
export class FunctionFailed extends Error {
  /** As `Runtime.ExitError`, or the name of the error that the handler threw. */
  readonly errorType: string;

  constructor(errorType: string, message: string) {
    super(message);
    this.errorType = errorType;
  }
}

/** Invocations that one worker runs at once; Lambda would start as many sandboxes, each with a single one. */
const mostAtOnce = 100;
/** Milliseconds that loading the bundle may take. */
const startTimeout = 10_000;
/** Milliseconds after which a worker that does not answer is taken for stuck. */
const pingTimeout = 1_000;
/** Bytes of an event or a result, as JSON. */
const largestPayload = 6 * 1024 * 1024;

interface Invocation {
  readonly id: number;
  readonly event: string;
  readonly requestId: string;
  readonly succeed: (result: unknown) => void;
  readonly fail: (problem: FunctionFailed) => void;
  timer?: NodeJS.Timeout;
}

interface Failure {
  readonly errorType: string;
  readonly errorMessage: string;
  readonly trace: readonly string[];
}

type WorkerMessage =
  | { readonly ready: true }
  | { readonly failed: Failure }
  | { readonly pong: number }
  | { readonly id: number; readonly result: string }
  | { readonly id: number; readonly error: Failure };

/** A worker and the invocations that it has. */
interface Sandbox {
  readonly worker: Worker;
  readonly running: Map<number, Invocation>;
  ready: boolean;
  /** No further invocations: ends with its last one. */
  retired: boolean;
  startTimer?: NodeJS.Timeout;
  pingTimer?: NodeJS.Timeout;
}

export class FunctionRuntime {
  private readonly description: FunctionDescription;
  private readonly print: (line: string) => void;
  private readonly queue: Invocation[] = [];
  private readonly sandboxes = new Set<Sandbox>();
  private current: Sandbox | undefined;
  private lastId = 0;
  private closed = false;

  /** `print` gets every line that the function writes. */
  constructor(description: FunctionDescription, print: (line: string) => void) {
    this.description = description;
    this.print = print;
  }

  /**
   * Runs the handler and resolves to what it returns, after a round trip through JSON.
   * @throws FunctionFailed when the handler throws, does not load, runs out of time or memory, or ends its process
   */
  invoke(event: unknown, requestId: string = randomUUID()): Promise<unknown> {
    const text = JSON.stringify(event);
    if (Buffer.byteLength(text) > largestPayload) {
      return Promise.reject(new FunctionFailed("RequestEntityTooLarge", "The event is larger than 6 MB."));
    }
    return new Promise((succeed, fail) => {
      if (this.closed) throw new FunctionFailed("ServiceException", "The local stage is stopping.");
      this.queue.push({ id: ++this.lastId, event: text, requestId, succeed, fail });
      this.dispatch();
    });
  }

  /** The next invocation finds the bundle as it is then. What is running runs to its end. */
  restart(): void {
    const old = this.current;
    this.current = undefined;
    if (old) this.retire(old);
    this.dispatch();
  }

  async close(): Promise<void> {
    this.closed = true;
    for (const invocation of this.queue.splice(0)) {
      invocation.fail(new FunctionFailed("ServiceException", "The local stage is stopping."));
    }
    await Promise.all([...this.sandboxes].map(({ worker }) => worker.terminate()));
  }

  private dispatch(): void {
    if (this.queue.length === 0 || this.closed) return;
    this.current ??= this.start();
    const sandbox = this.current;
    while (sandbox.ready && sandbox.running.size < mostAtOnce) {
      const invocation = this.queue.shift();
      if (!invocation) return;
      this.run(sandbox, invocation);
    }
  }

  private run(sandbox: Sandbox, invocation: Invocation): void {
    const { timeout } = this.description;
    const { id, event, requestId } = invocation;
    sandbox.running.set(id, invocation);
    sandbox.worker.postMessage({ id, event, requestId, deadline: Date.now() + timeout });
    invocation.timer = setTimeout(() => this.expire(sandbox, invocation), timeout);
  }

  private start(): Sandbox {
    const { folder, handler, arn, name, memory, logGroup, logStream, environment } = this.description;
    const worker = new Worker(new URL("./function-worker.mjs", import.meta.url), {
      workerData: { folder, handler, arn, name, memory, logGroup, logStream },
      env: { ...environment },
      argv: [],
      // Not the loader of this process: the function gets Node as it is.
      execArgv: [],
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: memory },
    });
    const sandbox: Sandbox = { worker, running: new Map(), ready: false, retired: false };
    this.sandboxes.add(sandbox);
    sandbox.startTimer = setTimeout(
      () => this.abandon(sandbox, "Sandbox.Timedout", `Init did not end within ${startTimeout / 1_000} seconds`),
      startTimeout,
    );
    for (const stream of [worker.stdout, worker.stderr]) createInterface(stream).on("line", this.print);
    worker.on("message", (message: WorkerMessage) => this.hear(sandbox, message));
    worker.on("error", (error: Error & { code?: string }) => {
      const type = error.code === "ERR_WORKER_OUT_OF_MEMORY" ? "Runtime.OutOfMemory" : "Runtime.UncaughtException";
      this.abandon(sandbox, type, error.message, error.stack?.split("\n"));
    });
    worker.on("exit", (code) => {
      this.abandon(sandbox, "Runtime.ExitError", `Runtime exited with status ${code}`);
      this.sandboxes.delete(sandbox);
    });
    return sandbox;
  }

  private hear(sandbox: Sandbox, message: WorkerMessage): void {
    if ("ready" in message) {
      clearTimeout(sandbox.startTimer);
      sandbox.ready = true;
    } else if ("failed" in message) {
      const { errorType, errorMessage, trace } = message.failed;
      this.abandon(sandbox, "Runtime.ImportModuleError", `${errorType}: ${errorMessage}`, trace);
    } else if ("pong" in message) {
      clearTimeout(sandbox.pingTimer);
      sandbox.pingTimer = undefined;
    } else {
      this.finish(sandbox, message);
    }
    this.dispatch();
  }

  private finish(sandbox: Sandbox, message: { id: number; result: string } | { id: number; error: Failure }): void {
    const invocation = sandbox.running.get(message.id);
    if (!invocation) return; // Answered after its time was over.
    this.settled(sandbox, invocation);
    if ("error" in message) {
      const { errorType, errorMessage, trace } = message.error;
      this.report(invocation, errorType, errorMessage, trace);
    } else if (Buffer.byteLength(message.result) > largestPayload) {
      this.report(invocation, "Function.ResponseSizeTooLarge", "The response is larger than 6 MB");
    } else {
      invocation.succeed(JSON.parse(message.result));
    }
  }

  /**
   * Fails an invocation whose time is over. Lambda would stop the sandbox; here others share it, so that is only done
   * when it does not answer any more.
   */
  private expire(sandbox: Sandbox, invocation: Invocation): void {
    const seconds = (this.description.timeout / 1_000).toFixed(2);
    this.settled(sandbox, invocation);
    this.report(invocation, "Sandbox.Timedout", `Task timed out after ${seconds} seconds`);
    if (sandbox.pingTimer) return;
    sandbox.pingTimer = setTimeout(() => this.abandon(sandbox, "Sandbox.Timedout", "Task is stuck"), pingTimeout);
    sandbox.worker.postMessage({ ping: invocation.id });
  }

  /** Ends a sandbox that is broken; whoever waits gets a new one. */
  private abandon(sandbox: Sandbox, errorType: string, message: string, trace?: readonly string[]): void {
    clearTimeout(sandbox.startTimer);
    clearTimeout(sandbox.pingTimer);
    const lost = [...sandbox.running.values()];
    // A bundle that does not even load fails those who waited for it, or they would start it again for ever.
    if (!sandbox.ready && this.current === sandbox) lost.push(...this.queue.splice(0, mostAtOnce));
    for (const invocation of lost) {
      this.settled(sandbox, invocation);
      this.report(invocation, errorType, message, trace);
    }
    if (this.current === sandbox) this.current = undefined;
    sandbox.retired = true;
    void sandbox.worker.terminate();
    this.dispatch();
  }

  private settled(sandbox: Sandbox, invocation: Invocation): void {
    clearTimeout(invocation.timer);
    sandbox.running.delete(invocation.id);
    if (sandbox.retired) this.retire(sandbox);
  }

  private retire(sandbox: Sandbox): void {
    sandbox.retired = true;
    if (sandbox.running.size === 0) void sandbox.worker.terminate();
  }

  /** Fails an invocation and logs why, as Lambda's runtime does in its JSON log format. */
  private report(invocation: Invocation, errorType: string, message: string, trace?: readonly string[]): void {
    const { requestId } = invocation;
    const timestamp = new Date().toISOString();
    this.print(JSON.stringify({ timestamp, level: "ERROR", requestId, errorType, message, stackTrace: trace }));
    invocation.fail(new FunctionFailed(errorType, message));
  }
}
