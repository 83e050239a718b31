import { readFile } from "node:fs/promises";
import { Amplify } from "aws-amplify";
import { fetchAuthSession, signIn } from "aws-amplify/auth";
import { clubClient, unwrap } from "./index.ts";

// A web application has these values in its settings, and needs no userPoolEndpoint in AWS.
const stage = JSON.parse(await readFile(".local/outputs.json", "utf8"));
const { apiUrl, userPoolId, userPoolClientId, identityUrl: userPoolEndpoint } = stage;
const loginWith = { email: true };
Amplify.configure({ Auth: { Cognito: { userPoolId, userPoolClientId, userPoolEndpoint, loginWith } } });
await signIn({ username: "user@student.example", password: "Club-local-1!" });
const api = clubClient({
  baseUrl: apiUrl,
  // Amplify refreshes the token when it expires after an hour.
  token: async () => (await fetchAuthSession()).tokens?.idToken?.toString(),
});

// A list, page by page.
for await (const events of api.pages("/events", { params: { query: { limit: 2 } } })) {
  console.log("A page:", events.map(({ ename }) => ename).join(", "));
}

// unwrap returns the data, or throws the ApiError.
const { email, isMember } = await unwrap(api.GET("/users/self"));
console.log(`${email} is ${isMember ? "a" : "no"} member.`);

// An error as data. The compiler knows the codes, and the body of each.
const [kickoff] = await unwrap(api.GET("/events", { params: { query: { id: "kickoff" } } }));
if (!kickoff) throw new Error("This stage has no seed.");
const form = { eventID: kickoff.id, year: kickoff.year, email };
const { error } = await api.POST("/registrations", { body: form });
if (error?.code === "VALIDATION") for (const { path, message } of error.body.issues) console.log(`${path} ${message}`);

// A registration. The client retries it while the service is busy.
const body = { ...form, dynamicResponses: { workshop: "Pitching" } };
const registered = await api.POST("/registrations", { body });
if (registered.error?.code === "DUPLICATE") console.log("You are registered already.");
else if (registered.error) throw registered.error;
else console.log(registered.data.message, registered.data.registration.ticketCode);
