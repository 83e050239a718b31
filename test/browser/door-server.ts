/** Serves the check-in page with an API that stands for the real one: an event, its list, and scans. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../../dist/door/", import.meta.url));
const types: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript",
  css: "text/css",
  json: "application/json",
  wasm: "application/wasm",
};

const markOf = (code: string): string =>
  createHash("sha256").update(code).digest().subarray(0, 12).toString("base64url");
const mayEnter = ["registered", "accepted", "acceptedComplete"];

interface Guest {
  readonly code: string;
  readonly name: string;
  readonly isHidden: boolean;
  state: string;
  in?: { readonly device: string; readonly at: number; readonly nonce: string } | undefined;
}

interface Row {
  readonly nonce: string;
  readonly code?: string;
  readonly mark?: string;
  readonly device: string;
  readonly scannedAt: number;
  readonly admitted?: boolean;
  readonly undoes?: string;
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return parts.length === 0 ? undefined : JSON.parse(Buffer.concat(parts).toString());
}

/** Starts the server. The caller must close it. */
export async function startDoorServer() {
  const guests = new Map<string, Guest>();
  const results = new Map<string, object>();
  /** Every row that came, repetitions included. */
  const rows: Row[] = [];
  const devices: string[] = [];
  /** What requests get instead of an answer, by method and end of the path. */
  const refusals = new Map<string, { readonly status: number; readonly code?: string }>();
  /** Texts of files of the page instead of those that were built. */
  const files = new Map<string, string>();
  /** The last names that a search finds, by code. */
  const lastNames = new Map<string, string>();
  let version = 1;
  /** How often the list, or its changes, were asked for. */
  let reads = 0;
  let answering: Promise<void> = Promise.resolve();

  const stateOf = (guest: Guest): string => (guest.in ? "checkedIn" : guest.state);
  const checkedInAt = (guest: Guest) => (guest.in ? { device: guest.in.device, at: guest.in.at } : undefined);

  function judged({ nonce, code, mark = markOf(code ?? ""), device, admitted, undoes }: Row): object {
    const guest = guests.get(mark);
    const known = { nonce, mark, ...(guest && { name: guest.name, state: stateOf(guest) }) };
    const first = guest && checkedInAt(guest);
    if (undoes !== undefined) {
      if (guest?.in?.nonce === undoes) guest.in = undefined;
      return { ...known, outcome: "undone" };
    }
    if (admitted === false) return { ...known, outcome: "turnedAway" };
    if (first) return { ...known, outcome: "again", first, again: { device, at: Date.now() } };
    if (guest && mayEnter.includes(guest.state)) {
      guest.in = { device, at: Date.now(), nonce };
      return { ...known, outcome: "checkedIn", first: checkedInAt(guest) };
    }
    return { ...known, outcome: admitted ? "admitted" : "refused", reason: guest?.state ?? "unknown" };
  }

  function scans(sent: readonly Row[]): object {
    rows.push(...sent);
    version += 1;
    const answers = sent.map((row) => {
      const result = results.get(row.nonce) ?? judged(row);
      results.set(row.nonce, result);
      return result;
    });
    return { receivedAt: Date.now(), results: answers };
  }

  const list = (): object => ({
    event: { id: "kickoff", year: 2030, ename: "Kickoff Night" },
    devices,
    choices: ["Intro to Rust", "Vegetarian"],
    tickets: [...guests.values()]
      .filter(({ isHidden }) => !isHidden)
      .map((guest) => {
        const at = checkedInAt(guest);
        const base = [markOf(guest.code), stateOf(guest), guest.name, [0, 1]];
        return at ? [...base, at.at, devices.indexOf(at.device)] : base;
      }),
  });

  const found = (text: string): object => ({
    people: [...lastNames].flatMap(([code, lastName]) =>
      lastName.toLowerCase().startsWith(text)
        ? [{ mark: markOf(code), name: guests.get(markOf(code))?.name, email: "a…@student.example" }]
        : [],
    ),
    hasMore: false,
  });

  async function answer(request: IncomingMessage, path: string, text: string) {
    const { method = "GET", headers } = request;
    const body = (await bodyOf(request)) as Record<string, unknown>;
    const refusal = refusals.get(`${method} ${path.split("/").at(-1)}`);
    if (refusal) return { status: refusal.status, value: { message: "Refused by the test.", code: refusal.code } };
    if (path.endsWith("/devices")) {
      const name = String(body.name);
      if (!devices.includes(name)) devices.push(name);
      const event = { id: "kickoff", year: 2030, ename: "Kickoff Night" };
      const device = { id: name, name };
      return {
        status: 201,
        value: { token: `token of ${name}`, device, event },
      };
    }
    if (!headers.authorization?.startsWith("Door token of")) return { status: 401, value: { message: "No token." } };
    if (path.endsWith("/search")) return { status: 200, value: found(text) };
    if (path.endsWith("/scans")) await answering;
    if (path.endsWith("/scans")) return { status: 200, value: scans(body.scans as Row[]) };
    reads += 1;
    const etag = `"${version}"`;
    if (headers["if-none-match"] === etag) return { status: 304 };
    return { status: 200, value: list(), etag };
  }

  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost");
    if (pathname.startsWith("/door/")) {
      const name = pathname.slice("/door/".length) || "index.html";
      const body = files.get(name) ?? (await readFile(folder + name).catch(() => undefined));
      response.writeHead(body ? 200 : 404, { "content-type": types[name.split(".").at(-1) ?? ""] ?? "text/plain" });
      response.end(body);
      return;
    }
    const { status, value, etag } = await answer(request, pathname, searchParams.get("q") ?? "");
    response.writeHead(status, { "content-type": "application/json", ...(etag && { etag }) });
    response.end(value && JSON.stringify(value));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));

  return {
    page: `http://localhost:${(server.address() as AddressInfo).port}/door/`,
    rows,
    refusals,
    files,
    lastNames,
    reads: () => reads,
    /** Answers no scan until the returned function is called. */
    hold(): () => void {
      let release = () => {};
      answering = new Promise((done) => {
        release = done;
      });
      return () => release();
    },
    /** An executive undoes a check-in. */
    undo(code: string): void {
      (guests.get(markOf(code)) as Guest).in = undefined;
      version += 1;
    },
    /** Adds a guest. @param isHidden the server knows the ticket, and the list does not have it */
    guest(code: string, name: string, state = "registered", isHidden = false): void {
      guests.set(markOf(code), { code, name, state, isHidden });
      version += 1;
    },
    /** Another phone lets a guest in. */
    letIn(code: string, device: string, at = Date.now()): void {
      if (!devices.includes(device)) devices.push(device);
      (guests.get(markOf(code)) as Guest).in = { device, at, nonce: "of another phone" };
      version += 1;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
