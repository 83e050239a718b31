/** The pages that a stage hosts: a private bucket behind CloudFront, with the API below the same address (`docs/design.md`). */
import { readFileSync } from "node:fs";
import { Annotations, Aws, Duration, IgnoreMode } from "aws-cdk-lib";
import type { HttpApi } from "aws-cdk-lib/aws-apigatewayv2";
import { Certificate } from "aws-cdk-lib/aws-certificatemanager";
import {
  AccessLevel,
  AllowedMethods,
  type BehaviorOptions,
  CachePolicy,
  Distribution,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HeadersFrameOption,
  HeadersReferrerPolicy,
  HttpVersion,
  type IOrigin,
  OriginProtocolPolicy,
  OriginRequestPolicy,
  OriginSslPolicy,
  ResponseHeadersPolicy,
  ViewerProtocolPolicy,
} from "aws-cdk-lib/aws-cloudfront";
import { HttpOrigin, S3BucketOrigin } from "aws-cdk-lib/aws-cloudfront-origins";
import { Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { LogGroup } from "aws-cdk-lib/aws-logs";
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from "aws-cdk-lib/aws-s3";
import { BucketDeployment, CacheControl, type ISource, Source } from "aws-cdk-lib/aws-s3-deployment";
import { Construct, type IConstruct } from "constructs";
import { documentOf, type PageSettings } from "#api/pages/document.ts";
import type { SignIn } from "./identity.ts";
import type { ImageBucket } from "./image-bucket.ts";
import { built, pageAssets } from "./page-assets.ts";
import {
  type Behaviour,
  behaviours,
  cacheControl,
  contentPolicy,
  documents,
  folderSettings,
  folders,
  type Neighbours,
  strictTransport,
  viewerRequest,
  worker,
} from "./page-behaviours.ts";
import { removalPolicy } from "./removal.ts";
import { signInDomain } from "./stage-names.ts";
import type { HostedPages, StageConfig } from "./stages.ts";

export interface PagesProps {
  readonly stage: StageConfig;
  readonly hosted: HostedPages;
  readonly api: HttpApi;
  readonly images: ImageBucket;
}

/** Statuses that CloudFront keeps for ten seconds for all people who ask for the same path, whatever their token. */
const keptErrors = [404, 414, 500, 501, 502, 503, 504] as const;

/** Host of the pool's sign-in page; undefined without a pool of the stack's own. */
const signInHost = ({ identity }: StageConfig): string | undefined =>
  identity.existing ? undefined : `${signInDomain(identity, Aws.ACCOUNT_ID)}.auth.${Aws.REGION}.amazoncognito.com`;

const hasGoogle = ({ identity }: StageConfig): boolean => !identity.existing && identity.googleSecretName !== undefined;

/** What the documents of a stage tell the application. */
export function pageSettings(
  stage: StageConfig,
  hosted: HostedPages,
  { outputs }: SignIn,
  { variables }: ImageBucket,
): PageSettings {
  const signIn = signInHost(stage);
  return {
    api: "/api",
    clubName: stage.senderName,
    contact: hosted.contact,
    timeZone: stage.timeZone,
    currency: stage.currency,
    colours: hosted.colours ?? {},
    images: variables.IMAGE_PUBLIC_URL ?? "",
    publicEvents: stage.publicEvents,
    guests: stage.guests,
    region: Aws.REGION,
    userPoolId: outputs.UserPoolId ?? "",
    clientId: outputs.UserPoolClientId ?? "",
    ...(signIn && { signInDomain: signIn }),
    hasGoogle: hasGoogle(stage),
  };
}

export class Pages extends Construct {
  /** Base address, without a trailing slash. */
  readonly url: string;
  /** By the name of the output. */
  readonly outputs: Readonly<Record<string, string>>;
  private readonly stage: StageConfig;
  private readonly bucket: Bucket;

  constructor(scope: Construct, id: string, { stage, hosted, api, images }: PagesProps) {
    super(scope, id);
    this.stage = stage;
    this.bucket = new Bucket(this, "Bucket", {
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      removalPolicy: removalPolicy(stage),
    });
    const origins = {
      // Without the right to list, S3 answers 403 for a missing object. No path reaches the list itself.
      // https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObject.html
      files: S3BucketOrigin.withOriginAccessControl(this.bucket, {
        originAccessLevels: [AccessLevel.READ, AccessLevel.LIST],
      }),
      api: new HttpOrigin(`${api.apiId}.execute-api.${Aws.REGION}.${Aws.URL_SUFFIX}`, {
        protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
        originSslProtocols: [OriginSslPolicy.TLS_V1_2],
      }),
    };
    const options = this.options(origins, {
      images: `https://${images.bucket.bucketRegionalDomainName}`,
      identity: [
        `https://cognito-idp.${Aws.REGION}.amazonaws.com`,
        ...(hasGoogle(stage) ? [`https://${signInHost(stage)}`] : []),
      ],
    });
    const rest = behaviours.filter(({ pattern }) => pattern !== "*");
    const { domainName, certificateArn } = hosted;
    const distribution = new Distribution(this, "Distribution", {
      comment: `Club events, ${stage.name}`,
      defaultBehavior: options(behaviours.find(({ pattern }) => pattern === "*") as Behaviour),
      additionalBehaviors: Object.fromEntries(rest.map((one) => [one.pattern, options(one)])),
      // The edge function does so, too: a list of the bucket's files must not depend on it.
      defaultRootObject: "index.html",
      httpVersion: HttpVersion.HTTP2_AND_3,
      // The path is the whole key of an error, so one person's 404 would be another's.
      // https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/custom-error-pages-expiration.html
      errorResponses: keptErrors.map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
      ...(domainName !== undefined &&
        certificateArn !== undefined && {
          domainNames: [domainName],
          certificate: Certificate.fromCertificateArn(this, "Certificate", certificateArn),
        }),
    });
    Annotations.of(this).acknowledgeWarning("@aws-cdk/aws-cloudfront-origins:listBucketSecurityRisk");
    this.url = `https://${domainName ?? distribution.distributionDomainName}`;
    this.outputs = {
      PagesUrl: this.url,
      ...(domainName !== undefined && { PagesDomainTarget: distribution.distributionDomainName }),
    };
  }

  /** CloudFront's options of a behaviour. */
  private options(origins: Readonly<Record<Behaviour["origin"], IOrigin>>, neighbours: Neighbours) {
    const edge = new EdgeFunction(this, "ViewerRequest", {
      code: FunctionCode.fromInline(viewerRequest),
      runtime: FunctionRuntime.JS_2_0,
      comment: "Finds what a path is at its origin",
    });
    const policyOf = (policy: Behaviour["policy"], id: string) =>
      new ResponseHeadersPolicy(this, id, {
        securityHeadersBehavior: {
          contentSecurityPolicy: { contentSecurityPolicy: contentPolicy(policy, neighbours), override: true },
          contentTypeOptions: { override: true },
          frameOptions: { frameOption: HeadersFrameOption.DENY, override: true },
          referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.NO_REFERRER, override: true },
          strictTransportSecurity: { accessControlMaxAge: Duration.seconds(strictTransport), override: true },
        },
      });
    const policies = {
      pages: policyOf("pages", "Headers"),
      desk: policyOf("desk", "DeskHeaders"),
      door: policyOf("door", "DoorHeaders"),
    };
    return ({ origin, caches, policy }: Behaviour): BehaviorOptions => ({
      origin: origins[origin],
      responseHeadersPolicy: policies[policy],
      functionAssociations: [{ function: edge, eventType: FunctionEventType.VIEWER_REQUEST }],
      compress: true,
      // Its key is the path alone. What is not to be kept is kept for a second.
      ...(caches
        ? { cachePolicy: CachePolicy.CACHING_OPTIMIZED, viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS }
        : {
            cachePolicy: CachePolicy.CACHING_DISABLED,
            // The token, too. The API knows only its own host.
            // https://repost.aws/knowledge-center/cloudfront-authorization-header
            originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
            allowedMethods: AllowedMethods.ALLOW_ALL,
            viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
          }),
    });
  }

  /**
   * Uploads the files by the CDK's own function, in the same deploy as the API. Earlier assets stay (`prune: false`), for pages
   * that are open and for a rollback; a deploy adds less than 1 MB.
   * @returns the assets, which have to be there before a document names them
   */
  publish(settings: PageSettings): IConstruct {
    const { stage, bucket } = this;
    const logGroup = new LogGroup(this, "UploadLogs", {
      retention: stage.logRetentionDays,
      removalPolicy: removalPolicy(stage),
    });
    const role = new Role(this, "UploadRole", { assumedBy: new ServicePrincipal("lambda.amazonaws.com") });
    logGroup.grantWrite(role);
    const upload = (id: string, sources: ISource[], prefix: string, control: string) =>
      new BucketDeployment(this, id, {
        sources,
        destinationBucket: bucket,
        ...(prefix && { destinationKeyPrefix: prefix }),
        cacheControl: [CacheControl.fromString(control)],
        prune: false,
        // CloudFormation deletes only empty buckets.
        retainOnDelete: stage.removalPolicy === "retain",
        memoryLimit: 512,
        role,
        logGroup,
      });
    const assets = upload("Assets", [Source.asset(built("pages/assets"))], "assets/", cacheControl.assets);
    const assetsOf = pageAssets();
    const only = { ignoreMode: IgnoreMode.GIT, exclude: ["/*", ...folders.map((folder) => `!/${folder}`)] };
    const others = [
      ...Object.entries(documents).map(([name, application]) =>
        Source.data(name, documentOf(settings, assetsOf[application])),
      ),
      Source.data(worker, readFileSync(built(`pages/${worker}`), "utf8")),
      Source.asset(built("."), only),
      ...folders.map((folder) => Source.jsonData(`${folder}/settings.json`, folderSettings)),
    ];
    upload("Documents", others, "", cacheControl.others).node.addDependency(assets);
    return assets;
  }
}
