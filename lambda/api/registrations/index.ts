import { dispatch } from "#kit/api.ts";
import { checkIn } from "./check-in.ts";
import { deleteRegistration } from "./delete-registration.ts";
import { deleteRegistrations } from "./delete-registrations.ts";
import { leaderboard } from "./leaderboard.ts";
import { listRegistrations } from "./list-registrations.ts";
import { massUpdate } from "./mass-update.ts";
import { register } from "./register.ts";
import { resendTicket } from "./resend-ticket.ts";
import { updateRegistration } from "./update-registration.ts";

export const handler = dispatch([
  register,
  listRegistrations,
  updateRegistration,
  deleteRegistration,
  checkIn,
  resendTicket,
  massUpdate,
  deleteRegistrations,
  leaderboard,
]);
