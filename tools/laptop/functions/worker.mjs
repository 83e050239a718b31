// @ts-check
/**
 * One Lambda function inside a worker thread: loads the bundle and runs its handler, several invocations at once. This
 * file is plain JavaScript, because a worker thread starts without the loader of the local stage.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { format } from "node:util";
import { parentPort, workerData } from "node:worker_threads";

/**
 * @typedef {{ folder: string, handler: string, arn: string, name: string, memory: number, logGroup: string,
 *   logStream: string }} FunctionDescription
 * @typedef {{ id: number, event: string, requestId: string, deadline: number }} Invocation
 * @typedef {(event: unknown, context: object) => unknown} Handler
 */

const port = /** @type {import("node:worker_threads").MessagePort} */ (parentPort);
const description = /** @type {FunctionDescription} */ (workerData);
const invocations = /** @type {AsyncLocalStorage<Invocation>} */ (new AsyncLocalStorage());

/** Lambda's log format "JSON": every call of `console` prints one object. */
for (const level of /** @type {const} */ (["trace", "debug", "log", "info", "warn", "error"])) {
  console[level] = (...values) => {
    const requestId = invocations.getStore()?.requestId;
    const line = { timestamp: new Date().toISOString(), level: level === "log" ? "INFO" : level.toUpperCase() };
    process.stdout.write(`${JSON.stringify({ ...line, requestId, message: format(...values) })}\n`);
  };
}

/** Also reports which invocation printed a text: lines of the functions' own logger do not name it. */
for (const stream of [process.stdout, process.stderr]) {
  const write = stream.write.bind(stream);
  stream.write = (/** @type {any} */ chunk, /** @type {any[]} */ ...rest) => {
    const requestId = invocations.getStore()?.requestId;
    if (requestId !== undefined) port.postMessage({ printed: Buffer.from(chunk).toString(), requestId });
    return write(chunk, ...rest);
  };
}

// Node prints its warnings (an old version, a deprecation) as errors.
process.removeAllListeners("warning");
process.on("warning", ({ name, message }) => console.warn(`${name}: ${message}`));

/** @returns {Promise<Handler>} */
async function loadHandler() {
  const [file = "", name = ""] = description.handler.split(".");
  const path = ["mjs", "js", "cjs"].map((suffix) => join(description.folder, `${file}.${suffix}`)).find(existsSync);
  if (path === undefined) throw new Error(`Cannot find module '${file}'`);
  const handler = (await import(pathToFileURL(path).href))[name];
  if (typeof handler !== "function") throw new Error(`${description.handler} is undefined or not exported`);
  return handler;
}

/** @param {unknown} error */
const describe = (error) =>
  error instanceof Error
    ? { errorType: error.name, errorMessage: error.message, trace: String(error.stack).split("\n") }
    : { errorType: typeof error, errorMessage: String(error), trace: [] };

/** @param {Handler} handler @param {Invocation} invocation */
async function run(handler, invocation) {
  const { id, event, requestId, deadline } = invocation;
  const context = {
    awsRequestId: requestId,
    functionName: description.name,
    functionVersion: "$LATEST",
    invokedFunctionArn: description.arn,
    memoryLimitInMB: String(description.memory),
    logGroupName: description.logGroup,
    logStreamName: description.logStream,
    callbackWaitsForEmptyEventLoop: true,
    getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
  };
  try {
    const result = await invocations.run(invocation, async () => handler(JSON.parse(event), context));
    port.postMessage({ id, result: JSON.stringify(result) ?? "null" });
  } catch (error) {
    port.postMessage({ id, error: describe(error) });
  }
}

try {
  const handler = await loadHandler();
  port.on("message", (message) => {
    if (message.ping !== undefined) port.postMessage({ pong: message.ping });
    else void run(handler, message);
  });
  port.postMessage({ ready: true });
} catch (error) {
  port.postMessage({ failed: describe(error) });
}
