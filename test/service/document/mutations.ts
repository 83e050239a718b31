/**
 * What is done to a sound request that schemathesis (`npm run upkeep -- judge`) does not do: forged cursors and tokens, other headers,
 * names that come twice.
 */
import fc from "fast-check";
import { anyText } from "../../any-text.ts";
import { draw } from "../../seeds.ts";
import { bodyText, type Call } from "./calls.ts";
import type { World } from "./world.ts";

type Mutation = (call: Call, world: World) => Partial<Call>;

const textMutations: Readonly<Record<string, Mutation>> = {
  "a field comes twice": (call) => {
    const text = bodyText(call) ?? "{}";
    const name = Object.keys((call.body ?? {}) as object)[0] ?? "x";
    return { text: text.startsWith("{") ? `{${JSON.stringify(name)}:1,${text.slice(1)}`.replace(",}", "}") : text };
  },
};

const headerMutations: Readonly<Record<string, Mutation>> = {
  "another content type": () => ({
    headers: {
      "content-type": draw(
        fc.constantFrom("text/plain", "application/x-www-form-urlencoded", "", "x", "application/json; charset=utf-16"),
      ),
    },
  }),
  "a header that asks for something else": () => ({
    headers: draw(
      fc.constantFrom<Record<string, string>>(
        { "content-encoding": "gzip" },
        { accept: "text/html" },
        { "accept-encoding": "br" },
        { "x-http-method-override": "DELETE" },
        { "x-forwarded-for": "127.0.0.1" },
        { cookie: "a=b; c" },
        { origin: "http://localhost:3000" },
        { origin: "null" },
        { range: "bytes=0-1" },
        { "idempotency-key": "" },
        { "idempotency-key": "\u00e9" },
        { "idempotency-key": "x".repeat(300) },
        { "if-match": "" },
        { "if-match": "no tag" },
        { "if-match": `${'"a",'.repeat(500)}"b"` },
        { "x-odd": "x".repeat(2_000) },
      ),
    ),
  }),
};

const deviceMutations: Readonly<Record<string, Mutation>> = {
  "the device's token is wrong": ({ headers: { authorization: right = "Door" } }) => {
    const wrong = [
      "",
      "Door",
      `${right}x`,
      right.slice(0, -1),
      right.replace("Door", "Bearer"),
      right.replace("Door ", ""),
    ];
    return { headers: { authorization: draw(fc.constantFrom(...wrong)) }, mustBeRefused: true };
  },
};

const queryNames = ({ operation }: Call) =>
  operation.parameters.filter((parameter) => parameter.in === "query").map(({ name }) => name);

const queryMutations: Readonly<Record<string, Mutation>> = {
  "a query parameter comes twice": ({ query }) => {
    const [name, value] = query.length > 0 ? draw(fc.constantFrom(...query)) : ["x", "1"];
    return { query: [...query, [name, value]] };
  },
};

const encodedKey = (text: string): string => Buffer.from(text).toString("base64url");

const cursorMutations: Readonly<Record<string, Mutation>> = {
  "the cursor is forged": ({ query, operation }, world) => {
    const others = [...new Set(world.cursorsOf(operation.operationId))];
    const own = others.length > 0 ? draw(fc.constantFrom(...others)) : encodedKey("0");
    const noise = fc
      .uint8Array({ minLength: 1, maxLength: 60 })
      .map((bytes) => Buffer.from(bytes).toString("base64url"));
    // An event has pages only with its people.
    const isList =
      operation.operationId !== "getEvent" || query.some(([name, value]) => name === "users" && value === "true");
    const [cursor, mustBeRefused] = draw(
      fc.oneof(
        // Bytes with a control character are no sort key.
        noise.map((text) => [encodedKey(`\u0001${text}`), isList] as const),
        noise.map((text) => [text, false] as const),
        fc.constant([`${own}=`, isList] as const),
        fc.constant([own.slice(0, -1) || "~", false] as const),
        fc.constant([`${own}AAAA`, isList] as const),
        fc
          .constantFrom(
            "open",
            "a@b.example",
            "1#open#2031#a@b.example",
            "2031#1#a@b.example",
            "0#open#2031#",
            "#",
            "####",
          )
          .map((text) => [encodedKey(text), false] as const),
        anyText({ maxLength: 20 }).map((text) => [text || "~", false] as const),
      ),
    );
    return { query: [...query.filter(([name]) => name !== "cursor"), ["cursor", cursor]], mustBeRefused };
  },
  "the cursor is of another list": ({ query, operation }, world) => {
    const all = world.cursorsOfOthers(operation.operationId);
    const cursor = all.length > 0 ? draw(fc.constantFrom(...all)) : "~";
    return { query: [...query.filter(([name]) => name !== "cursor"), ["cursor", cursor]] };
  },
};

/** The mutations that can be done to a call. */
function possible(call: Call): Readonly<Record<string, Mutation>> {
  const names = queryNames(call);
  return {
    ...(call.operation.body && textMutations),
    ...headerMutations,
    ...(call.operation.access === "door" && deviceMutations),
    ...queryMutations,
    ...(names.includes("cursor") && cursorMutations),
  };
}

/** The call with one or two hostile parts. */
export function mutated(call: Call, world: World): Call {
  let hostile = call;
  for (let left = draw(fc.constantFrom(1, 1, 2)); left > 0; left -= 1) {
    const mutations = possible(hostile);
    const name = draw(fc.constantFrom(...Object.keys(mutations)));
    const { mustBeRefused = false, headers, ...change } = mutations[name]?.(hostile, world) ?? {};
    hostile = {
      ...hostile,
      ...change,
      headers: { ...hostile.headers, ...headers },
      changed: [...hostile.changed, name],
      mustBeRefused,
    };
  }
  return hostile;
}
