/** One Lambda function with its real bundle: a queue of invocations, and the sandbox that runs them. */
import { randomUUID } from "node:crypto";
import { type Failure, type FunctionDescription, type Invocation, Sandbox } from "./sandbox.ts";

export type { FunctionDescription } from "./sandbox.ts";

/** A failed invocation, with the error that Lambda would report. */
class FunctionFailed extends Error {
  /** For example `Runtime.ExitError`, or the name of the error that the handler threw. */
  readonly errorType: string;

  constructor({ errorType, errorMessage }: Failure) {
    super(errorMessage);
    this.errorType = errorType;
  }
}

/** Bytes of an event or a result, as JSON: Lambda's quota. */
const largestPayload = 6 * 1024 * 1024;

const stopping: Failure = { errorType: "ServiceException", errorMessage: "The local stage is stopping." };

const tooLarge: Failure = { errorType: "RequestEntityTooLarge", errorMessage: "The event is larger than 6 MB." };

export class FunctionRuntime {
  private readonly description: FunctionDescription;
  private readonly print: (line: string) => void;
  private readonly printed: (requestId: string, text: string) => void;
  private readonly queue: Invocation[] = [];
  private readonly sandboxes = new Set<Sandbox>();
  private current: Sandbox | undefined;
  private lastId = 0;
  private closed = false;

  /** `print` gets every line that the function writes; `printed` gets those of an invocation once more, with its id. */
  constructor(
    description: FunctionDescription,
    { print, printed }: { print(line: string): void; printed(requestId: string, text: string): void },
  ) {
    this.description = description;
    this.print = print;
    this.printed = printed;
  }

  /**
   * Runs the handler and resolves to its result, after a round trip through JSON.
   * @throws FunctionFailed when the handler throws, does not load, runs out of time or memory, or ends its process
   */
  invoke(event: unknown, requestId: string = randomUUID()): Promise<unknown> {
    const text = JSON.stringify(event);
    return new Promise((resolve, reject) => {
      const fail = (failure: Failure): void => {
        this.report(failure, requestId);
        reject(new FunctionFailed(failure));
      };
      const succeed = (result: string): void => {
        if (!isTooLarge(result)) resolve(JSON.parse(result));
        else fail({ errorType: "Function.ResponseSizeTooLarge", errorMessage: "The response is larger than 6 MB." });
      };
      if (this.closed) return reject(new FunctionFailed(stopping));
      if (isTooLarge(text)) return reject(new FunctionFailed(tooLarge));
      this.queue.push({ id: ++this.lastId, event: text, requestId, succeed, fail });
      this.dispatch();
    });
  }

  /** The next invocation loads the bundle again. Running invocations continue to their end. */
  restart(): void {
    this.current?.retire();
    this.current = undefined;
    this.dispatch();
  }

  async close(): Promise<void> {
    this.closed = true;
    for (const invocation of this.queue.splice(0)) invocation.fail(stopping);
    await Promise.all([...this.sandboxes].map((sandbox) => sandbox.stop(stopping)));
  }

  private dispatch(): void {
    if (this.queue.length === 0 || this.closed) return;
    this.current ??= this.start();
    while (this.current.hasRoom) {
      const invocation = this.queue.shift();
      if (!invocation) return;
      this.current.run(invocation);
    }
  }

  private start(): Sandbox {
    const sandbox = new Sandbox(this.description, {
      print: this.print,
      printed: this.printed,
      room: () => this.dispatch(),
      gone: (failure, loaded) => {
        if (this.current !== sandbox) return;
        this.current = undefined;
        // When the bundle does not load, all waiting invocations fail; otherwise they would start it again forever.
        if (!loaded) for (const invocation of this.queue.splice(0)) invocation.fail(failure);
        this.dispatch();
      },
      exited: () => this.sandboxes.delete(sandbox),
    });
    this.sandboxes.add(sandbox);
    return sandbox;
  }

  /** Logs why an invocation failed, as Lambda does in its JSON log format. */
  private report({ errorType, errorMessage, trace, hasTimedOut }: Failure, requestId: string): void {
    const now = new Date().toISOString();
    const line = hasTimedOut
      ? this.reportOfTimeout(now, requestId)
      : { timestamp: now, level: "ERROR", requestId, errorType, message: errorMessage, stackTrace: trace };
    this.print(JSON.stringify(line));
    this.printed(requestId, JSON.stringify(line));
  }

  /**
   * Lambda's own record of an invocation that ran out of time, without the memory that it used. It has no level.
   * https://docs.aws.amazon.com/lambda/latest/dg/telemetry-schema-reference.html
   */
  private reportOfTimeout(time: string, requestId: string): object {
    const { timeout, memory } = this.description;
    const metrics = { durationMs: timeout, billedDurationMs: timeout, memorySizeMB: memory };
    return { time, type: "platform.report", record: { requestId, metrics, status: "timeout" } };
  }
}

const isTooLarge = (text: string): boolean => text.length > largestPayload || Buffer.byteLength(text) > largestPayload;
