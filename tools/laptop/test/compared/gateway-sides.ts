/** The same small API on the laptop and on MiniStack, and requests to it as raw as a client can send them. */
import { once } from "node:events";
import { createServer, type OutgoingHttpHeaders, request } from "node:http";
import type { AddressInfo } from "node:net";
import {
  CloudFormationClient,
  CreateStackCommand,
  DescribeStackResourceCommand,
  waitUntilStackCreateComplete,
} from "@aws-sdk/client-cloudformation";
import {
  givenGateway,
  givenSigner,
  type Signer,
  type SmallFunction,
  type SmallGatewayOptions,
  smallResources,
} from "../small-gateway.ts";
import type { Closable } from "./compare.ts";
import type { MiniStack } from "./ministack.ts";

/** A request as it is sent. */
export interface Sent {
  readonly headers?: OutgoingHttpHeaders;
  /** Base64 stands for bytes. */
  readonly body?: string | Buffer;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly string[];
  readonly body: Buffer;
}

export interface GatewaySide extends Closable, Signer {
  /** Sends `GET /path?query`, of which not a byte is changed. */
  ask(line: string, sent?: Sent): Promise<Answer>;
}

/** A signer who shows the keys, as a gateway outside of this process must read them. */
async function givenPublicSigner(): Promise<Signer & Closable> {
  const server = createServer((_, response) => response.end(JSON.stringify(signer.jwks)));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const signer = await givenSigner(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return { ...signer, close: () => server.close() };
}

export async function laptopGateway(options: SmallGatewayOptions): Promise<GatewaySide> {
  const signer = await givenSigner();
  const gateway = await givenGateway({ ...options, signer });
  return { ...signer, ask: asker(gateway.url), close: () => gateway.close() };
}

export async function ministackGateway(options: SmallGatewayOptions, partner: MiniStack): Promise<GatewaySide> {
  const signer = await givenPublicSigner();
  const client = new CloudFormationClient(partner.client);
  const StackName = `Small-${Object.keys(options.functions).join("-")}`;
  const TemplateBody = JSON.stringify({ Resources: deployable(options, signer) });
  await client.send(new CreateStackCommand({ StackName, TemplateBody, Capabilities: ["CAPABILITY_IAM"] }));
  await waitUntilStackCreateComplete({ client, maxWaitTime: 60, minDelay: 0.1, maxDelay: 0.2 }, { StackName });
  const api = await client.send(new DescribeStackResourceCommand({ StackName, LogicalResourceId: "Api" }));
  client.destroy();
  const host = `${api.StackResourceDetail?.PhysicalResourceId}.execute-api.127.0.0.1`;
  return { ...signer, ask: asker(partner.client.endpoint, host), close: () => signer.close() };
}

/** The template with what a deployment needs more, and in MiniStack's casing of the CORS configuration. */
function deployable(options: SmallGatewayOptions, signer: Signer): object {
  const resources = smallResources(options, signer);
  const cased = Object.entries(options.cors ?? {}).map(([name, value]) => [
    name.charAt(0).toLowerCase() + name.slice(1),
    value,
  ]);
  const functions = Object.entries(options.functions).map(([name, given]) => {
    const { code, properties } = typeof given === "string" ? ({ code: given } as SmallFunction) : given;
    const Code = { ZipFile: code.replace("export const handler", "exports.handler") };
    const more = { Code, Runtime: "nodejs20.x", Handler: "index.handler", Role: { "Fn::GetAtt": ["Role", "Arn"] } };
    return [name, { Type: "AWS::Lambda::Function", Properties: { ...properties, ...more } }];
  });
  const trusted = { Effect: "Allow", Principal: { Service: "lambda.amazonaws.com" }, Action: "sts:AssumeRole" };
  return {
    ...resources,
    ...Object.fromEntries(functions),
    Api: {
      Type: "AWS::ApiGatewayV2::Api",
      Properties: {
        Name: "Small",
        ProtocolType: "HTTP",
        ...(cased.length > 0 && { CorsConfiguration: Object.fromEntries(cased) }),
      },
    },
    Authorizer: { ...resources.Authorizer, Properties: { ...resources.Authorizer?.Properties, Name: "Tokens" } },
    Role: {
      Type: "AWS::IAM::Role",
      Properties: { AssumeRolePolicyDocument: { Version: "2012-10-17", Statement: [trusted] } },
    },
  };
}

const asker =
  (base: string, host?: string): GatewaySide["ask"] =>
  (line, { headers, body } = {}) =>
    new Promise((resolve, reject) => {
      const [method = "GET", path = "/"] = line.split(" ");
      const { hostname, port } = new URL(base);
      const sent = { ...(host && { host }), ...headers };
      request({ hostname, port, method, path, headers: sent, agent: false }, async (response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk as Buffer);
        const { "set-cookie": cookies = [], ...more } = response.headers;
        resolve({
          status: response.statusCode ?? 0,
          headers: more as Record<string, string>,
          cookies,
          body: Buffer.concat(chunks),
        });
      })
        .on("error", reject)
        .end(body);
    });
