import { route } from "#kit/request/route.ts";
import * as schemas from "./schemas.ts";

export const createDoorLink = route("POST /events/{eventId}/{year}/door-links", {
  access: "admin",
  summary: "Create a link by which up to ten phones of volunteers become devices at the event's door",
  says: { 201: "The link to the door, with its secret." },
  irreversible: true,
  params: schemas.eventParams,
  responses: { 201: schemas.NewLink },
  refusals: ["NOT_FOUND", "DOOR_CLOSED", "TOO_MANY_DEVICES"],
});

export const getDoorDevices = route("GET /events/{eventId}/{year}/door-links", {
  access: "admin",
  summary: "The devices at the event's door, and when each was last heard of",
  params: schemas.eventParams,
  responses: { 200: schemas.Door },
  refusals: ["NOT_FOUND"],
});

export const revokeDoorDevices = route("DELETE /events/{eventId}/{year}/door-links", {
  access: "admin",
  irreversible: true,
  summary: "Revoke one device and its link, or all",
  about: ["Device", "Event"],
  says: { 200: "Revoked." },
  params: schemas.eventParams,
  query: schemas.Revocation,
  responses: { 200: schemas.revokedDevices },
  refusals: ["NOT_FOUND"],
});

export const joinDoor = route("POST /events/{eventId}/{year}/door/devices", {
  access: "public",
  summary: "Exchange the secret of a link for a device's token",
  about: ["Link"],
  says: { 201: "The token of the new device, and the event." },
  params: schemas.eventParams,
  body: schemas.NewDevice,
  responses: { 201: schemas.Joined },
  refusals: ["NOT_FOUND", "DOOR_CLOSED", "TOO_MANY_DEVICES"],
});

export const getDoorList = route("GET /events/{eventId}/{year}/door", {
  access: "door",
  summary: "The tickets of the event, with what a device needs to decide without a network",
  params: schemas.eventParams,
  query: schemas.DoorListQuery,
  ifNoneMatch: true,
  responses: { 200: schemas.DoorList },
  refusals: ["DOOR_CLOSED"],
});

export const searchDoor = route("GET /events/{eventId}/{year}/door/search", {
  access: "door",
  summary: "Up to ten people of the event whose name or email begins with a text",
  params: schemas.eventParams,
  query: schemas.DoorSearch,
  responses: { 200: schemas.DoorFound },
  refusals: ["DOOR_CLOSED", "TOO_OFTEN"],
});

export const bringScans = route("POST /registrations/check-in/scans", {
  access: "door",
  summary: "Bring up to 50 scans, each once or repeatedly; the earliest of a ticket is its check-in",
  says: { 200: "What came of each scan, in the order of the request." },
  body: schemas.Scans,
  responses: { 200: schemas.ScanResults },
  refusals: ["DOOR_CLOSED"],
});

export const listScans = route("GET /registrations/check-in/scans", {
  access: "admin",
  summary: "The scanned tickets of an event, with every scan and what came of it",
  query: schemas.ScansQuery,
  responses: { 200: schemas.ScannedTickets },
  refusals: ["NOT_FOUND"],
});
