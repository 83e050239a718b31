import { isEmail } from "../../service-kit/email.ts";
import { STANDARD_ATTRIBUTES } from "./pool-settings.ts";
import { invalidParameter, notAuthorized } from "./problem.ts";
import { emailOf, type User } from "./user-store.ts";

/** Attributes that the pool alone decides; a client may read them. */
const VERIFIED_FLAGS: ReadonlySet<string> = new Set(["email_verified", "phone_number_verified"]);

/**
 * Checks attributes that a client wants to write.
 * @throws ServiceProblem NotAuthorizedException for a verified flag, InvalidParameterException for what the schema refuses.
 */
export function checkWritable(attributes: ReadonlyMap<string, string>): void {
  for (const name of attributes.keys()) {
    if (VERIFIED_FLAGS.has(name)) throw notAuthorized("A client attempted to write unauthorized attribute");
    if (name === "sub") throw invalidParameter("Cannot modify the non-mutable attribute sub");
    if (!STANDARD_ATTRIBUTES.has(name)) {
      throw invalidParameter(
        `Attributes did not conform to the schema: ${name}: Attribute does not exist in the schema.`,
      );
    }
  }
  const email = attributes.get("email");
  if (email !== undefined && !isEmail(email)) throw invalidParameter("Invalid email address format.");
}

/** A user's attributes as GetUser lists them. */
export function listAttributes(user: User): { Name: string; Value: string }[] {
  const identities = user.identities && { identities: JSON.stringify(user.identities) };
  const all = {
    ...user.attributes,
    ...identities,
    email: emailOf(user),
    email_verified: String(user.emailVerified),
    sub: user.sub,
  };
  return Object.entries(all).map(([Name, Value]) => ({ Name, Value }));
}

/** The masked address that an answer shows to the caller: `a***@s***`. */
export function codeDelivery(email: string): { AttributeName: string; DeliveryMedium: string; Destination: string } {
  const [name = "", domain = ""] = email.split("@");
  return {
    AttributeName: "email",
    DeliveryMedium: "EMAIL",
    Destination: `${name.charAt(0)}***@${domain.charAt(0)}***`,
  };
}
