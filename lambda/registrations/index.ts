import { dispatch } from "#kit/api.ts";
import { deleteRegistration } from "./delete-registration.ts";
import { listRegistrations } from "./list-registrations.ts";
import { register } from "./register.ts";

export const handler = dispatch([register, listRegistrations, deleteRegistration]);
