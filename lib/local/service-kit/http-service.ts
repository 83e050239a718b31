/** A small HTTP server on the loopback interface. */
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface HttpRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** What follows the question mark, as it came. */
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

export interface HttpService {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  close(): Promise<void>;
}

export interface HttpServiceOptions {
  /** 0 or absent: any free one. */
  readonly port?: number;
  /** Bytes of the largest body. */
  readonly maximumBody: number;
  readonly answer: (request: HttpRequest) => HttpReply | Promise<HttpReply>;
}

/** Resolves when requests are answered. @throws Error when the port is taken */
export async function startHttpService({ port = 0, maximumBody, answer }: HttpServiceOptions): Promise<HttpService> {
  const server = createServer((request, response) => void serve(request, response));
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const body = await readBody(request, maximumBody);
      const { method = "GET", url = "/", headers } = request;
      const [path = "/", ...query] = url.split("?");
      const reply = await answer({ method, path, query: query.join("?"), headers, body });
      response.writeHead(reply.status, { ...reply.headers, "content-length": Buffer.byteLength(reply.body) });
      response.end(reply.body);
    } catch (problem) {
      if (request.destroyed && !request.complete) return; // The caller went away.
      console.error("local service: unexpected failure", problem);
      if (response.headersSent) response.destroy();
      else response.writeHead(500, { "content-type": "text/plain" }).end("Internal error");
    }
  }
  server.keepAliveTimeout = 60_000;
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readBody(request: IncomingMessage, maximum: number): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    // Read to the end all the same: leaving early would cut the connection before the answer arrives.
    if (size <= maximum) chunks.push(chunk);
  }
  return size > maximum ? undefined : Buffer.concat(chunks).toString("utf8");
}
