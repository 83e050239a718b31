/** SES in front of the mailbox: judges each mail before the mailbox keeps it. */
import { randomUUID } from "node:crypto";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import addressparser from "nodemailer/lib/addressparser";
import { accessKeyIdOf } from "../service-kit/authorize.ts";
import { readBody } from "../service-kit/http-server.ts";

/** A mail as the caller hands it over. */
export interface SentMail {
  readonly accessKeyId: string;
  /** Address in the header "From", in lower case. */
  readonly from: string;
  /** Addresses of the request, or else in the headers "To", "Cc" and "Bcc"; in lower case. */
  readonly to: readonly string[];
}

/** Why SES does not take a mail. */
export interface Refusal {
  /** Name of the error, for example `AccessDenied`. */
  readonly code: string;
  readonly message: string;
  /** HTTP status; 400 when absent. */
  readonly status?: number;
}

/** @returns undefined for a mail that SES takes */
export type Judge = (mail: SentMail) => Refusal | undefined;

/** Bytes of a request; SES takes mails of 10 MB, and base64 makes them longer. */
const maximumBody = 16 * 1024 * 1024;

/** The server of the mailbox takes only mails that the judge lets pass. */
export function judgeMails(server: Server, judge: Judge): void {
  const listeners = server.listeners("request") as ((request: IncomingMessage, response: ServerResponse) => void)[];
  server.removeAllListeners("request");
  server.on("request", (request: IncomingMessage & { body?: object }, response: ServerResponse) => {
    const pass = () => {
      for (const listener of listeners) listener.call(server, request, response);
    };
    if (request.method !== "POST" || request.url !== "/") return pass();
    void readBody(request, maximumBody).then((body) => {
      const fields = new URLSearchParams(body?.toString("utf8"));
      const refusal = judge(mailOf(fields, accessKeyIdOf(request.headers.authorization)));
      if (refusal) return refuse(response, refusal);
      // The package reads no body that is read already.
      request.body = Object.fromEntries(fields);
      pass();
    });
  });
}

function mailOf(fields: URLSearchParams, accessKeyId: string): SentMail {
  const raw = Buffer.from(fields.get("RawMessage.Data") ?? "", "base64").toString("utf8");
  // A header may go on in lines that begin with a space.
  const headers = (raw.split(/\r?\n\r?\n/, 1)[0] ?? "").replace(/\r?\n[ \t]+/g, " ").split(/\r?\n/);
  const addressesIn = (...names: string[]): string[] =>
    headers
      .filter((line) => names.includes(line.slice(0, line.indexOf(":")).toLowerCase()))
      .flatMap((line) => addressparser(line.slice(line.indexOf(":") + 1), { flatten: true }))
      .map(({ address }) => address.toLowerCase());
  const destinations = [...fields].flatMap(([name, value]) =>
    /^Destinations\.member\.\d+$/.test(name) ? addressparser(value, { flatten: true }) : [],
  );
  const to =
    destinations.length > 0 ? destinations.map(({ address }) => address.toLowerCase()) : addressesIn("to", "cc", "bcc");
  return { accessKeyId, from: addressesIn("from")[0] ?? "", to };
}

const escapeXml = (text: string): string => text.replace(/[<>&"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

function refuse(response: ServerResponse, { code, message, status = 400 }: Refusal): void {
  const error = `<Type>Sender</Type><Code>${escapeXml(code)}</Code><Message>${escapeXml(message)}</Message>`;
  const body =
    '<?xml version="1.0" encoding="UTF-8"?><ErrorResponse xmlns="http://ses.amazonaws.com/doc/2010-12-01/">' +
    `<Error>${error}</Error><RequestId>${randomUUID()}</RequestId></ErrorResponse>`;
  response.writeHead(status, { "content-type": "text/xml", "content-length": Buffer.byteLength(body) }).end(body);
}
