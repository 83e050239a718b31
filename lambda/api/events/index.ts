import { dispatch } from "#kit/api.ts";
import { claimsOf } from "#kit/sent-token.ts";
import { createEvent } from "./create-event.ts";
import { deleteEvent } from "./delete-event.ts";
import { getEvent } from "./get-event.ts";
import { getActiveEvent, listEvents } from "./list-events.ts";
import { updateEvent } from "./update-event.ts";

export const handler = dispatch(
  [createEvent, listEvents, getActiveEvent, getEvent, updateEvent, deleteEvent],
  claimsOf,
);
