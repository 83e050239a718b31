/** A gateway with a few functions of its own, from a template as small as the test needs. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from "jose";
import { type LocalFunctions, nameFunctions, startFunctions } from "../functions/index.ts";
import { type FunctionLog, openFunctionLog } from "../functions/log.ts";
import { nameHttpApi, startHttpApi } from "../http-api/index.ts";
import type { RecentRequests } from "../http-api/recent-requests.ts";
import { createTokenVerifier } from "../identity/index.ts";
import { Template } from "../template/index.ts";
import type { CorsConfiguration, FunctionProperties, StageProperties } from "../template/resources.ts";

const userPool = "https://cognito-idp.us-west-2.amazonaws.com/us-west-2_Small";
const audience = "small-client";

/** A function of the test: its code, and further properties of its resource. */
export interface SmallFunction {
  readonly code: string;
  readonly properties?: Partial<FunctionProperties>;
}

export interface SmallGatewayOptions {
  readonly functions: Readonly<Record<string, SmallFunction | string>>;
  /** Name of the function by route key; `+ jwt` after the name puts the authorizer before it. */
  readonly routes: Readonly<Record<string, string>>;
  readonly cors?: CorsConfiguration;
  readonly errorCors?: boolean;
  readonly routeThrottle?: StageProperties["RouteSettings"];
  /** Milliseconds. */
  readonly integrationTimeout?: number;
  /** Invocations at the same time. */
  readonly concurrency?: number;
  /** Hears of the requests. */
  readonly requests?: RecentRequests;
}

export interface SmallGateway {
  readonly url: string;
  /** Of the tokens. */
  readonly issuer: string;
  readonly functions: LocalFunctions;
  readonly log: FunctionLog;
  /** How often a signature was checked. */
  readonly verifications: () => number;
  /** Replaces the code of a function, without a restart. */
  rewrite(functionName: string, code: string): Promise<void>;
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** A valid token; `claims` override its own. */
  token(claims?: JWTPayload): Promise<string>;
  close(): Promise<void>;
}

/** Who signs the tokens of an API. */
interface Signer {
  readonly issuer: string;
  readonly jwks: { readonly keys: JWK[] };
  /** A valid token; `claims` override its own. */
  token(claims?: JWTPayload): Promise<string>;
}

export async function givenSigner(issuer = userPool): Promise<Signer> {
  const { publicKey, privateKey } = await generateKeyPair("RS256");
  return {
    issuer,
    jwks: { keys: [{ ...(await exportJWK(publicKey)), kid: "key-1", alg: "RS256" }] },
    token: (claims) =>
      new SignJWT({ iss: issuer, aud: audience, sub: "a-person", exp: Date.now() / 1_000 + 60, ...claims })
        .setProtectedHeader({ alg: "RS256", kid: "key-1" })
        .sign(privateKey),
  };
}

export async function givenGateway(options: SmallGatewayOptions): Promise<SmallGateway> {
  const directory = await mkdtemp(join(tmpdir(), "gateway-"));
  const codes = codesOf(options);
  const rewrite = async (name: string, code: string): Promise<void> => {
    await mkdir(join(directory, name), { recursive: true });
    await writeFile(join(directory, name, "index.mjs"), code);
  };
  for (const [name, { code }] of codes) await rewrite(name, code);

  const place = { region: "us-west-2", accountId: "000000000000", stackName: "Small" };
  const folders = new Map(codes.map(([name]) => [name, join(directory, name)] as const));
  const signer = await givenSigner();
  const template = new Template({ Resources: smallResources(options, signer) }, place, folders);
  nameFunctions(template);
  nameHttpApi(template);

  let verifications = 0;
  const { requests } = options;
  const log = openFunctionLog({ quiet: true });
  const endpoints = { DYNAMODB: "http://127.0.0.1:1" };
  const functions = startFunctions({ template, endpoints, log, concurrency: options.concurrency });
  const api = await startHttpApi({
    port: 0,
    template,
    functions,
    verifier: ({ Issuer, Audience }) => {
      const verify = createTokenVerifier({ issuer: Issuer, audience: Audience, jwks: signer.jwks });
      return (token) => {
        verifications += 1;
        return verify(token);
      };
    },
    errorCors: options.errorCors,
    ...(requests && { observer: requests }),
  });
  return {
    url: api.url,
    issuer: signer.issuer,
    functions,
    log,
    verifications: () => verifications,
    rewrite,
    fetch: (path, init) => fetch(api.url + path, init),
    token: signer.token,
    close: async () => {
      await api.close(100);
      await functions.close();
      await rm(directory, { recursive: true });
    },
  };
}

const codesOf = ({ functions }: SmallGatewayOptions): (readonly [string, SmallFunction])[] =>
  Object.entries(functions).map(([name, one]) => [name, typeof one === "string" ? { code: one } : one]);

/** The resources of the template, which names the functions' code by key. */
function smallResources(options: SmallGatewayOptions, { issuer }: Signer): object {
  const codes = codesOf(options);
  const api = { ApiId: { Ref: "Api" } };
  const functions = codes.flatMap(([name, { properties }]) => [
    [name, lambda({ Code: { S3Key: `${name}.zip` }, Handler: "index.handler", ...properties })] as const,
    [
      `${name}Integration`,
      {
        Type: "AWS::ApiGatewayV2::Integration",
        Properties: {
          ...api,
          IntegrationType: "AWS_PROXY",
          IntegrationUri: { "Fn::GetAtt": [name, "Arn"] },
          PayloadFormatVersion: "2.0",
          TimeoutInMillis: options.integrationTimeout,
        },
      },
    ] as const,
  ]);
  const routes = Object.entries(options.routes).map(([RouteKey, target], index) => {
    const [name, guarded] = target.split(" + ");
    const Target = { "Fn::Join": ["/", ["integrations", { Ref: `${name}Integration` }]] };
    const guard =
      guarded === undefined
        ? { AuthorizationType: "NONE" }
        : { AuthorizationType: "JWT", AuthorizerId: { Ref: "Authorizer" } };
    return [`Route${index}`, { Type: "AWS::ApiGatewayV2::Route", Properties: { ...api, RouteKey, Target, ...guard } }];
  });
  return {
    ...Object.fromEntries([...functions, ...routes]),
    Api: { Type: "AWS::ApiGatewayV2::Api", Properties: { CorsConfiguration: options.cors } },
    Authorizer: {
      Type: "AWS::ApiGatewayV2::Authorizer",
      Properties: {
        ...api,
        AuthorizerType: "JWT",
        IdentitySource: ["$request.header.Authorization"],
        JwtConfiguration: { Issuer: issuer, Audience: [audience] },
      },
    },
    Stage: {
      Type: "AWS::ApiGatewayV2::Stage",
      Properties: {
        ...api,
        StageName: "$default",
        RouteSettings: options.routeThrottle,
      },
    },
  };
}

const lambda = (Properties: Record<string, unknown>) => ({ Type: "AWS::Lambda::Function", Properties });
