/** First accounts and content of the local stage, created through the API as a user would. */
import { readFile } from "node:fs/promises";
import type { IdentityService } from "../identity/index.ts";
import type { SeededAccount, StageOutputs } from "../service-kit/outputs.ts";
import { type SeedEvent, seedEvents, seedGuests } from "./events.ts";

/** Password of every seeded account. */
const seedPassword = "Club-local-1!";

const defaultAdminDomain = "club.example";

/**
 * The accounts that a stage with this admin domain is seeded with. With a domain of its own, the students are in a part of
 * it, because forms of applications may refuse `.example`.
 */
export function seedAccounts(adminEmailDomain: string): SeededAccount[] {
  const password = seedPassword;
  const students =
    adminEmailDomain === "" || adminEmailDomain === defaultAdminDomain
      ? "student.example"
      : `student.${adminEmailDomain}`;
  return [
    // With an empty domain there are no admins.
    adminEmailDomain === ""
      ? { email: `exec@${defaultAdminDomain}`, password, role: "user" }
      : { email: `exec@${adminEmailDomain}`, password, role: "admin" },
    { email: `member@${students}`, password, role: "member" },
    { email: `user@${students}`, password, role: "user" },
  ];
}

/** The names of the accounts. */
export const seedNames: Readonly<Record<SeededAccount["role"], { readonly fname: string; readonly lname: string }>> = {
  admin: { fname: "Erin", lname: "Exec" },
  member: { fname: "Mira", lname: "Member" },
  user: { fname: "Uli", lname: "User" },
};

const membershipOf = ({ fname, lname }: (typeof seedNames)["member"]) => ({
  firstName: fname,
  lastName: lname,
  pronouns: "she/her",
  faculty: "Commerce",
  major: "Business and computer science",
  year: "3",
  education: "undergrad",
  topics: ["entrepreneurship"],
});

/** A signed-in person. */
export interface SeedCaller {
  /**
   * Calls the API with the person's token; resolves to the answer's body, undefined for a 409: the content exists already.
   * @throws Error for any other error answer
   */
  send(method: string, path: string, body: object): Promise<unknown>;
}

/** The first accounts and events could not be made, so the stage is not ready. */
export class SeedFailed extends Error {}

/**
 * Makes sure that all accounts and content exist. Existing ones are not changed.
 * @throws SeedFailed with a message for the person who started the stage
 */
export async function seed(outputs: StageOutputs, identity: IdentityService): Promise<void> {
  try {
    await seedAll(outputs, identity);
  } catch (cause) {
    const { message, cause: reason } = cause as Error;
    const why = reason instanceof Error ? `${message}: ${reason.message}` : message;
    throw new SeedFailed(
      `The first accounts and events could not be made: ${why}\n` +
        "npm start -- --no-seed starts without them; npm start -- --reset deletes the data of earlier runs.",
      { cause },
    );
  }
}

async function seedAll(outputs: StageOutputs, identity: IdentityService): Promise<void> {
  for (const { email, password, role } of outputs.accounts) {
    const { fname, lname } = seedNames[role];
    await identity.ensureUser({ email, password, attributes: { given_name: fname, family_name: lname } });
  }
  const callers = new Map<SeededAccount["role"], SeedCaller>();
  for (const account of outputs.accounts) {
    const caller = await signIn(outputs, account);
    if (caller) callers.set(account.role, caller);
  }
  const admin = callers.get("admin");
  for (const { email, role } of outputs.accounts) {
    await callers.get(role)?.send("POST", "/users", { email, ...seedNames[role] });
    // Only an admin may grant a membership. A repeated grant changes nothing. The web application shows its pages for
    // admins to members only.
    if (role !== "user") await admin?.send("POST", "/members/grant", { email, ...membershipOf(seedNames[role]) });
  }
  if (admin) await seedClubLife(admin);
}

async function seedClubLife(admin: SeedCaller): Promise<void> {
  const events = seedEvents(new Date());
  const answers = await Promise.all(events.map((event) => admin.send("POST", "/events", event)));
  await seedBanner(
    admin,
    events.filter((_, index) => answers[index] !== undefined),
  );
  const roundtable = events.find(({ id }) => id === "roundtable");
  if (!roundtable) return;
  for (const guest of seedGuests) {
    await admin.send("POST", "/registrations", { ...guest, eventID: roundtable.id, year: roundtable.year });
  }
}

/** Uploads one banner, and shows it on these events. */
async function seedBanner(admin: SeedCaller, [first, ...others]: readonly SeedEvent[]): Promise<void> {
  if (!first) return;
  const fileType = "image/png";
  const body = { eventId: first.id, fileType, fileName: "banner.png", prefix: "optimized" };
  const answer = await admin.send("POST", "/events/event-image-upload-url", body);
  const { uploadUrl, publicUrl: imageUrl } = answer as { uploadUrl: string; publicUrl: string };
  const banner = await readFile(new URL("banner.png", import.meta.url));
  const { ok, status } = await fetch(uploadUrl, { method: "PUT", headers: { "content-type": fileType }, body: banner });
  if (!ok) throw new Error(`The upload of the banner answers ${status}.`);
  await Promise.all(
    [first, ...others].map(({ id, year }) => admin.send("PATCH", `/events/${id}/${year}`, { imageUrl })),
  );
}

/** @returns undefined for an account that got an authenticator app in an earlier run: only its app can sign in */
async function signIn(outputs: StageOutputs, { email, password }: SeededAccount): Promise<SeedCaller | undefined> {
  const response = await fetch(outputs.identityUrl, {
    method: "POST",
    headers: {
      "content-type": "application/x-amz-json-1.1",
      "x-amz-target": "AWSCognitoIdentityProviderService.InitiateAuth",
    },
    body: JSON.stringify({
      AuthFlow: "USER_PASSWORD_AUTH",
      ClientId: outputs.userPoolClientId,
      AuthParameters: { USERNAME: email, PASSWORD: password },
    }),
  });
  const { AuthenticationResult, ChallengeName, message } = (await response.json()) as {
    AuthenticationResult?: { IdToken: string };
    ChallengeName?: string;
    message?: string;
  };
  if (ChallengeName) return undefined;
  if (!AuthenticationResult) throw new Error(`${email} cannot sign in: ${message}`);
  const headers = { authorization: `Bearer ${AuthenticationResult.IdToken}`, "content-type": "application/json" };
  return {
    send: async (method, path, body) => {
      const answer = await fetch(outputs.apiUrl + path, { method, headers, body: JSON.stringify(body) });
      const text = await answer.text();
      if (!answer.ok && answer.status !== 409) throw new Error(`${method} ${path} answers ${answer.status}: ${text}`);
      return answer.ok ? JSON.parse(text) : undefined;
    },
  };
}
