/** The provider inside one process, for tests: no server, no file and no timer, and each event is told as it happens. */
import type { Clock } from "../service-kit/clock.ts";
import type { HttpRequest, Reply } from "../service-kit/http-service.ts";
import type { PaymentEvent } from "./event.ts";
import { Ledger } from "./ledger.ts";
import { type Moves, newProvider } from "./provider.ts";
import { pagePath } from "./session.ts";
import { Switchboard } from "./switches.ts";

/** An event in the form in which the webhook gets it. */
export interface ToldEvent {
  readonly type: string;
  readonly data: { readonly object: object };
}

interface InMemoryOptions {
  /** Epoch milliseconds. Sessions expire when they are next looked at. */
  readonly now: () => number;
  readonly tell: (event: ToldEvent) => void;
  /** Resolves when a request with an idempotency key may go on. At once when absent. */
  readonly occupy?: () => Promise<void>;
}

export interface ProviderInMemory extends Moves {
  /** Answers a request of the provider's client. */
  answer(request: HttpRequest): Promise<Reply>;
}

export function providerInMemory({ now, tell, occupy = async () => undefined }: InMemoryOptions): ProviderInMemory {
  const clock: Clock = { now, after: () => () => undefined };
  const untold: PaymentEvent[] = [];
  const deliveries = {
    of: (event: PaymentEvent) => {
      untold.push(event);
      return [];
    },
    begin: () => {
      for (const { body } of untold.splice(0)) tell(JSON.parse(body));
    },
  };
  const { moves, rest } = newProvider({
    ...{ ledger: new Ledger(undefined, now), switchboard: new Switchboard(), deliveries, clock, occupy },
    ...{ pageOf: (id) => `https://pay.example${pagePath(id)}`, enabledEvents: undefined },
  });
  return { ...moves, answer: rest };
}
