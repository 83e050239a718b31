/** The HTTP server of the gateway: sockets, bodies, and errors before a request is complete. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { callerHasLeft, listen, readBody } from "../service-kit/http-server.ts";
import { type GatewayResponse, gatewayError } from "./response.ts";

/** Bytes of request line and headers together: API Gateway's quota. */
const maxHeaderSize = 10_240;
/** Bytes: API Gateway's quota for a request. */
const maxBody = 10 * 1024 * 1024;
/** Connections that may wait to be accepted; a rush opens hundreds at once. */
const backlog = 4_096;

/** @param body undefined when it is larger than the gateway takes */
type Answer = (message: IncomingMessage, body: Buffer | undefined) => Promise<GatewayResponse>;

/** Starts listening on the loopback interface; port 0 is a free one. */
export async function startServer(port: number, answer: Answer): Promise<{ server: Server; url: string }> {
  const server = createServer(
    { maxHeaderSize, requireHostHeader: false, requestTimeout: 60_000 },
    (message, response) => serve(message, response, answer),
  );
  server.keepAliveTimeout = 75_000;
  server.on("checkExpectation", (message, response) => serve(message, response, answer));
  server.on("clientError", refuse);
  return { server, url: await listen(server, { port, backlog }) };
}

async function serve(message: IncomingMessage, response: ServerResponse, answer: Answer): Promise<void> {
  try {
    send(response, await answer(message, await readBody(message, maxBody)));
  } catch (problem) {
    if (callerHasLeft(message)) return;
    console.error("http api: unexpected failure", problem);
    if (response.headersSent) response.destroy();
    else send(response, gatewayError(500));
  }
}

function send(response: ServerResponse, { status, headers, cookies = [], body }: GatewayResponse): void {
  if (response.destroyed) return;
  const bodiless = status === 204 || status === 304;
  response.writeHead(status, {
    ...headers,
    ...(cookies.length > 0 && { "set-cookie": [...cookies] }),
    ...(!bodiless && { "content-length": body.length }),
  });
  response.end(bodiless ? undefined : body);
}

/** Answers bytes that are not an HTTP request: Node alone would close the connection without an answer. */
function refuse(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const status = error.code === "HPE_HEADER_OVERFLOW" ? 431 : error.code === "ERR_HTTP_REQUEST_TIMEOUT" ? 408 : 400;
  const { body } = gatewayError(status);
  const head = [`HTTP/1.1 ${status} Error`, "content-type: application/json", `content-length: ${body.length}`];
  socket.end(`${[...head, "connection: close"].join("\r\n")}\r\n\r\n${body.toString()}`);
}
