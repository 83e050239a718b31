/** The local stage's chat: an incoming webhook like those of chat services, and a list of the messages as JSON. */
import { join } from "node:path";
import { readJsonObject } from "../service-kit/http-server.ts";
import { type HttpReply, type HttpRequest, startHttpService } from "../service-kit/http-service.ts";
import { Journal } from "../service-kit/journal.ts";

export interface ChatMessage {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly text: string;
}

export interface ChatOptions {
  /** 0 or absent: any free port. */
  readonly port?: number;
  /** Absent: in memory. */
  readonly directory?: string;
  readonly clock?: { now(): number };
}

export interface Chat {
  /** `http://127.0.0.1:<port>`: `POST /hook` with `{ text }` adds a message, `GET /messages` lists all. */
  readonly url: string;
  /** Oldest first. */
  list(): readonly ChatMessage[];
  /** From now on the webhook takes no message and answers with this HTTP status. Undefined: it works again. */
  fail(status: number | undefined): void;
  close(): Promise<void>;
}

/** The number of messages that are kept; the oldest is dropped first. */
const maxMessages = 10_000;
/** Bytes. */
const largestBody = 256 * 1024;

const reply = (status: number, body: string): HttpReply => ({
  status,
  headers: { "content-type": "text/plain; charset=utf-8" },
  body,
});

/** @throws Error when the port is taken */
export async function startChat({ port, directory, clock = Date }: ChatOptions = {}): Promise<Chat> {
  const messages: ChatMessage[] = [];
  const keep = (message: ChatMessage): void => {
    messages.push(message);
    if (messages.length > maxMessages) messages.shift();
  };
  const journal = Journal.open({ file: directory && join(directory, "messages.jsonl"), current: () => messages }, keep);

  let failure: number | undefined;

  function say(body: string | undefined): HttpReply {
    if (failure !== undefined) return reply(failure, "");
    const text = readJsonObject(body ?? "")?.text;
    if (typeof text !== "string" || text === "") return reply(400, "no_text");
    const message = { at: clock.now(), text };
    keep(message);
    journal.append(message);
    return reply(200, "ok");
  }
  function answer({ method, path, body }: HttpRequest): HttpReply {
    if (path === "/hook" && method === "POST") return say(body);
    if (path !== "/messages" || method !== "GET") return reply(404, "not_found");
    return { status: 200, headers: { "content-type": "application/json" }, body: JSON.stringify(messages) };
  }

  const service = await startHttpService({ port, maximumBody: largestBody, answer });
  return {
    url: service.url,
    list: () => messages,
    fail: (status) => {
      failure = status;
    },
    close: async () => {
      await service.close();
      journal.close();
    },
  };
}
