/**
 * Sign-in with the stack's own user pool, the web application's client, and optionally Google (`docs/contract.md`,
 * "Sign-up"; `docs/design.md`, "Access and identity").
 */
import { Aws, Duration, SecretValue } from "aws-cdk-lib";
import {
  AccountRecovery,
  FeaturePlan,
  Mfa,
  OAuthScope,
  ProviderAttribute,
  UserPool,
  UserPoolClientIdentityProvider,
  UserPoolEmail,
  UserPoolIdentityProviderGoogle,
  UserPoolOperation,
  type UserVerificationConfig,
  VerificationEmailStyle,
} from "aws-cdk-lib/aws-cognito";
import { Construct } from "constructs";
import { shortMailHtml } from "#domain/notices/mail-html.ts";
import { quotedName } from "./mail-sender.ts";
import { removalPolicy } from "./removal.ts";
import type { Resources } from "./resources.ts";
import { addSignUpRule } from "./sign-up-rule.ts";
import { signInDomain } from "./stage-names.ts";
import type { NewPool } from "./stages.ts";

/** The sign-in service of a stack. */
export interface SignIn {
  /** The API accepts tokens of this issuer for this audience. */
  readonly tokens: { readonly issuer: string; readonly audience: string };
  /** Values for the web application and operators, by the name of the output. */
  readonly outputs: Readonly<Record<string, string>>;
}

/**
 * The issuer of a pool's tokens.
 * https://docs.aws.amazon.com/cognito/latest/developerguide/amazon-cognito-user-pools-using-the-id-token.html
 */
export const issuerOf = (region: string, userPoolId: string): string =>
  `https://cognito-idp.${region}.amazonaws.com/${userPoolId}`;

/** The mail that confirms an account after a sign-up. A pool with a link sends other codes with Cognito's default text. */
const verifications = {
  code: {
    emailStyle: VerificationEmailStyle.CODE,
    subject: "Your code for club events",
    heading: "Your code",
    text: "Your code is {####}. If you did not ask for one, ignore this mail.",
  },
  // The link leads to the pool's sign-in page, so the pool needs a domain.
  link: {
    emailStyle: VerificationEmailStyle.LINK,
    subject: "Confirm your account for club events",
    heading: "Confirm your account",
    // Ends with the link, so that no full stop is copied with it.
    text: "You signed up for club events. If it was not you, ignore this mail. To confirm your account, open this link: {##Verify Email##}",
  },
} as const;

/** Cognito accepts HTML of at most 20,000 characters, and inserts code or link. */
function verification(kind: NewPool["verification"], signature: string): UserVerificationConfig {
  const { emailStyle, subject, heading, text } = verifications[kind];
  return { emailStyle, emailSubject: subject, emailBody: shortMailHtml({ subject, heading, text, signature }) };
}

export class Identity extends Construct implements SignIn {
  readonly tokens: SignIn["tokens"];
  readonly outputs: SignIn["outputs"];
  private readonly pool: UserPool;

  constructor(scope: Construct, id: string, resources: Resources, settings: NewPool) {
    super(scope, id);
    const { stage, mailSender, pagesUrl } = resources;
    const own = (path: string) => (pagesUrl === undefined ? [] : [`${pagesUrl}${path}`]);
    this.pool = new UserPool(this, "Pool", {
      selfSignUpEnabled: true,
      signInAliases: { email: true },
      // Exec@club.example and exec@club.example are the same person.
      signInCaseSensitive: false,
      standardAttributes: { email: { required: true, mutable: true } },
      autoVerify: { email: true },
      userVerification: verification(settings.verification, stage.senderName),
      // Admins are identified by email, so a new email takes effect only after its confirmation.
      keepOriginal: { email: true },
      accountRecovery: AccountRecovery.EMAIL_ONLY,
      passwordPolicy: {
        minLength: 8,
        requireDigits: true,
        requireLowercase: true,
        requireUppercase: true,
        requireSymbols: true,
      },
      // Authenticator apps, which cost nothing and need no phone number.
      mfa: Mfa.OPTIONAL,
      mfaSecondFactor: { sms: false, otp: true },
      // Cognito's default sender is limited to 50 mails a day, too few before a registration opens.
      email: UserPoolEmail.withSES({
        fromEmail: stage.mailSender,
        fromName: quotedName(stage.senderName),
        ...(stage.replyTo !== undefined && { replyTo: stage.replyTo }),
        sesVerifiedDomain: stage.mailSender.split("@")[1],
        sesRegion: Aws.REGION,
        configurationSetName: mailSender.configurationSet,
      }),
      // The cheapest plan includes passwords, Google and the hosted sign-in page.
      featurePlan: FeaturePlan.LITE,
      deletionProtection: stage.deletionProtection,
      removalPolicy: removalPolicy(stage),
    });
    // Also without Google: Cognito calls the trigger before every new account.
    const rule = addSignUpRule(this, resources, this.pool.userPoolArn);
    this.pool.addTrigger(UserPoolOperation.PRE_SIGN_UP, rule);
    this.pool.addTrigger(UserPoolOperation.CUSTOM_MESSAGE, rule);
    const signInPage = this.pool.addDomain("SignInPage", {
      cognitoDomain: { domainPrefix: signInDomain(settings, Aws.ACCOUNT_ID) },
    });
    const google = this.google(settings);
    const webClient = this.pool.addClient("Web", {
      generateSecret: false, // a browser cannot keep one
      authFlows: { userSrp: true, userPassword: settings.passwordInPlain },
      preventUserExistenceErrors: true,
      enableTokenRevocation: true,
      idTokenValidity: Duration.hours(1),
      accessTokenValidity: Duration.hours(1),
      refreshTokenValidity: Duration.days(7),
      oAuth: {
        flows: { authorizationCodeGrant: true },
        // COGNITO_ADMIN lets the web application read the attributes of the person who signed in.
        scopes: [OAuthScope.OPENID, OAuthScope.EMAIL, OAuthScope.PROFILE, OAuthScope.COGNITO_ADMIN],
        callbackUrls: [...settings.callbackUrls, ...own("/sign-in/"), ...own("/desk/")],
        logoutUrls: [...settings.logoutUrls, ...own("/")],
      },
      supportedIdentityProviders: [
        UserPoolClientIdentityProvider.COGNITO,
        ...(google ? [UserPoolClientIdentityProvider.GOOGLE] : []),
      ],
    });
    if (google) webClient.node.addDependency(google);

    const { userPoolId, stack } = this.pool;
    this.tokens = { issuer: issuerOf(stack.region, userPoolId), audience: webClient.userPoolClientId };
    this.outputs = {
      UserPoolId: this.pool.userPoolId,
      UserPoolClientId: webClient.userPoolClientId,
      // The web application redirects people there for Google.
      SignInPageUrl: signInPage.baseUrl(),
    };
  }

  /** Google, if configured. The claim "email verified" is mapped, because admins need a verified email. */
  private google({ googleSecretName }: NewPool): UserPoolIdentityProviderGoogle | undefined {
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
