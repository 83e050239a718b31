/** A small HTTP server on the loopback interface. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { callerHasLeft, closeServer, listen, readBody } from "./http-server.ts";

export interface HttpRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** The part after the question mark, not decoded. */
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  /** The body as text, undefined when it is larger than allowed. */
  readonly body: string | undefined;
}

export interface HttpReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

/** An answer, or `cut`: the caller's connection ends without one. */
export type Reply = HttpReply | "cut";

export interface HttpService {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  close(): Promise<void>;
}

export interface HttpServiceOptions {
  /** 0 or absent: any free port. */
  readonly port?: number | undefined;
  /** Bytes of the largest body. */
  readonly maximumBody: number;
  readonly answer: (request: HttpRequest) => Reply | Promise<Reply>;
}

/** Resolves when requests are answered. @throws Error when the port is taken */
export async function startHttpService({ port = 0, maximumBody, answer }: HttpServiceOptions): Promise<HttpService> {
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
      console.error("local service: unexpected failure", problem);
      if (response.headersSent) response.destroy();
      else response.writeHead(500, { "content-type": "text/plain" }).end("Internal error");
    }
  }
  server.keepAliveTimeout = 60_000;
  return { url: await listen(server, { port }), close: () => closeServer(server) };
}
