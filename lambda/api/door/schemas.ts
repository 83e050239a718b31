import type { ListedTicket } from "#domain/registrations/door/door-list.ts";
import { outcomes } from "#domain/registrations/door/scans.ts";
import { longestCode } from "#domain/registrations/tickets/code.ts";
import {
  closed,
  described,
  Email,
  EventId,
  each,
  Line,
  Name,
  oneOf,
  page,
  Text,
  Timestamp,
  Type,
  Year,
} from "#kit/schema/schema.ts";

const text = Type.String();
const optional = Type.Optional(text);

export const eventParams = closed({ eventId: EventId, year: Year });

/** The name of a device, as others see it. */
const DeviceName = { ...Name, maxLength: 40 };

export const Door = closed({
  devices: Type.Array(closed({ ...each(["id", "name"], text), ...each(["joinedAt", "lastSyncAt"], Timestamp) })),
});

export const NewLink = closed({
  link: Type.String({ description: "The page of the door with the secret in its fragment. It is shown once." }),
  secret: text,
});

export const Revocation = closed({
  device: Type.Optional(described(Line(64), "The id of one device. Absent: all devices and links.")),
});

export const NewDevice = closed({ secret: Line(200), name: DeviceName });

export const Joined = closed({
  token: text,
  device: closed(each(["id", "name"], text)),
  event: closed({ id: EventId, year: Year, ename: text }),
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
  event: closed({ id: EventId, year: Year, ename: text, ...each(["startDate", "endDate"], optional) }),
  ...each(["devices", "choices"], Type.Array(text)),
  tickets: Type.Array(ticket),
});

const mark = Type.String({ pattern: "^[A-Za-z0-9_-]{16}$", description: "The mark of a ticket in the door list." });
const nonce = Type.String({ pattern: "^[A-Za-z0-9_-]{16,40}$" });
const admitted =
  "`true`: the device has let the person in. `false`: it has not; the scan is only recorded. Absent: the service decides.";

const scan = closed({
  code: Type.Optional(described(Text(longestCode), "The text of the QR code. Needed unless `mark` is given.")),
  mark: Type.Optional(mark),
  scannedAt: described(Timestamp, "By the clock of the device."),
  nonce: { ...nonce, description: "A new random text for each scan. A row with it may be sent again." },
  device: Type.Optional({ ...DeviceName, description: "Where it was scanned. By default the name of the device." }),
  admitted: Type.Optional(Type.Boolean({ description: admitted })),
  undoes: Type.Optional({ ...nonce, description: "The `nonce` of the scan of this ticket that this one undoes." }),
});

export const Scans = closed({
  sentAt: described(Timestamp, "The time of this request by the clock of the device."),
  scans: Type.Array(scan, { minItems: 1, maxItems: 50 }),
});

const entry = closed({ device: text, at: Timestamp });
const why =
  "The state of the registration, `refunded`, `unknown`, `too many unknown` (not stored), `replaced` or `other event`; a sentence for `failed`.";
const reason = Type.Optional(Type.String({ description: why }));

const result = closed({
  nonce: text,
  outcome: oneOf([...outcomes, "failed"]),
  reason,
  ...each(["mark", "name", "state"], optional),
  first: Type.Optional(described(entry, "The check-in.")),
  again: Type.Optional(described(entry, "Another scan with which the ticket entered.")),
});

export const ScanResults = closed({ receivedAt: Timestamp, results: Type.Array(result) });

export const ScansQuery = closed({ eventID: EventId, year: Year, ...page });

const storedScan = closed({
  ...each(["nonce", "device", "deviceId"], text),
  ...each(["at", "receivedAt"], Timestamp),
  outcome: oneOf(outcomes),
  reason,
  undoes: optional,
  admitted: Type.Optional(Type.Boolean()),
});

export const ScannedTickets = closed({
  count: Type.Integer({ minimum: 0 }),
  tickets: Type.Array(closed({ mark: text, email: Type.Optional(Email), scans: Type.Array(storedScan) })),
});
