/**
 * What each value of a stage must be by itself. A description says what is wrong with another value; without one the
 * sentence is that of the API (`lambda/kit/schema/validation.ts`).
 */
import { described, oneOf, Type } from "#kit/schema/schema.ts";

const host = "(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+";
const region = "[a-z]{2}(?:-[a-z]+)+-\\d";
/** https://docs.aws.amazon.com/acm/latest/APIReference/API_CertificateDetail.html */
const certificate = `arn:aws[\\w-]*:acm:(${region}):\\d{12}:certificate/[\\w-]+`;

export const certificateRegion = (arn: string): string | undefined => new RegExp(`^${certificate}$`).exec(arn)?.[1];

const form = (pattern: string, description: string) => Type.String({ pattern: `^(?:${pattern})$`, description });
const whole = (minimum: number, more: { readonly maximum?: number; readonly description?: string } = {}) =>
  Type.Integer({ minimum, ...more });

const Address = Type.String();
const MailAddress = form(`[A-Za-z0-9.!#$%&'*+/=?^_\`{|}~-]+@${host}`, "is no email address");
const SecretName = form("[\\w/+=.@-]{1,512}", "is not the name of a secret");
const Cents = whole(1, { description: "must be whole cents above 0" });
const Throttle = (rate: number, burst: number) => Type.Object({ rate: whole(rate), burst: whole(burst) });

// A host below AWS's domains cannot be a custom domain.
const OwnHost = Type.Optional(
  form(
    `(?!.*\\.(?:amazonaws|amazoncognito|cloudfront)\\.(?:com|net)$)${host}`,
    "is no lower-case host name, or belongs to AWS",
  ),
);
const CertificateArn = Type.Optional(form(certificate, "is no ARN of a certificate in AWS Certificate Manager"));

/** Of a new pool, or of an existing one. */
const Identity = Type.Object({
  callbackUrls: Type.Optional(Type.Array(Address, { minItems: 1, description: "names no address" })),
  domainPrefix: Type.Optional(
    form("(?!.*(?:aws|amazon|cognito))[a-z0-9]([a-z0-9-]{0,48}[a-z0-9])?", "is not accepted by the identity service"),
  ),
  verification: Type.Optional(described(oneOf(["code", "link"]), "is neither code nor link")),
  googleSecretName: Type.Optional(SecretName),
  // The patterns of Cognito's API.
  // https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_DescribeUserPoolClient.html
  existing: Type.Optional(
    Type.Object({
      userPoolId: form("(?=.{1,55}$)[\\w-]+_[0-9a-zA-Z]+", "is no id of a user pool"),
      clientId: form("[\\w+]{1,128}", "is no id of a pool's client"),
      region: form(region, "is no region"),
    }),
  ),
});

export const stageSchema = Type.Object({
  identity: Identity,
  allowedOrigins: Type.Array(Address, { minItems: 1, description: "names no origin" }),
  adminEmailDomain: form(`|${host}`, "is no lower-case domain (empty = the stage has no admins)"),
  mailSender: MailAddress,
  replyTo: Type.Optional(MailAddress),
  campaigns: Type.Object({ mailsPerSecond: whole(1, { maximum: 1_000 }), unsubscribeAddress: MailAddress }),
  // With the URL itself, every reader of this repository could post to the chat.
  chatWebhookSecret: Type.Optional(SecretName),
  // A key of the payment provider would be a valid name of a secret.
  paymentsSecret: form("(?!(?:sk|rk|pk|whsec)_)[\\w/+=.@-]{1,512}", "is no name of a secret"),
  // One page for each event: without characters that have to be encoded, and without other placeholders.
  eventPage: Type.Optional(
    form(
      "(?=.*\\{id\\})(?!.*\\{id\\}.*\\{id\\})(?=.*\\{year\\})(?!.*\\{year\\}.*\\{year\\})/(?!/)(?:[\\w.~!$&'()*+,;=:@%/?#-]|\\{id\\}|\\{year\\})*",
      'is no path that begins with one "/" and has {id} and {year} once each',
    ),
  ),
  pages: Type.Optional(
    Type.Object({
      contact: MailAddress,
      colours: Type.Optional(Type.Object({ accent: form("#[0-9a-f]{6}", "is no colour, such as #0b6b3a") })),
      domainName: OwnHost,
      certificateArn: CertificateArn,
    }),
  ),
  guests: described(oneOf(["nobody", "partners", "everyone"]), "is not nobody, partners or everyone"),
  answersKeptDays: Type.Optional(whole(30)),
  partnerSeats: Type.Optional(whole(0)),
  seeDietAndPhone: Type.Optional(
    Type.Array(form("[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[^@A-Z]+", "is no email in small letters")),
  ),
  membershipPrice: Cents,
  membershipPrices: Type.Optional(Type.Record(Type.String(), Type.Record(Type.String(), Cents))),
  refunds: described(oneOf(["automatic", "by hand"]), "is neither automatic nor by hand"),
  holds: Type.Object({
    // https://docs.stripe.com/api/checkout/sessions/create, "expires_at"
    newRegistration: whole(30 * 60_000, {
      description: "must be at least 30 minutes, because a payment session of the provider lives that long",
    }),
    promotion: whole(1),
    acceptance: whole(1, { maximum: 30 * 24 * 3_600_000 }),
  }),
  signUps: Type.Object({
    // SES's quota of a day outside of its sandbox is 50,000 at first (AWS Messaging Blog, "All about SES daily quota").
    perHour: whole(1, {
      maximum: 2_000,
      description: "must be a whole number from 1 to 2,000, because 24 such hours use up SES's quota of a day",
    }),
    perHourAndDomain: whole(1),
    openDomains: Type.Array(form(host, "is no lower-case domain")),
  }),
  // All people register in the same minutes.
  throttle: Throttle(1_000, 2_000),
  routeThrottle: Type.Object({ public: Throttle(1, 1), door: Throttle(1, 1) }),
  // As many as one rush needs.
  tableThroughput: Type.Object({ reads: whole(6_000), writes: whole(3_500) }),
  alarmEmail: Type.Optional(MailAddress),
  monthlyBudget: Type.Optional(whole(1)),
  repository: Type.Optional(form("https://[\\w.-]+(?:/[\\w.-]+)+", "is no https address of a repository")),
  domainName: OwnHost,
  certificateArn: CertificateArn,
  // https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.NamingRulesDataTypes.html
  restoredTable: Type.Optional(
    Type.Object({ tableName: form("[\\w.-]{3,255}", "is no name of a table"), streamArn: Type.String() }),
  ),
});
