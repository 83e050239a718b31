/** Sends DynamoDB's JSON protocol over HTTP, to the engine and to DynamoDB Local. */
import { Agent, request } from "node:http";

export type Json = Record<string, unknown>;

export interface Reply {
  readonly status: number;
  readonly contentType: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at answers field by field
  readonly body: any;
}

export interface ProtocolClient {
  /** Sends one operation; errors are answers too. */
  call(operation: string, body: Json): Promise<Reply>;
  /** Sends any text. */
  send(target: string, text: string): Promise<Reply>;
  close(): void;
}

export function protocolClient(url: string, accessKeyId = "LOCALTest"): ProtocolClient {
  const { hostname, port } = new URL(url);
  const agent = new Agent({ keepAlive: true });
  const send = (target: string, text: string): Promise<Reply> =>
    new Promise((resolve, reject) => {
      const headers = {
        "content-type": "application/x-amz-json-1.0",
        "content-length": Buffer.byteLength(text),
        "x-amz-target": target,
        "x-amz-date": "20260101T000000Z",
        authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/20260101/us-west-2/dynamodb/aws4_request, SignedHeaders=host, Signature=0`,
      };
      request({ hostname, port, method: "POST", agent, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () => {
          const answer = Buffer.concat(chunks).toString("utf8");
          resolve({
            status: response.statusCode ?? 0,
            contentType: response.headers["content-type"] ?? "",
            body: JSON.parse(answer),
          });
        });
        response.on("error", reject);
      })
        .on("error", reject)
        .end(text);
    });
  return {
    send,
    call: (operation, body) => send(`DynamoDB_20120810.${operation}`, JSON.stringify(body)),
    close: () => agent.destroy(),
  };
}

/** `ConditionalCheckFailedException` out of `com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException`. */
export const errorName = ({ body }: Reply): string => String(body.__type).split("#").at(-1) as string;

/** `fine`, or the name of the error. */
export const outcomeOf = (reply: Reply): string => (reply.status === 200 ? "fine" : errorName(reply));

/** The reasons of a cancelled transaction. */
export const reasonsOf = ({ body }: Reply): Json[] | undefined => body.CancellationReasons;
