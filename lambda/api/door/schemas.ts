import { arrival, summary } from "#api/records/event-fields.ts";
import { someCode } from "#api/records/schemas.ts";
import type { ListedTicket } from "#domain/registrations/door/door-list.ts";
import { outcomes } from "#domain/registrations/door/scans.ts";
import { longestCode } from "#domain/registrations/links/ticket-code.ts";
import {
  closed,
  described,
  Email,
  EventId,
  Line,
  Message,
  Name,
  notShown,
  oneOf,
  optional,
  page,
  searchedName,
  Text,
  Timestamp,
  Type,
  Year,
} from "#kit/schema/schema.ts";

const text = Type.String();
const someNonce = "f47ac10b58cc4372a5670e02b2c3d479";
const someMark = "1WbKb0J8pDCu1dGs";
const someSecret = "01JGZ2M0W8Q4V5Y6Z7A8B9C0D3.Wm1uQ3N0b1Y4d2s5c0s2bTNRN2o4cjF4";

export const eventParams = closed({ eventId: EventId, year: Year });

/** The name of a device, as others see it. */
const DeviceName = { ...Name, maxLength: 40 };
const deviceName = ["The device's name, such as `door 2`.", "door 2"] as const;
const deviceId = described(text, "The device's id.", "01JGZ2M0W8Q4V5Y6Z7A8B9C0D2");
const device = { id: deviceId, name: described(text, ...deviceName) };

const Device = closed({
  ...device,
  joinedAt: described(Timestamp, "When the device joined, in epoch milliseconds.", arrival - 3_600_000),
  lastSyncAt: described(Timestamp, "When the device was last heard of, in epoch milliseconds.", arrival),
});
export const Door = closed({ devices: described(Type.Array(Device), "The devices at the door.") });

export const NewLink = closed({
  link: described(
    text,
    "The page of the door with the secret in its fragment. It is shown once.",
    `http://localhost:4000/door/#gala/2030/${someSecret}/Winter%20Gala`,
  ),
  secret: described(text, "The secret of the door's link.", someSecret),
});

export const Revocation = closed({
  device: optional(Line(64), "The id of one device. Absent: all devices and links.", "01JGZ2M0W8Q4V5Y6Z7A8B9C0D2"),
});

export const revokedDevices = closed({
  message: Message,
  revoked: described(Type.Integer({ minimum: 0 }), "How many devices were revoked.", 1),
});

export const NewDevice = closed({
  secret: described(Line(200), "The secret of the door's link.", someSecret),
  name: described(DeviceName, ...deviceName),
});

const event = { id: summary.id, year: Year, ename: summary.ename };

export const Joined = closed({
  token: described(
    text,
    "The device's token, for `Authorization: Door <token>`.",
    "gala.2030.01JGZ2M0W8Q4V5Y6Z7A8B9C0D2.Wm1uQ3N0b1Y4d2s5c0s2bTNRN2o4cjF4",
  ),
  device: described(closed(device), "The new device."),
  event: described(closed(event), "The event."),
});

const ticket = Type.Unsafe<ListedTicket>({
  type: "array",
  minItems: 4,
  maxItems: 6,
  items: Type.Union([text, Type.Integer(), Type.Array(Type.Integer())]),
  description:
    "Mark, state, name (first name and initial), and choices as places in `choices`. Of a ticket that is checked in also " +
    "the time, in epoch milliseconds, and the device as a place in `devices`.",
});

export const DoorList = closed({
  event: described(closed({ ...event, startDate: summary.startDate, endDate: summary.endDate }), "The event."),
  devices: described(Type.Array(text), "The devices at the door by name. Tickets name them by place.", ["door 2"]),
  choices: described(Type.Array(text), "All choices of workshops. Tickets name them by place.", ["Strategy", "Design"]),
  tickets: described(Type.Array(ticket), "The tickets.", [[someMark, "checkedIn", "Ada L.", [0], arrival, 0]]),
});

export const DoorListQuery = closed({
  recent: optional(Type.Boolean(), "Only the tickets that have changed in the last two minutes.", false),
});

export const DoorSearch = closed({
  q: described(
    { ...searchedName, minLength: 2 },
    "The beginning of a first name, a last name, `first last` or an email, in any case, with or without punctuation.",
    "ada lov",
  ),
});

const found = closed({
  mark: described(text, "The ticket's mark in the door list.", someMark),
  name: described(text, "The first name, and the last one as far as it was typed.", "Ada Lov…"),
  email: described(text, "The first letter and the domain of the email.", "a…@student.example"),
});

export const DoorFound = closed({
  people: described(Type.Array(found, { maxItems: 10 }), "The people, in order of arrival."),
  hasMore: described(Type.Boolean(), "Whether there are others.", false),
});

const mark = Type.String({ pattern: "^[A-Za-z0-9_-]{16}$", description: "The mark of a ticket in the door list." });
const nonce = Type.String({ pattern: "^[A-Za-z0-9_-]{16,40}$" });
const admitted =
  "`true`: the device has let the person in. `false`: it has not; the scan is only recorded. Absent: the service decides.";

const scan = closed({
  code: optional(Text(longestCode), "The text of the QR code. Needed unless `mark` is given."),
  mark: Type.Optional(mark),
  scannedAt: described(Timestamp, "By the clock of the device."),
  nonce: { ...nonce, description: "A new random text for each scan. A row with it may be sent again." },
  device: Type.Optional({ ...DeviceName, description: "Where it was scanned. By default the name of the device." }),
  admitted: Type.Optional(Type.Boolean({ description: admitted })),
  undoes: Type.Optional({ ...nonce, description: "The `nonce` of the scan of this ticket that this one undoes." }),
});

export const Scans = closed({
  sentAt: described(Timestamp, "The time of this request by the clock of the device.", arrival),
  scans: described(Type.Array(scan, { minItems: 1, maxItems: 50 }), "The scans, in any order.", [
    { code: someCode, scannedAt: arrival, nonce: someNonce, admitted: true },
  ]),
});

const deviceOf = described(text, "The name of the device.", "door 2");
const at = described(Timestamp, "When, in epoch milliseconds.", arrival);
const markOf = described(text, "The ticket's mark in the door list.", someMark);
const nonceOf = described(text, "The `nonce` of the scan.", someNonce);
const receivedAt = described(Timestamp, "When the service got it, in epoch milliseconds.", arrival);
const outcomeOf = "What came of the scan.";
const entry = closed({ device: deviceOf, at });
const why =
  "The state of the registration, `refunded`, `unknown`, `too many unknown` (not stored), `replaced` or `other event`; a sentence for `failed`.";
const reason = Type.Optional(Type.String({ description: why }));

const result = closed({
  nonce: nonceOf,
  outcome: described(oneOf([...outcomes, "failed"]), outcomeOf),
  reason,
  mark: Type.Optional(markOf),
  name: optional(text, "The person's first name and initial.", "Ada L."),
  state: optional(text, "The registration's state.", "checkedIn"),
  first: optional(entry, "The check-in."),
  again: Type.Optional(notShown(described(entry, "Another scan with which the ticket entered."))),
});

export const ScanResults = closed({
  receivedAt,
  results: described(Type.Array(result), "One for each row of the request, in its order."),
});

export const ScansQuery = closed({ eventID: EventId, year: Year, ...page });

const storedScan = closed({
  nonce: nonceOf,
  device: deviceOf,
  deviceId,
  at,
  receivedAt,
  outcome: described(oneOf(outcomes), outcomeOf),
  reason,
  undoes: optional(text, "The `nonce` of the scan that this one undoes."),
  admitted: optional(Type.Boolean(), "Whether the device let the person in itself."),
});

const ScannedTicket = closed({
  mark: markOf,
  email: Type.Optional(Email),
  scans: described(Type.Array(storedScan), "The scans, in any order."),
});

export const ScannedTickets = closed({
  count: described(Type.Integer({ minimum: 0 }), "How many tickets this page has.", 1),
  tickets: described(Type.Array(ScannedTicket), "The tickets."),
});
