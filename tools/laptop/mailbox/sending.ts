/** SES in front of the mailbox: checks each mail before the mailbox keeps it. */
import { randomUUID } from "node:crypto";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import addressparser from "nodemailer/lib/addressparser";
import { accessKeyIdOf } from "../service-kit/authorize.ts";
import { readBody } from "../service-kit/http-server.ts";
import { malformation } from "./address.ts";
import type { TakenMail } from "./feedback.ts";

/** A mail as the caller hands it over. */
export interface SentMail {
  readonly accessKeyId: string;
  /** Address in the header "From", in lower case. */
  readonly from: string;
  /** Name in the header "From". Absent when there is none, or when it is an encoded word (RFC 2047). */
  readonly fromName?: string;
  /** Addresses of the request, or else in the headers "To", "Cc" and "Bcc"; in lower case. */
  readonly to: readonly string[];
  /** Name of the configuration set. */
  readonly configurationSet?: string;
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

/** The mailbox's server accepts only mails that pass `judge`. @param onTaken called for each of them */
export function judgeMails(server: Server, judge: Judge, onTaken?: (mail: TakenMail) => void): void {
  const listeners = server.listeners("request") as ((request: IncomingMessage, response: ServerResponse) => void)[];
  server.removeAllListeners("request");
  server.on("request", (request: IncomingMessage & { body?: object }, response: ServerResponse) => {
    const pass = () => {
      for (const listener of listeners) listener.call(server, request, response);
    };
    if (request.method !== "POST" || request.url !== "/") return pass();
    void readBody(request, maximumBody).then((body) => {
      const fields = new URLSearchParams(body?.toString("utf8"));
      const headers = headersOf(fields);
      const mail = mailOf(fields, headers, accessKeyIdOf(request.headers.authorization));
      const refusal = isSender(headers) ? (malformedIn(fields) ?? judge(mail)) : noSender;
      if (refusal) return refuse(response, refusal);
      if (onTaken) whenTaken(response, (messageId) => onTaken({ ...mail, messageId }));
      // The package reads no body that is read already.
      request.body = Object.fromEntries(fields);
      pass();
    });
  });
}

/** Calls back with the id that the mailbox answers for a mail, right before it answers. */
function whenTaken(response: ServerResponse, taken: (messageId: string) => void): void {
  const end = response.end.bind(response) as (...args: unknown[]) => ServerResponse;
  response.end = ((...args: unknown[]) => {
    const [, messageId] = /<MessageId>([^<]+)</.exec(String(args[0])) ?? [];
    if (messageId !== undefined) taken(messageId);
    return end(...args);
  }) as ServerResponse["end"];
}

/** The header lines of a mail. */
function headersOf(fields: URLSearchParams): string[] {
  const raw = Buffer.from(fields.get("RawMessage.Data") ?? "", "base64").toString("utf8");
  // A header may go on in lines that begin with a space.
  return (raw.split(/\r?\n\r?\n/, 1)[0] ?? "").replace(/\r?\n[ \t]+/g, " ").split(/\r?\n/);
}

/** The values of the headers with one of these names. */
const valuesOf = (headers: readonly string[], ...names: string[]): string[] =>
  headers
    .filter((line) => names.includes(line.slice(0, line.indexOf(":")).toLowerCase()))
    .map((line) => line.slice(line.indexOf(":") + 1).trim());

const mailboxesIn = (value: string) => addressparser(value, { flatten: true });

const quoted = /"(?:[^"\\]|\\.)*"/g;
/** `events@club.example`, or a name before `<events@club.example>`; without what stood in quotes. */
const oneMailbox = /^(?:[^,:;<>@()]*<[^\s<>@,;]+@[^\s<>@,;]+>|[^\s<>@,;]+@[^\s<>@,;]+)$/;

/**
 * Whether there is one sender: a single mailbox, whose name has quotes where it needs them and is encoded where it is
 * not ASCII. https://docs.aws.amazon.com/ses/latest/APIReference/API_SendRawEmail.html
 */
function isSender(headers: readonly string[]): boolean {
  const [value = "", ...more] = valuesOf(headers, "from");
  return more.length === 0 && /^[ -~]*$/.test(value) && oneMailbox.test(value.replace(quoted, ""));
}

const destinationsIn = (fields: URLSearchParams): string[] =>
  [...fields].flatMap(([name, value]) => (/^Destinations\.member\.\d+$/.test(name) ? [value] : []));

/** The refusal of the first malformed destination. */
function malformedIn(fields: URLSearchParams): Refusal | undefined {
  const message = destinationsIn(fields)
    .map(malformation)
    .find((found) => found !== undefined);
  return message === undefined ? undefined : { code: "InvalidParameterValue", message };
}

/** SES reads a comma without quotes as the end of a mailbox. https://github.com/anymail/django-anymail/issues/281 */
const noSender: Refusal = { code: "InvalidParameterValue", message: "Missing final '@domain'" };

function mailOf(fields: URLSearchParams, headers: readonly string[], accessKeyId: string): SentMail {
  const addressesIn = (...names: string[]): string[] =>
    valuesOf(headers, ...names)
      .flatMap(mailboxesIn)
      .map(({ address }) => address.toLowerCase());
  const [sender] = valuesOf(headers, "from").flatMap(mailboxesIn);
  const fromName = sender?.name.includes("=?") ? "" : sender?.name;
  const destinations = destinationsIn(fields).flatMap(mailboxesIn);
  const to =
    destinations.length > 0 ? destinations.map(({ address }) => address.toLowerCase()) : addressesIn("to", "cc", "bcc");
  const configurationSet = fields.get("ConfigurationSetName");
  return {
    accessKeyId,
    from: sender?.address.toLowerCase() ?? "",
    to,
    ...(fromName && { fromName }),
    ...(configurationSet && { configurationSet }),
  };
}

const escapeXml = (text: string): string => text.replace(/[<>&"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

function refuse(response: ServerResponse, { code, message, status = 400 }: Refusal): void {
  const error = `<Type>Sender</Type><Code>${escapeXml(code)}</Code><Message>${escapeXml(message)}</Message>`;
  const body =
    '<?xml version="1.0" encoding="UTF-8"?><ErrorResponse xmlns="http://ses.amazonaws.com/doc/2010-12-01/">' +
    `<Error>${error}</Error><RequestId>${randomUUID()}</RequestId></ErrorResponse>`;
  response.writeHead(status, { "content-type": "text/xml", "content-length": Buffer.byteLength(body) }).end(body);
}
