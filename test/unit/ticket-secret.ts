/** The secret with the ticket key, for all that is imported later. */
import { jest } from "@jest/globals";

export const ticketSecret = "a key";
jest.unstable_mockModule("#kit/secret.ts", () => ({ readSecret: async () => ticketSecret }));
