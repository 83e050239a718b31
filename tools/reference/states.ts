/**
 * What distinguishes an answer from the example that its schema gives: the state that this operation leads to. An answer
 * with several states has an example of each.
 */

/** Fields to replace, inside objects one by one. `undefined`: the field is absent. */
export interface Patch {
  readonly [field: string]: unknown;
}

const arrival = Date.UTC(2030, 2, 2, 2, 5);

const unpaid: Patch = {
  message: "A seat is held for you. It is yours once it is paid for.",
  registrationStatus: "incomplete",
  registration: {
    registrationStatus: "incomplete",
    points: 0,
    holdExpiresAt: Date.UTC(2030, 0, 7, 18, 30),
    checkoutLink: "https://checkout.example/c/pay/cs_1",
  },
};

const inLine: Patch = {
  message: "The event is full. You are on the waitlist and will be told when a seat is yours.",
  registrationStatus: "waitlist",
  registration: { registrationStatus: "waitlist", points: 0, waitlistPosition: 3 },
};

/** A project of which 5 shares are held, which raise the price by 0.10. */
const project = (basePrice: number, seedAmount: number): Patch => ({
  data: { basePrice, currentPrice: Number((basePrice + 0.1).toFixed(2)), seedAmount },
});

/** By operation and status. */
const states: Readonly<Record<string, Readonly<Record<string, Patch>>>> = {
  "btxBumpPhase.200": { one: project(1.3, 0) },
  "btxDeleteProject.200": { one: { data: { isActive: false } } },
  "btxInvestmentImpact.200": { one: project(1.01, 0.1) },
  "btxReset.200": { one: { data: { accounts: 1 } } },
  "btxSeedProject.200": { one: project(2, 10) },
  "btxSell.200": {
    one: {
      data: {
        trade: { side: "SELL", fee: 0.1, cashDelta: 5.15 },
        project: { currentPrice: 1, netShares: 0, totalSellShares: 5, totalTrades: 2, totalVolume: 10.5 },
        account: { cashBalance: 2499.79 },
      },
    },
  },
  "checkIn.200": {
    one: {
      checkedInAt: arrival,
      registration: { registrationStatus: "checkedIn", checkedInAt: arrival, updatedAt: arrival },
    },
  },
  "createEvent.201": { one: { item: { id: "winter-gala" } } },
  "deleteEvent.200": { one: { refunds: 0 } },
  "refundPayment.202": { one: { refund: { state: "reserved", providerId: undefined } } },
  "createUser.201": { one: { user: { isMember: false, favEvents: [], "favedEventsID;year": [] } } },
  "register.200": { unpaid },
  "register.201": { registered: { message: "You are registered.", registration: { points: 0 } }, unpaid, inLine },
  "updateRegistration.200": { one: { registration: { dynamicResponses: { workshop: "Design" } } } },
};

const isObject = (value: unknown): value is Patch =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function patched(value: unknown, patch: Patch): unknown {
  const all = Object.entries(patch).map(([field, change]) => {
    const before = (value as Patch)[field];
    return [field, isObject(change) && isObject(before) ? patched(before, change) : change];
  });
  return JSON.parse(JSON.stringify({ ...(value as object), ...Object.fromEntries(all) }));
}

/** `example`, or `examples` by state, of an answer. */
export function statedExamples(operation: string, status: string, example: unknown): object {
  const own = Object.entries(states[`${operation}.${status}`] ?? {});
  if (own.length === 0 || example === undefined) return { example };
  const examples = own.map(([name, patch]) => [name, { value: patched(example, patch) }] as const);
  const [first] = examples;
  return examples.length === 1 ? { example: first?.[1].value } : { examples: Object.fromEntries(examples) };
}
