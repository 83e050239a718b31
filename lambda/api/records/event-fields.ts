/** Fields of events in the schemas of several capabilities: what they mean, with an example of each. */
import { described, EventId, optional, type TSchema, Type, Year } from "#kit/schema/schema.ts";

/** At the door, in examples. */
export const arrival = Date.UTC(2030, 2, 2, 2, 5);

/** What fields mean, with an example, where their schemas differ. */
export const ename = ["The event's name.", "Winter Gala"] as const;
export const texts = {
  description: ["What the event is about.", "An evening with the people who build companies."],
  partnerDescription: ["What partners read about the event.", "A table for your company."],
  calledOff: ["The event does not take place. What the club says about it.", "The hall is closed. We meet in spring."],
  elocation: ["Where the event takes place.", "Great Hall"],
  facebookUrl: ["The event's page on Facebook.", "https://social.example/events/gala"],
  imageUrl: ["The event's banner.", "https://images.example/event-thumbnails/gala/optimized/1893283200000.png"],
} as const;

/** An event's dates in this form. */
export const datesAs = <S extends TSchema>(date: S) => ({
  startDate: described(date, "When the event starts.", "2030-03-02T02:00:00.000Z"),
  endDate: described(date, "When the event ends.", "2030-03-02T06:00:00.000Z"),
  deadline: described(date, "Registration ends then.", "2030-03-01T02:00:00.000Z"),
  opensAt: described(date, "Registration starts then.", "2030-02-01T20:00:00.000Z"),
  publishAt: described(date, "Everyone sees the event from then on.", "2030-01-15T20:00:00.000Z"),
  refundUntil: described(date, "Who cancels a paid seat later gets a refund only if the treasurer decides so."),
});

const text = Type.Optional(Type.String());
const dates = datesAs(text);

/** What an attendee may bring, in answers. */
export const company = {
  plusOnes: optional(Type.Integer(), "How many people each attendee may bring. Absent: 0.", 1),
  plusOnePrice: optional(
    Type.Number(),
    "What each of them costs, in units of the currency as in `pricing`. Absent: nothing.",
    20,
  ),
};

/** An example. */
export const zone = "America/Toronto";

/** The event as people see it, in answers of several routes. */
export const summary = {
  id: described(EventId, "The event's id."),
  year: Year,
  ename: described(Type.String(), ...ename),
  description: described(text, ...texts.description),
  partnerDescription: described(text, ...texts.partnerDescription),
  imageUrl: described(text, ...texts.imageUrl),
  elocation: described(text, ...texts.elocation),
  startDate: dates.startDate,
  endDate: dates.endDate,
  isCompleted: described(Type.Boolean(), "`true`: registration has ended.", false),
  timeZone: described(text, "IANA name. Absent: the stage's time zone.", zone),
  calledOff: described(text, ...texts.calledOff),
  when: described(
    Type.String(),
    "Date and time for people, with the zone, as in mails.",
    "Friday, March 1, 2030, 7:00 – 11:00 PM GMT-7",
  ),
};
