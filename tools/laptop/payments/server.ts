/** The HTTP server of the provider. In contrast to that of the other services, it can cut a connection. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { callerHasLeft, closeServer, listen, readBody } from "../service-kit/http-server.ts";
import type { HttpReply, HttpRequest, HttpService, HttpServiceOptions } from "../service-kit/http-service.ts";

/** An answer, or `cut`: the caller's connection ends without one. */
export type Reply = HttpReply | "cut";

export interface ServerOptions extends Omit<HttpServiceOptions, "answer"> {
  readonly answer: (request: HttpRequest) => Promise<Reply>;
}

/** Resolves when requests are answered. @throws Error when the port is taken */
export async function startServer({ port = 0, maximumBody, answer }: ServerOptions): Promise<HttpService> {
  const server = createServer((request, response) => void serve(request, response));
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const body = (await readBody(request, maximumBody))?.toString("utf8");
      const { method = "GET", url = "/", headers } = request;
      const [path = "/", ...query] = url.split("?");
      const reply = await answer({ method, path, query: query.join("?"), headers, body });
      if (reply === "cut") {
        request.socket.destroy();
        return;
      }
      response.writeHead(reply.status, { ...reply.headers, "content-length": Buffer.byteLength(reply.body) });
      response.end(reply.body);
    } catch (problem) {
      if (callerHasLeft(request)) return;
      console.error("local payment provider: unexpected failure", problem);
      if (response.headersSent) response.destroy();
      else response.writeHead(500, { "content-type": "text/plain" }).end("Internal error");
    }
  }
  server.keepAliveTimeout = 60_000;
  return { url: await listen(server, { port }), close: () => closeServer(server) };
}
