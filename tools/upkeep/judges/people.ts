/** Who asks: a person of the stage, with a token, and a device at the door of an event. */

/** What is used of `.local/outputs.json`. */
export interface Stage {
  readonly apiUrl: string;
  readonly identityUrl: string;
  readonly userPoolClientId: string;
  readonly accounts: readonly { readonly email: string; readonly password: string; readonly role: string }[];
}

/** A request without the answer that the judge needs cannot be made. */
async function asked(url: string, headers: Readonly<Record<string, string>>, body?: object): Promise<unknown> {
  const response = await fetch(url, { headers, ...(body && { method: "POST", body: JSON.stringify(body) }) });
  if (!response.ok) throw new Error(`${url} answers ${response.status}: ${await response.text()}`);
  return response.json();
}

/** Signs in with the password. @returns the ID token */
export async function tokenOf({ identityUrl, userPoolClientId, accounts }: Stage, role: string): Promise<string> {
  const account = accounts.find((candidate) => candidate.role === role);
  if (!account) throw new Error(`The stage has no account of the role "${role}": start it with its seed.`);
  const headers = {
    "content-type": "application/x-amz-json-1.1",
    "x-amz-target": "AWSCognitoIdentityProviderService.InitiateAuth",
  };
  const AuthParameters = { USERNAME: account.email, PASSWORD: account.password };
  const body = { ClientId: userPoolClientId, AuthFlow: "USER_PASSWORD_AUTH", AuthParameters };
  const answer = await asked(identityUrl, headers, body);
  return (answer as { AuthenticationResult: { IdToken: string } }).AuthenticationResult.IdToken;
}

export interface ClubEvent {
  readonly id: string;
  readonly year: number;
}

/** What a judge must know of the stage, so that its requests are about something. */
export interface Known {
  readonly events: readonly ClubEvent[];
  readonly emails: readonly string[];
  /** Of a device at the door of the first event. */
  readonly doorToken: string;
}

/** Reads the events, and lets a device join the first one's door. */
export async function knownOf(stage: Stage): Promise<Known> {
  const json = { "content-type": "application/json" };
  const admin = { ...json, authorization: `Bearer ${await tokenOf(stage, "admin")}` };
  const events = (await asked(`${stage.apiUrl}/events`, admin)) as ClubEvent[];
  const [event] = events;
  if (!event) throw new Error("The stage has no events: start it with its seed.");
  const address = `${stage.apiUrl}/events/${event.id}/${event.year}`;
  const { secret } = (await asked(`${address}/door-links`, admin, {})) as { secret: string };
  const joined = await asked(`${address}/door/devices`, json, { secret, name: "judge" });
  const emails = stage.accounts.map(({ email }) => email);
  return { events, emails, doorToken: (joined as { token: string }).token };
}
