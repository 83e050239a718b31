/** The HTTP API: routes, authorizer, CORS, throttles and access log (`docs/contract.md`, "Conventions" and "Access"). */
import { ArnFormat, Duration, Stack } from "aws-cdk-lib";
import { AccessLogFormat } from "aws-cdk-lib/aws-apigateway";
import {
  CfnRoute,
  type CfnStage,
  CorsHttpMethod,
  DomainName,
  EndpointType,
  HttpApi,
  HttpAuthorizer,
  HttpAuthorizerType,
  HttpIntegration,
  HttpIntegrationType,
  type HttpMethod,
  HttpRouteKey,
  HttpStage,
  PayloadFormatVersion,
  SecurityPolicy,
} from "aws-cdk-lib/aws-apigatewayv2";
import { Certificate } from "aws-cdk-lib/aws-certificatemanager";
import { ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { IFunction } from "aws-cdk-lib/aws-lambda";
import { LogGroup } from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";
import type { Access, PublicSetting } from "#kit/request/contract.ts";
import { removalPolicy } from "./removal.ts";
import type { StageConfig, Throttle } from "./stages.ts";

/** The part of a route's declaration that the gateway uses. */
export interface GatewayRoute {
  /** `METHOD /path` of the route and its aliases, in API Gateway's form. */
  readonly gatewayKeys: readonly string[];
  readonly access: Access;
  /** The stage setting that makes the route public. */
  readonly publicWith?: PublicSetting;
}

/** A function and its routes. */
export interface Capability {
  readonly handler: IFunction;
  readonly routes: readonly GatewayRoute[];
}

export interface ClubHttpApiProps {
  readonly stage: StageConfig;
  /** The authorizer accepts tokens of this issuer for this audience. */
  readonly tokens: { readonly issuer: string; readonly audience: string };
  readonly capabilities: Readonly<Record<string, Capability>>;
}

/** Metrics per route would cost as much as all alarms together. The access log has the same data. */
const detailedMetricsEnabled = false;

const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = CorsHttpMethod;

/**
 * The access log has enough data to find the function's logs, and nothing that says by itself who a person is: `caller` is the
 * random id of the account in the user pool, by which an operator finds who sends a flood (docs/runbook.md, "API throttled").
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-logging-variables.html
 */
const accessLog = {
  requestId: "$context.requestId",
  requestTime: "$context.requestTime",
  routeKey: "$context.routeKey",
  caller: "$context.authorizer.claims.sub",
  status: "$context.status",
  responseLatency: "$context.responseLatency",
  integrationLatency: "$context.integrationLatency",
  integrationStatus: "$context.integrationStatus",
  integrationError: "$context.integrationErrorMessage",
  authorizerError: "$context.authorizer.error",
  responseLength: "$context.responseLength",
};

export class ClubHttpApi extends Construct {
  /** Base URL, without a trailing slash. */
  readonly url: string;
  readonly api: HttpApi;
  /** One line per request. */
  readonly accessLog: LogGroup;
  /** Outputs for the DNS record of the custom domain; empty without one. */
  readonly domainOutputs: Readonly<Record<string, string>>;
  private readonly authorizer: HttpAuthorizer;
  private readonly stage: StageConfig;
  /** The routes with their own throttle. */
  private readonly limited: { readonly route: CfnRoute; readonly throttle: Throttle }[] = [];

  constructor(scope: Construct, id: string, { stage, tokens, capabilities }: ClubHttpApiProps) {
    super(scope, id);
    this.stage = stage;
    this.api = new HttpApi(this, "Resource", {
      apiName: `club-events-${stage.name}`,
      createDefaultStage: false,
      corsPreflight: {
        allowOrigins: [...stage.allowedOrigins],
        allowHeaders: [
          "Content-Type",
          "Authorization",
          "Idempotency-Key",
          "If-Match",
          "If-None-Match",
          "X-Amz-Date",
          "X-Amz-Security-Token",
          "X-Requested-With",
        ],
        allowMethods: [GET, POST, PUT, PATCH, DELETE, OPTIONS],
        exposeHeaders: ["x-next-cursor", "Retry-After", "Idempotent-Replayed", "ETag"],
        allowCredentials: false,
        maxAge: Duration.hours(1),
      },
    });
    this.authorizer = new HttpAuthorizer(this, "Authorizer", {
      httpApi: this.api,
      type: HttpAuthorizerType.JWT,
      identitySource: ["$request.header.Authorization"],
      jwtIssuer: tokens.issuer,
      jwtAudience: [tokens.audience],
    });
    for (const [name, capability] of Object.entries(capabilities)) this.addCapability(name, capability);

    this.accessLog = new LogGroup(this, "AccessLog", {
      // API Gateway adds every other log group to one policy of the account, which is limited to 5,120 characters; near
      // the limit AWS replaces it with one for this prefix. The API's id in the name prevents conflicts with a group that
      // outlives its stack.
      // https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-logging.html
      // https://docs.aws.amazon.com/step-functions/latest/dg/bp-cwl.html
      logGroupName: `/aws/vendedlogs/club-events-${stage.name}/${this.api.apiId}`,
      retention: stage.logRetentionDays,
      removalPolicy: removalPolicy(stage),
    });
    const domainName = this.ownDomain();
    const gatewayStage = new HttpStage(this, "Stage", {
      httpApi: this.api,
      autoDeploy: true,
      ...(domainName && { domainMapping: { domainName } }),
      throttle: { rateLimit: stage.throttle.rate, burstLimit: stage.throttle.burst },
      detailedMetricsEnabled,
      accessLogSettings: {
        // Not LogGroupLogDestination: it ends in ":*", which API Gateway drops, so that the stage would always have drifted.
        // https://github.com/aws/aws-cdk/issues/38796
        destination: { bind: () => ({ destinationArn: this.accessLogArn() }) },
        format: AccessLogFormat.custom(JSON.stringify(accessLog)),
      },
    });
    // The construct does not support route settings. They replace all default settings of their route. https://github.com/terraform-aws-modules/terraform-aws-apigateway-v2/pull/80
    (gatewayStage.node.defaultChild as CfnStage).routeSettings = Object.fromEntries(
      this.limited.map(({ route, throttle }) => [
        route.routeKey,
        {
          DetailedMetricsEnabled: detailedMetricsEnabled,
          ThrottlingRateLimit: throttle.rate,
          ThrottlingBurstLimit: throttle.burst,
        },
      ]),
    );
    // Without the routes the stage fails with "Unable to find Route by key".
    // https://github.com/aws/serverless-application-model/issues/2479
    gatewayStage.node.addDependency(...this.limited.map(({ route }) => route));
    this.url = domainName ? `https://${stage.domainName}` : this.api.apiEndpoint;
    this.domainOutputs = domainName
      ? { ApiDomainTarget: domainName.regionalDomainName, ApiDomainZone: domainName.regionalHostedZoneId }
      : {};
  }

  /** Without the ":*" for the group's streams. */
  private accessLogArn(): string {
    return Stack.of(this).formatArn({
      service: "logs",
      resource: "log-group",
      resourceName: this.accessLog.logGroupName,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
  }

  /**
   * The custom domain; undefined when the stage has none. The default endpoint remains enabled, with the same authorizer,
   * CORS and throttle: clients may use it until the DNS record of the custom domain has propagated.
   */
  private ownDomain(): DomainName | undefined {
    const { domainName, certificateArn } = this.stage;
    if (domainName === undefined || certificateArn === undefined) return undefined;
    return new DomainName(this, "Domain", {
      domainName,
      certificate: Certificate.fromCertificateArn(this, "Certificate", certificateArn),
      endpointType: EndpointType.REGIONAL,
      securityPolicy: SecurityPolicy.TLS_1_2,
    });
  }

  private addCapability(name: string, { handler, routes }: Capability): void {
    const integration = new HttpIntegration(this, name, {
      httpApi: this.api,
      integrationType: HttpIntegrationType.AWS_PROXY,
      integrationUri: handler.functionArn,
      payloadFormatVersion: PayloadFormatVersion.VERSION_2_0,
    });
    // One permission for all routes of this API. One per route would exceed the size limit of the function's policy.
    handler.addPermission(`${name}Permission`, {
      scope: this,
      principal: new ServicePrincipal("apigateway.amazonaws.com"),
      sourceArn: Stack.of(this).formatArn({
        service: "execute-api",
        resource: this.api.apiId,
        resourceName: "*/*",
      }),
    });
    for (const { gatewayKeys, access, publicWith } of routes) {
      // The function itself checks the secrets of devices and links.
      const needsNoToken = access === "public" || access === "door" || access === "link";
      const isPublic = needsNoToken || (publicWith !== undefined && this.stage[publicWith]);
      const throttle = this.stage.routeThrottle[name === "door" ? "door" : "public"];
      for (const key of gatewayKeys) {
        const route = this.addRoute(key, isPublic, `integrations/${integration.integrationId}`);
        if (isPublic) this.limited.push({ route, throttle });
      }
    }
  }

  /**
   * Adds one route, with the authorizer unless the route is public in this stage. HttpRoute is not used: it would add a
   * permission per route. Aliases are added here too, so they have the same access.
   *
   * @throws Error API Gateway would reject the key
   */
  private addRoute(routeKey: string, isPublic: boolean, target: string): CfnRoute {
    const [method, path = ""] = routeKey.split(" ");
    return new CfnRoute(this, routeKey, {
      apiId: this.api.apiId,
      routeKey: HttpRouteKey.with(path, method as HttpMethod).key,
      target,
      ...(isPublic
        ? { authorizationType: "NONE" }
        : { authorizationType: "JWT", authorizerId: this.authorizer.authorizerId }),
    });
  }
}
