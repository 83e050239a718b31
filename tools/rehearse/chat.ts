/** The club's chat of a rehearsal: an incoming webhook that counts posts. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface Chat {
  readonly url: string;
  /** How many messages were posted since the last call. */
  posts(): number;
  stop(): void;
}

export async function startChat(): Promise<Chat> {
  let count = 0;
  const server = createServer((request, response) => {
    count += 1;
    request.resume();
    response.end("ok");
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    posts() {
      const posted = count;
      count = 0;
      return posted;
    },
    stop: () => void server.close(),
  };
}
