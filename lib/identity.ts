/**
 * Sign-in: the user pool, the web application's client, and Google where the stage has it (`docs/contract.md`,
 * "Sign-up"; `docs/design.md`, "Identity").
 */
import { Aws, Duration, SecretValue } from "aws-cdk-lib";
import {
  AccountRecovery,
  FeaturePlan,
  OAuthScope,
  ProviderAttribute,
  UserPool,
  type UserPoolClient,
  UserPoolClientIdentityProvider,
  UserPoolEmail,
  UserPoolIdentityProviderGoogle,
  UserPoolOperation,
  VerificationEmailStyle,
} from "aws-cdk-lib/aws-cognito";
import { Policy, PolicyStatement } from "aws-cdk-lib/aws-iam";
import { Construct } from "constructs";
import { ClubFunction } from "./function.ts";
import { quotedName } from "./mail-sender.ts";
import { removalPolicy } from "./removal.ts";
import { signInDomain } from "./stage-names.ts";
import type { StageConfig } from "./stages.ts";

export class Identity extends Construct {
  readonly pool: UserPool;
  readonly webClient: UserPoolClient;
  /** Base address of the hosted sign-in page. The web application sends people there for Google. */
  readonly signInPageUrl: string;

  constructor(scope: Construct, id: string, { stage }: { readonly stage: StageConfig }) {
    super(scope, id);
    this.pool = new UserPool(this, "Pool", {
      selfSignUpEnabled: true,
      signInAliases: { email: true },
      // Exec@club.example and exec@club.example are the same person.
      signInCaseSensitive: false,
      standardAttributes: { email: { required: true, mutable: true } },
      autoVerify: { email: true },
      userVerification: {
        emailStyle: VerificationEmailStyle.CODE,
        emailSubject: "Your code for club events",
        emailBody: "Your code is {####}. If you did not ask for one, ignore this mail.",
      },
      // An admin is known by the email. So a new email counts only after the person has confirmed it.
      keepOriginal: { email: true },
      accountRecovery: AccountRecovery.EMAIL_ONLY,
      passwordPolicy: {
        minLength: 8,
        requireDigits: true,
        requireLowercase: true,
        requireUppercase: true,
        requireSymbols: true,
      },
      // Cognito's own sender stops after 50 mails a day. More people than that sign up before registration opens.
      email: UserPoolEmail.withSES({
        fromEmail: stage.mailSender,
        fromName: quotedName(stage.senderName),
        sesVerifiedDomain: stage.mailSender.split("@")[1],
        sesRegion: Aws.REGION,
      }),
      // Passwords, Google and the hosted sign-in page are all in the cheapest plan.
      featurePlan: FeaturePlan.LITE,
      deletionProtection: stage.deletionProtection,
      removalPolicy: removalPolicy(stage),
    });
    this.askBeforeSignUp(stage);
    const signInPage = this.pool.addDomain("SignInPage", {
      cognitoDomain: { domainPrefix: signInDomain(stage, Aws.ACCOUNT_ID) },
    });
    this.signInPageUrl = signInPage.baseUrl();

    const google = this.google(stage);
    this.webClient = this.pool.addClient("Web", {
      generateSecret: false, // a browser cannot keep one
      authFlows: { userSrp: true, userPassword: stage.identity.passwordInPlain },
      preventUserExistenceErrors: true,
      enableTokenRevocation: true,
      idTokenValidity: Duration.hours(1),
      accessTokenValidity: Duration.hours(1),
      refreshTokenValidity: Duration.days(7),
      oAuth: {
        flows: { authorizationCodeGrant: true },
        // COGNITO_ADMIN lets the web application read the attributes of the person who signed in.
        scopes: [OAuthScope.OPENID, OAuthScope.EMAIL, OAuthScope.PROFILE, OAuthScope.COGNITO_ADMIN],
        callbackUrls: [...stage.identity.callbackUrls],
        logoutUrls: [...stage.identity.logoutUrls],
      },
      supportedIdentityProviders: [
        UserPoolClientIdentityProvider.COGNITO,
        ...(google ? [UserPoolClientIdentityProvider.GOOGLE] : []),
      ],
    });
    if (google) this.webClient.node.addDependency(google);
  }

  /** Cognito asks `lambda/domain/identity/sign-up.ts` before every new account, also on a stage without Google. */
  private askBeforeSignUp(stage: StageConfig): void {
    const rule = new ClubFunction(this, "PreSignUp", {
      stage,
      bundle: "pre-sign-up",
      description: "Decides who gets an account, and links Google to an account with the same verified email",
      // 512 MB: the person waits for the cold start. Cognito gives up after five seconds and asks again.
      memory: 512,
      timeout: Duration.seconds(5),
    });
    this.pool.addTrigger(UserPoolOperation.PRE_SIGN_UP, rule);
    // A policy of its own: the function depends on its role's default policy, and the pool on the function.
    new Policy(this, "PreSignUpAccounts", {
      roles: rule.role ? [rule.role] : [],
      statements: [
        new PolicyStatement({
          actions: ["cognito-idp:ListUsers", "cognito-idp:AdminLinkProviderForUser"],
          resources: [this.pool.userPoolArn],
        }),
      ],
    });
  }

  /** Google, if the stage has it. The claim "email verified" is mapped: only a verified email makes an admin. */
  private google(stage: StageConfig): UserPoolIdentityProviderGoogle | undefined {
    const { googleSecretName } = stage.identity;
    if (googleSecretName === undefined) return undefined;
    return new UserPoolIdentityProviderGoogle(this, "Google", {
      userPool: this.pool,
      // The client id is public, but is stored with the client secret. CloudFormation resolves both at deployment.
      clientId: SecretValue.secretsManager(googleSecretName, { jsonField: "clientId" }).unsafeUnwrap(),
      clientSecretValue: SecretValue.secretsManager(googleSecretName, { jsonField: "clientSecret" }),
      scopes: ["openid", "email", "profile"],
      attributeMapping: {
        email: ProviderAttribute.GOOGLE_EMAIL,
        emailVerified: ProviderAttribute.GOOGLE_EMAIL_VERIFIED,
        givenName: ProviderAttribute.GOOGLE_GIVEN_NAME,
        familyName: ProviderAttribute.GOOGLE_FAMILY_NAME,
      },
    });
  }
}
