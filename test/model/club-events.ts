/** The events of a club's year: registering, coming, staying away, and who waits behind others. By real acts, at times of the test. */
import type { EventRecord } from "#domain/events/event.ts";
import { eventItem, eventRecord, seatsItem } from "../unit/given.ts";
import type { MemoryTable } from "./table.ts";
import { contextOf } from "./world.ts";

/** One import after the other: Jest links modules badly in parallel. */
export async function openEvents() {
  const { register } = await import("#domain/registrations/register/register.ts");
  const { changeRegistration } = await import("#domain/registrations/amend/change-registration.ts");
  const { forgive } = await import("#domain/registrations/store/no-shows.ts");
  const { leave } = await import("#domain/registrations/leave.ts");
  const { promote } = await import("#domain/registrations/promote.ts");
  return { register, changeRegistration, forgive, leave, promote };
}

const executive = "exec@club.example";

export class ClubEvents {
  readonly #product: Awaited<ReturnType<typeof openEvents>>;
  readonly #table: MemoryTable;
  #requests = 0;

  constructor(product: Awaited<ReturnType<typeof openEvents>>, table: MemoryTable) {
    this.#product = product;
    this.#table = table;
  }

  #context(now: number, actor: string) {
    this.#requests += 1;
    return contextOf(this.#requests, now, actor);
  }

  given(id: string, startsAt: number, fields: Partial<EventRecord> = {}): void {
    const event = eventRecord({ id, year: 2031, startDate: new Date(startsAt).toISOString(), ...fields });
    this.#table.seed(eventItem(event) as never);
    this.#table.seed(seatsItem(event) as never);
  }

  /** @returns what the person has now, or the code of the refusal */
  join(id: string, email: string, now: number): Promise<unknown> {
    const form = { eventID: id, year: 2031, email, fname: "Ada" };
    return this.#product.register({ form, origin: "self/account" }, this.#context(now, email)).then(
      ({ registration: { status, behindOthers } }) => (behindOthers ? `${status}, behind` : status),
      ({ code }: { readonly code?: string }) => code,
    );
  }

  checkIn(id: string, email: string, now: number): Promise<unknown> {
    const about = { email, event: { id, year: 2031 }, amendment: { registrationStatus: "checkedIn" } } as const;
    return this.#product.changeRegistration({ ...about, origin: "admin/desk" }, this.#context(now, executive));
  }

  /** Leaves, and the seat goes to the next person in line. */
  async leave(id: string, email: string, now: number): Promise<void> {
    const event = { id, year: 2031 };
    await this.#product.leave({ email, event, to: "cancelled", origin: "self/account" }, this.#context(now, email));
    await this.#product.promote(event, this.#context(now, "system"));
  }

  forgive = (email: string, now: number): Promise<number> =>
    this.#product.forgive(email, this.#context(now, executive));

  statusOf = (id: string, email: string): unknown =>
    this.#table.peek({ PK: `USER#${email}`, SK: `REG#${id}#2031` })?.status;
}
