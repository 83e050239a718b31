/** Examples of parameters, bodies and responses, built from the schemas with a value per field name. */
import { NothingSaid } from "./fields.ts";
import type { JsonSchema } from "./schemas.ts";

const ada = "ada@student.example";
const profileID = "QuickOttersSmile";
/** Not sealed with any stage's key. */
const ticketCode = "V2.P4QXDFWQURREXTD4LLP6VHBJSWSWD4IEMD7TX67QDP6J4GQUY2L5JJAPG7PUYAXM6DP4DGPCE6WJTW2WFHAA";
const created = Date.UTC(2030, 0, 7, 18);
/** At the door. */
const arrival = Date.UTC(2030, 2, 2, 2, 5);

const nonce = "f47ac10b58cc4372a5670e02b2c3d479";
const mark = "1WbKb0J8pDCu1dGs";
const doorSecret = "01JGZ2M0W8Q4V5Y6Z7A8B9C0D3.Wm1uQ3N0b1Y4d2s5c0s2bTNRN2o4cjF4";

/**
 * Example values by field name. Required strings and numbers must be here; other required fields get one from the schema:
 * the first allowed value, `true`, an object. Optional fields are included if they are here.
 */
const values: Readonly<Record<string, unknown>> = {
  actor: "exec@club.example",
  acceptedCount: 0,
  accounts: 24,
  additionalLink: "https://ada.example",
  afterTimestamp: "2030-01-07T18:00:00Z",
  amount: 1_000,
  amountDelta: 1_000,
  applicantCount: 0,
  applicants: 0,
  applicationStatus: "",
  attendeeFeedbackEnabled: true,
  audience: "gala;2030",
  avgPrice: 1.05,
  basePrice: 1,
  bumpType: "MVP_SHIPPED",
  came: 71,
  campaignId: "01JGZ2M0W8Q4V5Y6Z7A8B9C0D1",
  cancelled: 9,
  cancelledByLink: 6,
  cancelledLate: 4,
  lapsed: 2,
  cap: 25,
  capac: 120,
  cardCount: 1,
  cashBalance: 2494.64,
  cashDelta: -5.36,
  changedSince: "2030-01-07T18:00:00Z",
  checkedInAt: arrival,
  checkedInCount: 0,
  choices: ["Strategy", "Design"],
  compositeID: `PROFILE#${profileID}`,
  count: 1,
  createdAt: created,
  createdBy: "exec@club.example",
  currentPrice: 1.1,
  cursor: "eyJrIjoiZ2FsYSJ9",
  day: "2030-01-07",
  currency: "CAD",
  deadline: "2030-03-01T02:00:00.000Z",
  mean: 8.4,
  noShows: 9,
  opensAt: "2030-02-01T20:00:00.000Z",
  partners: 4,
  publishAt: "2030-01-15T20:00:00.000Z",
  description: "An evening with the people who build companies.",
  diet: "Vegetarian",
  discordId: "ada#1815",
  education: "UBC",
  elocation: "Great Hall",
  email: ada,
  ename: "Winter Gala",
  endDate: "2030-03-02T06:00:00.000Z",
  equityValue: 5.5,
  event: { ename: "Winter Gala", elocation: "Great Hall" },
  eventID: "gala",
  eventId: "gala",
  "eventID;year": "gala;2030",
  facebookUrl: "https://social.example/events/gala",
  faculty: "Commerce",
  failed: 1,
  favEvents: ["gala;2030"],
  "favedEventsID;year": ["gala;2030"],
  fee: 0.11,
  fileName: "banner.png",
  from: "2030-01-01",
  fileType: "image/png",
  firstName: "Ada",
  fname: "Ada",
  funQuestion1: "I count things.",
  funQuestion2: "Machines that weave.",
  gender: "Woman",
  heardFrom: "A friend",
  hobby1: "Chess",
  hobby2: "Walking",
  html: "<p>Dear {{ fname }}, we look forward to {{ event.ename }}.</p>",
  Html: "<p>Dear {{ fname }}, we look forward to {{ event.ename }}.</p>",
  id: "gala",
  idempotencyKey: "gala-reminder-1",
  ids: [ada],
  imageHash: "hoodie-blue",
  imageUrl: "https://images.example/event-thumbnails/gala/optimized/1893283200000.png",
  incompleteCount: 0,
  initialBalance: 2500,
  key: "event-thumbnails/gala/optimized/1893283200000.png",
  lastName: "Lovelace",
  latitude: 49.2646,
  limit: 50,
  limitBottom: 5,
  limitTop: 5,
  linkedIn: "https://linkedin.example/in/ada",
  links: ["https://club.example/prizes/hoodie"],
  lname: "Lovelace",
  longitude: -123.2526,
  major: "Mathematics",
  marketCap: 5.5,
  marketValue: 5.5,
  member: 5,
  members: 5,
  message: "Done.",
  name: "Club hoodie",
  netShares: 5,
  nonMember: 8,
  nonMembers: 8,
  partnerCapac: 10,
  partnerCheckedInCount: 0,
  partnerCount: 0,
  partnerDescription: "A table for your company.",
  partnerRemaining: 10,
  partnerWaitlistCount: 0,
  paymentId: "cs_live_1",
  paymentIntent: "pi_1",
  pending: 0,
  pnl: 0.25,
  phone: "+1 604 555 0100",
  points: 30,
  positionsCount: 1,
  prefix: "optimized",
  price: 1.05,
  profileID,
  profilePictureURL: "https://images.example/ada.png",
  projectId: "abacus",
  pronouns: "she/her",
  publicUrl: "https://images.example/event-thumbnails/gala/optimized/1893283200000.png",
  q: "ada lov",
  refundId: "01JGZ2M0W8Q4V5Y6Z7A8B9C0D2",
  reversalId: "01JGZ2M0W8Q4V5Y6Z7A8B9C0D3",
  entryId: "hand_01JGZ2M0W8Q4V5Y6Z7A8B9C0D2",
  waived: 500,
  owes: 500,
  dated: created,
  at: created,
  endsAt: created,
  deletedAt: created,
  registered: 80,
  rejected: 0,
  saidTheyCome: 66,
  saidTheyComeAndCame: 64,
  state: "succeeded",
  by: "exec@club.example",
  providerId: "re_1",
  questionId: "workshop",
  rank: 1,
  reason: "Asked for it",
  recipients: 84,
  refund: "none",
  refunds: 2,
  registeredCount: 84,
  remaining: 36,
  respondentEmail: ada,
  respondentName: "Ada",
  responses: { "overall-rating": 9 },
  returnPct: 0.01,
  seatsTaken: 84,
  seedAmount: 0,
  seedDelta: 10,
  sent: 82,
  settledAt: created + 120_000,
  shares: 5,
  since: created,
  size: 1,
  source: "TRADE",
  startDate: "2030-03-02T02:00:00.000Z",
  studentId: "12345678",
  studentNumber: "12345678",
  when: "Friday, March 1, 2030, 7:00 – 11:00 PM GMT-7",
  subject: "See you at {{ event.ename }}",
  Subject: "See you at {{ event.ename }}",
  submittedAt: created,
  suppressed: 0,
  teamId: "abacus",
  TemplateName: "gala-reminder",
  templateName: "gala-reminder",
  text: "Dear {{ fname }}, we look forward to {{ event.ename }}.",
  Text: "Dear {{ fname }}, we look forward to {{ event.ename }}.",
  CreatedTimestamp: "2030-01-07T18:00:00.000Z",
  LastModifiedTimestamp: "2030-01-07T18:00:00.000Z",
  ticker: "ABA",
  ticketCode,
  topics: ["Technology"],
  totalBuyShares: 5,
  totalEquityValue: 5.5,
  totalPnl: 0.14,
  totalPortfolioValue: 2500.14,
  totalSellShares: 0,
  totalTrades: 1,
  totalValue: 2500.14,
  totalVolume: 5.25,
  traders: 24,
  tradeId: "01JGZ2M0W8Q4V5Y6Z7A8B9C0D2",
  ts: created,
  unconfirmed: 1,
  unconfirmedRecipients: [ada],
  university: "UBC",
  updatedAt: created,
  uploadUrl: "https://images.example/event-thumbnails/gala/optimized/1893283200000.png?X-Amz-Signature=4f9c",
  userId: ada,
  waiting: 12,
  waitlistCount: 0,
  device: "door 2",
  deviceId: "01JGZ2M0W8Q4V5Y6Z7A8B9C0D2",
  joinedAt: arrival - 3_600_000,
  lastSyncAt: arrival,
  link: `http://localhost:4000/door/#gala/2030/${doorSecret}/Winter%20Gala`,
  mark,
  nonce,
  receivedAt: arrival,
  revoked: 1,
  feed: "c2VhbGVkIGJ5IHRoZSBzdGFnZQ",
  address: "/calendar/c2VhbGVkIGJ5IHRoZSBzdGFnZQ.ics",
  secret: doorSecret,
  sentAt: arrival,
  token: "gala.2030.01JGZ2M0W8Q4V5Y6Z7A8B9C0D2.Wm1uQ3N0b1Y4d2s5c0s2bTNRN2o4cjF4",
  year: 2030,
  admin: false,
  alreadyCheckedIn: false,
  isPartner: false,
  isCompleted: false,
  profileType: "ATTENDEE",
};

/** Fields with another meaning in these places: `<component or group of routes>.<field>`. */
const special: Readonly<Record<string, unknown>> = {
  // The device of a scan, where an id stands in a revocation.
  "door.device": "01JGZ2M0W8Q4V5Y6Z7A8B9C0D2",
  "DoorList.devices": ["door 2"],
  "DoorList.tickets": [[mark, "checkedIn", "Ada L.", [0], arrival, 0]],
  "Joined.device": { id: "01JGZ2M0W8Q4V5Y6Z7A8B9C0D2", name: "door 2" },
  "NewDevice.name": "door 2",
  "results.state": "checkedIn",
  "results.name": "Ada L.",
  "checkIns.from": arrival,
  "money.payments": 80,
  "Audit.data": [
    {
      ...{ at: 1_893_456_000_000, actor: "exec@club.example", action: "registration.updated", email: ada },
      ...{ eventID: "gala", year: 2030, changes: [{ field: "points", before: 3, after: 5 }], requestId: "req-1" },
    },
  ],
  "ExportedData.records": { registration: [{ email: "ada@student.example", eventID: "gala", year: 2030 }] },
  "ExportedData.leftOut": { logs: "They name no person." },
  "ErasurePlan.isEmptied": [{ kind: "registration", items: 2, why: "Those for events to come are cancelled." }],
  "ErasurePlan.goesLater": [{ kind: "own payment", items: 1, why: "Refunds may still come back." }],
  "ErasurePlan.isRenamed": [{ kind: "payment", items: 1, why: "The club's books must show every payment." }],
  "ErasurePlan.stays": [
    { kind: "suppression", items: 1, why: "No campaign may reach a person who wants none." },
    { kind: "lifted suppression", items: 1, why: "Nothing is sent to anybody twice.", until: "60 days" },
  ],
  "ErasurePlan.elsewhere": { backups: "The table can be restored to any second of the last 35 days." },
  "goes.kind": "account",
  "goes.items": 1,
  "Report.promoted": 12,
  "attendance.events": 10,
  "attendance.came": 9,
  "money.came": 120000,
  "money.wentBack": 3000,
  "money.open": 0,
  "money.frozen": 0,
  "money.lost": 0,
  "Scans.scans": [{ code: ticketCode, scannedAt: arrival, nonce, admitted: true }],
  "User.id": ada,
  "User.year": "3",
  // An event that does not exist yet.
  "NewEvent.id": "winter-gala",
  "NewUser.id": ada,
  "NewUser.year": "3",
  "UserChanges.year": "3",
  "Member.id": ada,
  "Member.year": "3",
  "NewMember.id": ada,
  "NewMember.year": "3",
  "MemberChanges.year": "3",
  "basicInformation.year": "3",
  "Profile.year": "3",
  "VisibleProfile.year": "3",
  "Registration.id": ada,
  "RegistrationForm.dynamicResponses": { workshop: "Strategy" },
  "Registration.dynamicResponses": { workshop: "Strategy" },
  "RegistrationChanges.dynamicResponses": { workshop: "Design" },
  "Prize.id": "hoodie",
  "Prize.price": 250,
  "NewPrize.id": "hoodie",
  "NewPrize.price": 250,
  "PrizeChanges.price": 250,
  "registrations.status": "registered,waitlist",
  "Registered.registrationStatus": "registered",
  "results.registrationStatus": "checkedIn",
  "NewCampaign.audience": { eventID: "gala", year: 2030 },
  "prizes.id": "hoodie",
  "payments.to": "2030-02-01",
  "Payment.fee": 74,
  "Payment.wentBack": 500,
  "Payment.open": 0,
  "Payment.frozen": 0,
  "Payment.lost": 0,
  "Payment.state": "part refunded",
  "Payment.payouts": ["po_1"],
  "Refund.amount": 500,
  "Refund.reason": "The workshop was cancelled.",
  "payments.from": "2030-01-01",
  ...{ "opening.provider": 10_400, "opening.cash": 2_000, "opening.bank": 0 },
  ...{ "balances.provider": 10_400, "balances.cash": 2_000, "balances.bank": 0 },
  ...{
    "rows.id": "txn_1",
    "rows.kind": "payment",
    "rows.account": "provider",
    "rows.balance": 11_400,
    "rows.amount": 1_000,
  },
  ...{ "rows.source": "ch_1", "rows.payout": "po_1", "rows.reverses": "hand_01JGZ2M0W8Q4V5Y6Z7A8B9C0D2" },
  "Journal.readUntil": created,
  "payments.expected": 2_000,
  "reversals.expected": 2_000,
  ...{
    "Totals.payments": 80,
    "Totals.came": 120_000,
    "Totals.fee": 5_880,
    "Totals.wentBack": 3_000,
    "Totals.net": 111_120,
  },
  ...{ "Totals.lost": 0, "Totals.frozen": 0, "Totals.open": 0 },
  ...{ "payouts.payoutId": "po_1", "payouts.arrivesAt": created, "disputes.disputeId": "dp_1" },
  ...{
    "disputes.status": "needs_response",
    "disputes.taken": 1_000,
    "disputes.dueBy": created,
    "Position.isWhole": true,
  },
  ...{ "money.fee": 5_880, "money.net": 111_120, "money.owes": 0 },
  "Closing.until": 1_893_484_800_000,
  "NewClosing.month": "2026-01",
  "Totals.membershipYear": "2029/30",
  "NewRefund.amount": 500,
  "NewRefund.reason": "The workshop was cancelled.",
  "OwnRefund.amount": 500,
  "OwnUser.year": "3",
  "OwnUser.id": ada,
  "payments.": "https://checkout.example/c/pay/cs_1",
  "emails.id": "01JGZ2M0W8Q4V5Y6Z7A8B9C0D1",
  "Campaign.state": "done",
  "Event.partnerFeedbackQuestions": [],
  "Event.partnerRegistrationQuestions": [],
  "EventWithPeople.partnerFeedbackQuestions": [],
  "EventWithPeople.partnerRegistrationQuestions": [],
  "FeedbackQuestion.": { questionId: "food", label: "How was the food?", type: "SHORT_TEXT", required: false },
  "Form.feedbackQuestions": [
    {
      questionId: "overall-rating",
      label: "How would you rate the event overall?",
      type: "LINEAR_SCALE",
      required: true,
      scaleMin: 1,
      scaleMax: 10,
    },
  ],
  "NewPayment.": { paymentType: "Event", eventID: "gala", year: 2030 },
  "NewProfile.description": "I build machines that think.",
  "NewProject.description": "A machine that counts.",
  "NewProject.name": "Abacus",
  "Preview.html": "<p>Dear Ada, we look forward to Winter Gala.</p>",
  "Preview.subject": "See you at Winter Gala",
  "Preview.text": "Dear Ada, we look forward to Winter Gala.",
  "Profile.description": "I build machines that think.",
  "ProfileChanges.description": "I build machines that think.",
  "Refund.at": created + 86_400_000,
  "RegistrationQuestion.": {
    questionId: "workshop",
    label: "Which workshop do you choose?",
    type: "WORKSHOP_SELECTION",
    required: true,
    choices: ["Strategy", "Design"],
    participantCap: 25,
  },
  "Submission.id": "01JGZ2M0W8Q4V5Y6Z7A8B9C0D4",
  "VisibleProfile.description": "I build machines that think.",
  "btx.description": "A machine that counts.",
  "btx.name": "Abacus",
  "counts.count": 20,
  "counts.label": "Strategy",
  "data.description": "A machine that counts.",
  "data.name": "Abacus",
  "devices.id": "01JGZ2M0W8Q4V5Y6Z7A8B9C0D2",
  "devices.name": "door 2",
  "failures.email": "grace@student.example",
  "failures.message": "550 5.1.1 No such mailbox",
  "first.at": arrival,
  "scans.at": arrival,
  "feedback.id": "01JGZ2M0W8Q4V5Y6Z7A8B9C0D4",
  "holdings.name": "Abacus",
  "project.description": "A machine that counts.",
  "project.name": "Abacus",
  "projects.description": "A machine that counts.",
  "projects.name": "Abacus",
  "updates.registrationStatus": "checkedIn",
};

/** The component's name in a reference. */
const nameOf = (ref: string): string => ref.split("/").at(-1) as string;

const isObject = ({ type }: JsonSchema): boolean => [type].flat().includes("object");

/** Optional fields that are omitted, because they are of one state (`states.ts`) or alternatives of others. */
const alternatives = new Set([
  "Registration.checkedInAt",
  "RegistrationChanges.applicationStatus",
  "RegistrationChanges.points",
  "updates.applicationStatus",
  "updates.points",
  // Of money by hand; and a date of the last months would not stay one.
  ...["NewRefund.how", "NewRefund.at", "NewPaymentByHand.membership", "NewPaymentByHand.at", "instead.at"],
  // Of rows that failed.
  "results.message",
  "results.reason",
  "results.again",
  "scans.reason",
]);

/** A field needs an example value. */
class NoExample extends NothingSaid {
  constructor(owner: string, field: string) {
    const [of, add] =
      field === ""
        ? [owner, `\`${owner}\` to \`values\`, or for a whole body \`${owner}.\` to \`special\`,`]
        : [`${owner}.${field}`, `\`${field}\` to \`values\``];
    super(`There is no example of ${of} that fits its schema: add ${add} in tools/reference/examples.ts.`);
  }
}

/** Builds the examples of one document. */
export class Examples {
  readonly #schemas: Readonly<Record<string, JsonSchema>>;
  readonly #fits: (schema: JsonSchema, value: unknown) => boolean;

  /** @param fits whether a value is valid for a schema of the document */
  constructor(schemas: Readonly<Record<string, JsonSchema>>, fits: (schema: JsonSchema, value: unknown) => boolean) {
    this.#schemas = schemas;
    this.#fits = fits;
  }

  /**
   * @param owner the name of a component or of a group of routes
   * @param field the name of the field, or of the parameter
   * @throws NoExample no example value matches the schema
   */
  of(schema: JsonSchema, owner: string, field = ""): unknown {
    const known = [special[`${owner}.${field}`], values[field]].find(
      (value) => value !== undefined && this.#fits(schema, value),
    );
    if (known !== undefined) return known;
    if (typeof schema.$ref === "string") {
      const name = nameOf(schema.$ref);
      return this.of(this.#schemas[name] as JsonSchema, name);
    }
    const made = this.#made(schema, field === "" ? owner : field);
    if (made === undefined || !this.#fits(schema, made)) {
      throw new NoExample(owner, field);
    }
    return made;
  }

  #made(schema: JsonSchema, owner: string): unknown {
    const { enum: allowed, properties, items, anyOf } = schema;
    if (Array.isArray(allowed)) return allowed[0];
    if (Array.isArray(anyOf)) return this.of(anyOf[0] as JsonSchema, owner);
    if (properties) return this.#object(schema, owner);
    if (items && [schema.type].flat().includes("array")) return [this.of(items as JsonSchema, owner)];
    const usual: Readonly<Record<string, unknown>> = { boolean: true, object: {} };
    return usual[[schema.type].flat()[0] as string];
  }

  /** The required fields, and the optional ones with an example value. */
  #object(schema: JsonSchema, owner: string): Record<string, unknown> {
    const { properties, required = [] } = schema as {
      readonly properties: Readonly<Record<string, JsonSchema>>;
      readonly required?: readonly string[];
    };
    const isShown = ([name, property]: readonly [string, JsonSchema]): boolean =>
      required.includes(name) ||
      Object.hasOwn(values, name) ||
      Object.hasOwn(special, `${owner}.${name}`) ||
      property.$ref !== undefined ||
      isObject(property);
    return Object.fromEntries(
      Object.entries(properties)
        .filter(([name]) => required.includes(name) || !alternatives.has(`${owner}.${name}`))
        .filter(isShown)
        .map(([name, property]) => [name, this.of(property, owner, name)]),
    );
  }
}
