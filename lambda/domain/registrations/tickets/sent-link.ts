/** The link that a request carries: `Authorization: Link ...` (`docs/contract.md`, "Links"). */
import { Unauthenticated } from "#kit/errors.ts";

const authorization = /^Link +(\S+)$/i;

/** The secret in an `Authorization` header; empty when it has none. */
export const sentLink = (header: string | undefined): string => authorization.exec(header?.trim() ?? "")?.[1] ?? "";

/** The link opens nothing, whatever the reason. */
export const linkNotValid = () => new Unauthenticated("This link is not valid (any more).");
