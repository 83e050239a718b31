/**
 * A stored item of each kind is pinned: it must stay readable, also with an attribute that this build does not know and
 * without one that it may lack. The item of a registration is in `registration-form.test.ts`.
 */
import "./environment.ts";
import { BatchGetCommand, GetCommand } from "@aws-sdk/lib-dynamodb";
import { afterEach, describe, expect, jest, test } from "@jest/globals";
import type { KeyTexts } from "#kit/table/item.ts";
import type { TransactItem, Transaction } from "#kit/table/table.ts";
import { MemoryTable } from "../model/table.ts";
import { eventRecord, registrationItem, seatsItem } from "./given.ts";

const { client } = await import("#kit/table/table.ts");
const { systemContext } = await import("#kit/request/context.ts");
const { allOf, queryItems } = await import("#kit/lists/pages.ts");
const { claim } = await import("#kit/table/claims.ts");
const { putNewEvent, readEvent } = await import("#domain/events/store.ts");
const { newSeats } = await import("#domain/events/seat-settings.ts");
const { putSeats, readSeats } = await import("#domain/capacity/seats.ts");
const { joinLine, readHead } = await import("#domain/capacity/line.ts");
const { holdsUntil, putHold } = await import("#domain/registrations/holds/store.ts");
const { latestOf } = await import("#domain/payments/checkout/checkout.ts");
const door = await import("#domain/registrations/door/upload-scans.ts");
const payments = await import("#domain/payments/checkout/store.ts");
const books = await import("#domain/payments/record/payment-store.ts");
const journal = await import("#domain/payments/record/journal-store.ts");
const { putNewUser, readUser } = await import("#domain/people/users/store.ts");
const calendars = await import("#domain/people/users/calendar-address.ts");
const { dueNotes, moveNote, putNewMember, readMember } = await import("#domain/people/members/store.ts");
const { putNewProfile, readProfile } = await import("#domain/people/profiles/store.ts");
const { putNewPrize, readPrize } = await import("#domain/prizes/store.ts");
const { insertion, readTemplate } = await import("#domain/mail/templates/store.ts");
const { dueCampaigns, readCampaign, startOf } = await import("#domain/mail/campaigns/store.ts");
const { mailTo, readDeliveries } = await import("#domain/mail/campaigns/deliveries.ts");
const codes = await import("#domain/codes/store.ts");
const game = await import("#domain/game/store.ts");
const { pageOfSubmissions, putSubmission } = await import("#domain/feedback/store.ts");
const { forgive } = await import("#domain/registrations/store/no-shows.ts");

/** Attributes that the store adds to a record. */
const added = ["PK", "SK", "GSI1PK", "GSI1SK", "ttl"] as const;
type Recorded<P> = Omit<P, (typeof added)[number]>;

const without = (item: object, names: readonly string[]) =>
  Object.fromEntries(Object.entries(item).filter(([name]) => !names.includes(name)));

/**
 * A kind of record.
 * @param pinned the item as this build stores it; change the code, not this item
 * @param optional an attribute that the item may lack
 */
const kind = <const P extends KeyTexts>(
  pinned: P,
  put: (record: Recorded<P>) => TransactItem,
  read: () => Promise<unknown>,
  optional?: keyof Recorded<P> & string,
) => ({ pinned, written: () => put(without(pinned, added) as Recorded<P>).Put?.Item, read, optional });

const time = 1_893_456_000_000;
const event = { id: "gala", year: 2030 } as const;
const context = systemContext("r", time);
const generation = "01PS0R1C4XGT8M2J6W9E3B5KZN";
const queueKey = "1893456000000#01PS0S8H00ZK7M2V9Q4D6T8XBE";
/** Attributes that most records have. */
const born = {
  generation: "01PS0R1C4XGT8M2J6W9E3B5KZN",
  version: 1,
  createdAt: 1_893_456_000_000,
  updatedAt: 1_893_456_000_000,
} as const;
const feedbackForm = { eventID: "gala", year: 2030, generation, formType: "attendee" } as const;

const kinds = {
  event: kind(
    {
      PK: "EVENT#gala#2030",
      SK: "META",
      GSI1PK: "EVENTS#0",
      GSI1SK: "2030-03-02T02:00:00.000Z#gala#2030",
      id: "gala",
      year: 2030,
      ename: "Winter Gala",
      capac: 2,
      startDate: "2030-03-02T02:00:00.000Z",
      elocation: "Great Hall",
      isPublished: true,
      isCompleted: false,
      pricing: { member: 0, nonMember: 5 },
      registrationQuestions: [{ questionId: "q", label: "Why?", type: "TEXT", required: false }],
      ...born,
      termsVersion: 1,
      scheduleVersion: 0,
    },
    putNewEvent,
    () => readEvent(event),
    "elocation",
  ),
  seats: kind(
    {
      PK: "SEAT#gala#2030#00",
      SK: "POOL",
      generation: "i",
      termsVersion: 1,
      capacity: 2,
      partnerCapacity: 0,
      state: "OPEN",
      mode: "free",
      mustPay: { member: false, nonMember: false },
      opensAt: 0,
      deadline: 9e15,
      startsAt: 9e15,
      choiceLimits: { w: 9 },
      recreated: false,
      seats: 0,
      gate: "direct",
      ...{ registered: 0, checkedIn: 0, incomplete: 0, accepted: 0, applicants: 0, partners: 0 },
      ...{ partnerSeats: 0, partnersCheckedIn: 0 },
      choiceHolders: { w: {} },
    },
    () => {
      const workshop = { questionId: "w", label: "?", type: "WORKSHOP_SELECTION", required: true, participantCap: 9 };
      return putSeats(event, newSeats(eventRecord({ capac: 2, registrationQuestions: [workshop as never] }), false));
    },
    () => readSeats(event, "strong"),
  ),
  "place in line": kind(
    {
      PK: "WAIT#gala#2030",
      SK: "1893456000000#01PS0S8H00ZK7M2V9Q4D6T8XBE",
      email: "ada@unit.example",
      choices: { w: "Choir" },
      isPartner: true,
      fname: "Ada",
      entryPrice: 500,
      generation: "01PS0R1C4XGT8M2J6W9E3B5KZN",
      version: 1,
    },
    (place) => joinLine(event, { ...place, queueKey }),
    () => readHead(event, undefined),
    "entryPrice",
  ),
  "place behind others": kind(
    {
      PK: "WAIT#gala#2030",
      SK: "~1893456000000#01PS0S8H00ZK7M2V9Q4D6T8XBE",
      email: "ada@unit.example",
      fname: "Ada",
      generation: "01PS0R1C4XGT8M2J6W9E3B5KZN",
      version: 1,
    },
    (place) => joinLine(event, { ...place, queueKey, choices: {}, isPartner: false, behindOthers: true }),
    () => readHead(event, undefined),
  ),
  hold: kind(
    {
      PK: "HOLD",
      SK: "1893456000000#gala#2030#ada@unit.example",
      email: "ada@unit.example",
      event: { id: "gala", year: 2030 },
      expiresAt: 1_893_456_000_000,
      ttl: 1_896_048_000,
    },
    putHold,
    async () => (await allOf(queryItems(holdsUntil(time))))[0],
  ),
  checkout: kind(
    {
      PK: "PAY#01PS0S8H00D5R2Y8C1V6K9N4QA",
      SK: "CHECKOUT",
      GSI1PK: "CHECKOUTS#ada@unit.example",
      GSI1SK: "01PS0S8H00D5R2Y8C1V6K9N4QA",
      id: "01PS0S8H00D5R2Y8C1V6K9N4QA",
      email: "ada@unit.example",
      purpose: { kind: "membership", form: { firstName: "Ada" } },
      product: "Membership",
      amount: 1_000,
      currency: "cad",
      successUrl: "https://club.example/yes",
      cancelUrl: "https://club.example/no",
      expiresAt: 1_893_458_400_000,
      createdAt: 1_893_456_000_000,
      sessionId: "cs_1",
      url: "https://pay.example/cs_1",
      ttl: 1_893_544_800,
    },
    (checkout) => payments.putCheckout(checkout, latestOf(checkout), undefined).checkout,
    () => payments.readCheckout("01PS0S8H00D5R2Y8C1V6K9N4QA"),
    "sessionId",
  ),
  "latest checkout": kind(
    {
      PK: "USER#ada@unit.example",
      SK: "CHECKOUT#EVENT#gala#2030",
      id: "01PS0S8H00D5R2Y8C1V6K9N4QA",
      email: "ada@unit.example",
      purpose: { kind: "event", event: { id: "gala", year: 2030 }, queueKey: "1893456000000#A" },
      product: "Winter Gala",
      amount: 500,
      currency: "cad",
      successUrl: "https://club.example/yes",
      cancelUrl: "https://club.example/no",
      expiresAt: 1_893_458_400_000,
      createdAt: 1_893_456_000_000,
      replaces: "cs_0",
      ttl: 1_896_482_400,
    },
    (checkout) => payments.putCheckout(checkout, checkout, undefined).latest,
    () => payments.readLatestCheckout("ada@unit.example", event),
    "replaces",
  ),
  settlement: kind(
    {
      ...{ PK: "PAY#cs_1", SK: "SETTLED", GSI1PK: "PAYMENTS#ALL", GSI1SK: "1#cs_1" },
      ...{ as: "seat", payment: "pi_1" },
    },
    ({ as }) => {
      const purpose = { kind: "membership" } as const;
      const money = { amount: 1, currency: "CAD", paymentIntent: "pi_1" };
      return books.settlementMembers({ paymentId: "cs_1", email: "a@unit.example", money }, as, purpose, { now: 1 })
        .settlement;
    },
    async () => ({ as: await books.readSettlement("cs_1"), payment: await books.nameOfPayment("cs_1") }),
  ),
  payment: kind(
    {
      PK: "PAY#pi_1",
      SK: "PAYMENT",
      GSI1PK: "PAYMENTS#gala#2031",
      GSI1SK: "1893456000000#cs_1",
      paymentId: "cs_1",
      email: "ada@unit.example",
      money: { amount: 12_34, currency: "CAD", paymentIntent: "pi_1" },
      as: "seat",
      purpose: { kind: "event", event: { id: "gala", year: 2031 }, queueKey: "1893456000000#A" },
      code: { id: "o3J9bD0kR8sVx2Qw", kind: "discount", note: "To the sponsors" },
      settledAt: 1_893_456_000_000,
      refunds: {
        "01PS0R1C4XGT8M2J6W9E3B5KZN": {
          amount: 10_00,
          state: "succeeded",
          at: 1_893_456_000_000,
          by: "system",
          providerId: "re_1",
        },
      },
      disputes: { dp_1: { amount: 2_34, state: "won" } },
      lines: { txn_1: { type: "charge", amount: 12_34, fee: 66, net: 11_68, payout: "po_1" } },
      owed: 10_00,
      review: "late",
      kept: [{ amount: 2_34, reason: "Too late", by: "exec@club.example", at: 1_893_456_000_000, failedRefunds: [] }],
      byHand: { how: "cash", by: "exec@club.example" },
      deposit: "due",
      version: 1,
    },
    (record) => books.changeMembers("pi_1", undefined, record, context).payment as TransactItem,
    async () => (await books.pageOfPayments({ kind: "event", event: { id: "gala", year: 2031 } }, {})).rows[0],
    "review",
  ),
  "scans of a ticket": kind(
    {
      PK: "SCAN#gala#2030#01PS0R1C4XGT8M2J6W9E3B5KZN",
      SK: "1WbKb0J8pDCu1dGs",
      mark: "1WbKb0J8pDCu1dGs",
      email: "ada@unit.example",
      scans: [
        {
          nonce: "f47ac10b58cc4372a5670e02b2c3d479",
          at: 1_893_456_000_000,
          receivedAt: 1_893_456_060_000,
          device: "door 2",
          deviceId: "01PS0S8H00ZK7M2V9Q4D6T8XBE",
          admitted: true,
          outcome: "refused",
        },
      ],
      version: 1,
      ttl: 1_928_016_000,
    },
    (ticket) => door.putScans({ ...event, generation }, ticket as never, undefined, time),
    async () => (await door.pageOfScans({ ...event, generation }, {})).rows[0],
  ),
  "payment that waits": kind(
    { PK: "PAYMENTS#WAITING", SK: "1893456000000#cs_1", payment: "pi_1" },
    ({ payment }) => {
      const money = { amount: 5_00, currency: "CAD", paymentIntent: payment };
      const arrived = { paymentId: "cs_1", email: "ada@unit.example", money };
      return books.settlementMembers(arrived, "refund", { kind: "membership" }, context).waiting as TransactItem;
    },
    async () => ({ payment: "pi_1" }),
  ),
  movement: kind(
    {
      ...{ PK: "JOURNAL", SK: "1893456000000#hand_1", id: "hand_1", at: 1_893_456_000_000, type: "cash" },
      ...{ account: "cash", amount: 5_00, fee: 0, currency: "CAD", payment: "hand_1" },
    },
    (movement) => journal.putMovement(movement as never),
    async () => (await allOf(journal.movementsOf({ from: 0, to: 1_893_456_000_001 })))[0],
  ),
  "closed month": kind(
    {
      ...{ PK: "JOURNAL CLOSED", SK: "1893456000000", until: 1_893_456_000_000, by: "ada@unit.example" },
      ...{ balances: { provider: 5_00, cash: 0, bank: 0 }, at: 1_893_456_000_001 },
    },
    (closing) => journal.closingMembers(closing as never, undefined).closing,
    () => journal.closingBefore(1_893_456_000_000),
  ),
  "own payment": kind(
    {
      PK: "USER#ada@unit.example",
      SK: "RECEIPT#cs_1",
      paymentId: "cs_1",
      amount: 5_00,
      currency: "CAD",
      purpose: { kind: "membership" },
      paidAt: 1_893_456_000_000,
    },
    ({ paymentId, amount, currency, purpose }) => {
      const arrived = { paymentId, email: "ada@unit.example", money: { amount, currency } };
      return books.settlementMembers(arrived, "membership", purpose, context).own as TransactItem;
    },
    async () => (await books.moneyOf("ada@unit.example")).payments[0],
  ),
  "own refund": kind(
    {
      PK: "USER#ada@unit.example",
      SK: "REFUND#re_1",
      refundId: "re_1",
      amount: 5_00,
      state: "succeeded",
      currency: "CAD",
      purpose: { kind: "membership" },
      updatedAt: 1_893_456_000_000,
      ttl: 1_901_232_000,
    },
    ({ refundId, updatedAt, ...own }) => {
      const refund = { amount: own.amount, state: own.state, at: 1, providerId: refundId };
      const money = { amount: 5_00, currency: own.currency };
      const payment = { paymentId: "cs_1", email: "ada@unit.example", money, as: "refund", settledAt: 1 } as const;
      const after = { ...payment, purpose: own.purpose, refunds: { [refundId]: refund }, version: 0 };
      return books.changeMembers("cs_1", undefined, after, context)[`refund ${refundId}`] as TransactItem;
    },
    async () => (await books.moneyOf("ada@unit.example")).refunds[0],
  ),
  account: kind(
    {
      PK: "USER#ada@unit.example",
      SK: "USER",
      GSI1PK: "USERS#0",
      GSI1SK: "ada@unit.example",
      email: "ada@unit.example",
      fname: "Ada",
      admin: false,
      isMember: true,
      favEvents: ["gala;2030"],
      createdAt: 1_893_456_000_000,
      updatedAt: 1_893_456_000_000,
    },
    putNewUser,
    () => readUser("ada@unit.example"),
    "fname",
  ),
  "address of a calendar": kind(
    {
      ...{ PK: "USER#ada@unit.example", SK: "CALENDAR", email: "ada@unit.example" },
      ...{ calendarId: "NDzSDwyhmlbxkEpEzjyzKA", createdAt: 1_893_456_000_000 },
    },
    ({ email, calendarId, createdAt }) => calendars.putCalendarId(email, calendarId, createdAt),
    () => calendars.readCalendar("ada@unit.example"),
  ),
  "address of the club's calendar": kind(
    { PK: "CALENDAR", SK: "CLUB", calendarId: "NDzSDwyhmlbxkEpEzjyzKA", createdAt: 1_893_456_000_000 },
    ({ calendarId, createdAt }) => calendars.putCalendarId(calendars.theClub, calendarId, createdAt),
    () => calendars.readCalendar(calendars.theClub),
  ),
  membership: kind(
    {
      PK: "USER#ada@unit.example",
      SK: "MEMBER",
      GSI1PK: "MEMBERS#0",
      GSI1SK: "ada@unit.example",
      email: "ada@unit.example",
      firstName: "Ada",
      topics: ["AI"],
      profileID: "CalmOwl1",
      admin: false,
      cardCount: 2,
      ...born,
    },
    putNewMember,
    () => readMember("ada@unit.example"),
    "cardCount",
  ),
  "membership with a term": kind(
    {
      PK: "USER#ada@unit.example",
      SK: "MEMBER",
      GSI1PK: "MEMBERS#0",
      GSI1SK: "ada@unit.example",
      email: "ada@unit.example",
      firstName: "Ada",
      until: 1_896_048_000_000,
      terms: [{ until: 1_896_048_000_000, at: 1_893_456_000_000, paidBy: "cs_1" }],
      dueAt: 1_895_443_200_000,
      admin: false,
      ...born,
    },
    putNewMember,
    () => readMember("ada@unit.example"),
    "dueAt",
  ),
  "end of a term": kind(
    { PK: "TERMS", SK: "1893456000000#ada@unit.example", email: "ada@unit.example" },
    ({ email }) => moveNote(email, undefined, { dueAt: time }).termNote as TransactItem,
    async () => (await allOf(dueNotes(time)))[0],
  ),
  profile: kind(
    {
      PK: "USER#ada@unit.example",
      SK: "PROFILE",
      email: "ada@unit.example",
      profileID: "CalmOwl1",
      profileType: "ATTENDEE",
      fname: "Ada",
      lname: "Lovelace",
      pronouns: "",
      major: "Mathematics",
      year: "3rd Year",
      ...{ hobby1: "Chess", hobby2: "", funQuestion1: "", funQuestion2: "" },
      ...{ linkedIn: "", profilePictureURL: "", additionalLink: "", description: "" },
      viewableMap: {
        ...{ fname: true, lname: true, pronouns: true, major: true, year: true },
        ...{ hobby1: false, hobby2: false, funQuestion1: false, funQuestion2: false },
        ...{ linkedIn: true, profilePictureURL: true, additionalLink: true, description: true },
      },
      ...born,
    },
    putNewProfile,
    () => readProfile("ada@unit.example"),
  ),
  "code of an event": kind(
    {
      PK: "CODE#gala#2030#01PS0R1C4XGT8M2J6W9E3B5KZN",
      SK: "q2W3e4R5t6Z7u8I9",
      id: "q2W3e4R5t6Z7u8I9",
      code: "EARLY-2030",
      ...{ kind: "discount", audience: "everybody", percentOff: 20, currency: "CAD" },
      ...{ uses: 10, used: 3, validUntil: "2030-02-01T08:00:00.000Z", note: "From Bo to the choir." },
      createdBy: "boss@club.example",
      ...born,
    },
    (code) => codes.putNewCode({ ...event, generation }, code),
    () => codes.readCode({ ...event, generation }, "q2W3e4R5t6Z7u8I9"),
    "note",
  ),
  prize: kind(
    {
      PK: "PRIZE",
      SK: "hoodie",
      id: "hoodie",
      name: "Hoodie",
      price: 90,
      imageHash: "hoodie-blue",
      links: ["https://club.example/hoodie"],
      ...born,
    },
    putNewPrize,
    () => readPrize("hoodie"),
    "links",
  ),
  template: kind(
    {
      PK: "TPL#hello",
      SK: "TPL",
      templateName: "hello",
      subject: "Hello",
      html: "<p>Hello</p>",
      text: "",
      ...born,
    },
    (template) => insertion(template).template as TransactItem,
    () => readTemplate("hello"),
  ),
  campaign: kind(
    {
      PK: "CMP",
      SK: "01PS0S8H00D5R2Y8C1V6K9N4QA",
      campaignId: "01PS0S8H00D5R2Y8C1V6K9N4QA",
      templateName: "hello",
      recipients: 2,
      batches: 1,
      audience: "event gala 2030",
      createdBy: "boss@club.example",
      createdAt: 1_893_456_000_000,
      stoppedAt: 1_893_456_000_001,
      ttl: 1_909_008_000,
    },
    (campaign) => startOf(campaign, { id: "n", content: "hash", countsFor: 600 }, context).campaign,
    () => readCampaign("01PS0S8H00D5R2Y8C1V6K9N4QA"),
    "stoppedAt",
  ),
  "campaign to come": kind(
    {
      PK: "CAMPAIGNS TO COME",
      SK: "1893456000000#01PS0S8H00D5R2Y8C1V6K9N4QA",
      campaignId: "01PS0S8H00D5R2Y8C1V6K9N4QA",
      ttl: 1_909_008_000,
    },
    ({ campaignId }) => {
      const campaign = { campaignId, templateName: "hello", recipients: 0, batches: 0, audience: "members" } as const;
      const begun = { ...campaign, sendAt: time, createdBy: "boss@club.example", createdAt: time };
      const members: Transaction = startOf(begun, { id: "n", content: "hash", countsFor: 600 }, context);
      return members.time as TransactItem;
    },
    async () => (await allOf(queryItems(dueCampaigns(time))))[0],
  ),
  "game account": kind(
    {
      PK: "USER#ada@unit.example",
      SK: "BTX#expo",
      GSI1PK: "BTXA#expo",
      GSI1SK: "ada@unit.example",
      email: "ada@unit.example",
      eventId: "expo",
      cash: 249_082,
      initialCash: 250_000,
      holdings: { rover: { shares: 3, cost: 900 } },
      version: 1,
      displayName: "Ada L.",
      namedAt: 1_893_456_000_000,
      updatedAt: 1_893_456_000_000,
    },
    (account) => game.openAccount(account) as TransactItem,
    () => game.readAccount("ada@unit.example", "expo"),
  ),
  "game project": kind(
    {
      PK: "BTXP#rover",
      SK: "META",
      GSI1PK: "BTX#expo",
      GSI1SK: "rover",
      projectId: "rover",
      eventId: "expo",
      ticker: "ROV",
      name: "Rover",
      description: "It drives.",
      version: 1,
      createdAt: 1_893_456_000_000,
    },
    game.putText,
    async () => (await game.readProjectToEdit("rover"))?.text,
  ),
  "game market": kind(
    {
      PK: "BTXP#rover",
      SK: "MARKET",
      projectId: "rover",
      eventId: "expo",
      seed: 500_000_000,
      bumped: 10,
      basePrice: 510,
      netShares: 3,
      totalBuyShares: 4,
      totalSellShares: 1,
      totalTrades: 2,
      totalVolume: 1_500,
      isActive: true,
      updatedAt: 1_893_456_000_000,
    },
    game.putMarket,
    async () => (await game.readMarkets(["rover"], "strong"))[0],
  ),
  feedback: kind(
    {
      PK: "FB#gala#2030#attendee",
      SK: "h4sh",
      GSI1PK: "FB#gala#2030#attendee#01PS0R1C4XGT8M2J6W9E3B5KZN",
      GSI1SK: "1893456000000#01PS0S8H00ZK7M2V9Q4D6T8XBE",
      id: "h4sh",
      eventID: "gala",
      year: 2030,
      generation: "01PS0R1C4XGT8M2J6W9E3B5KZN",
      formType: "attendee",
      submittedAt: 1_893_456_000_000,
      arrival: "1893456000000#01PS0S8H00ZK7M2V9Q4D6T8XBE",
      responses: { q: "Fine." },
      respondentName: "Ada",
    },
    putSubmission,
    async () => (await pageOfSubmissions(feedbackForm, { limit: 1 })).rows[0],
    "respondentName",
  ),
};

/** Every read finds this item. */
function givenItem(item: object) {
  jest.spyOn(client, "send").mockImplementation((async (command: unknown) => {
    if (command instanceof GetCommand) return { Item: item };
    if (command instanceof BatchGetCommand) return { Responses: { Unit: [item] } };
    return { Items: [item], Count: 1 };
  }) as never);
}

afterEach(() => void jest.restoreAllMocks());

describe.each(Object.entries(kinds))("the pinned item of the kind: %s", (_, { pinned, written, read, optional }) => {
  test("is what the store writes, and is read as the record", async () => {
    expect(written()).toEqual(pinned);
    givenItem(pinned);
    expect(await read()).toMatchObject(without(pinned, added));
  });

  test("is read with an attribute that this build does not know, and without one that it may lack", async () => {
    const lacking = without(pinned, optional ? [optional] : []);
    givenItem({ ...lacking, shoeSize: 38 });
    const record = await read();
    expect(record).toMatchObject(without(lacking, added));
    if (optional) expect(record).not.toHaveProperty(optional);
  });
});

test("the pinned delivery is what a claim writes, and is read with an attribute that this build does not know", async () => {
  const pinned = {
    PK: "CMPR#n",
    SK: "ada@unit.example",
    email: "ada@unit.example",
    state: "claimed",
    claimedBy: "8d0f8f3c-2f64-4a55-9f0e-3f0f6f9d3c11",
    leaseUntil: 1_893_456_060_000,
    tries: 1,
    ttl: 1_909_008_000,
  };
  const table = new MemoryTable();
  jest.spyOn(client, "send").mockImplementation((async (command: unknown) => table.execute(command, () => 0)) as never);
  await claim(mailTo("n", "ada@unit.example"), time, context);
  expect(table.peek(pinned)).toEqual({ ...pinned, claimedBy: expect.any(String) });
  table.seed({ ...pinned, shoeSize: 38 });
  expect(await readDeliveries("n")).toMatchObject([pinned]);
});

test("the pinned forgiveness of no-shows is what an executive writes, and ends those of before", async () => {
  const email = "ada@unit.example";
  const day = 86_400_000;
  const pinned = { PK: `USER#${email}`, SK: "FORGIVEN", email, forgivenAt: time };
  const past = eventRecord({ startDate: new Date(time - 5 * day).toISOString() });
  const table = new MemoryTable();
  jest.spyOn(client, "send").mockImplementation((async (command: unknown) => table.execute(command, () => 0)) as never);
  table.seed(registrationItem({ email, status: "registered" }) as never);
  table.seed(seatsItem(past, { checkedIn: 1 }) as never);
  expect(await forgive(email, context)).toBe(1);
  expect(table.peek(pinned)).toEqual(pinned);
  table.seed({ ...pinned, shoeSize: 38 });
  expect(await forgive(email, context)).toBe(0);
});
