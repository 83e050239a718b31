/**
 * The pages that stand for the club's web application, and what they ask the service for. `globalThis.club` is for the
 * test: `club.done` is settled when the page shows what the last step has changed.
 */
import { confirmSignUp, signIn, signOut, signUp } from "aws-amplify/auth";
import { connect } from "./web-app.ts";

const { call, email, ...client } = connect(JSON.parse(document.querySelector("#settings").textContent));

const make = (tag, attributes, ...children) => {
  const made = Object.assign(document.createElement(tag), attributes);
  made.append(...children.flat().filter((child) => child !== undefined));
  return made;
};
const header = make("header", {}, "");
const status = make("p", { role: "status" });
const alert = make("p", { role: "alert" });
const main = make("main", {});
document.body.append(header, status, alert, main);

/** Takes a step. A refusal is shown, and the page stays as it is. */
async function step(act) {
  status.textContent = alert.textContent = "";
  try {
    await act();
  } catch (problem) {
    alert.textContent = `${problem.status ?? problem.name}: ${problem.message}`;
  }
}

const input = (label, name = label, attributes = {}) =>
  make("label", {}, label, make("input", { name, ...attributes }));
const select = (label, name, choices, attributes = {}) => {
  const options = choices.map((choice) => make("option", { value: choice }, choice || "(none)"));
  return make("label", {}, label, make("select", { name, ...attributes }, options));
};
/** A form. `act` gets its values as texts; of a field with several values a text with commas. */
function form(button, fields, act) {
  const made = make("form", {}, fields, make("button", {}, button));
  made.addEventListener("submit", (event) => {
    event.preventDefault();
    const data = new FormData(made);
    const values = Object.fromEntries([...new Set(data.keys())].map((name) => [name, data.getAll(name).join(",")]));
    club.done = step(() => act(values));
  });
  return made;
}
const show = (title, ...content) => main.replaceChildren(make("h1", {}, title), ...content.flat().filter(Boolean));
const when = (date) =>
  new Date(date).toLocaleString("en-CA", { timeZone: "America/Vancouver", dateStyle: "medium", timeStyle: "short" });
const list = (lines) => make("ul", {}, ...lines.map((line) => make("li", {}, line)));
const table = (names, rows) =>
  make(
    "div",
    { className: "wide" },
    make(
      "table",
      {},
      make("tr", {}, ...names.map((name) => make("th", {}, name))),
      ...rows.map((cells) => make("tr", {}, ...cells.map((cell) => make("td", {}, cell ?? "")))),
    ),
  );

/** The caller's record; undefined for a visitor and for a person without a record. Other refusals are thrown. */
async function self() {
  if ((await email()) === undefined) return undefined;
  return call("GET", "/users/self").catch((problem) => {
    if (problem.status !== 404) throw problem;
  });
}

async function go(path) {
  history.pushState({}, "", path);
  await render();
}

const pages = [
  [/^\/$/, events],
  [/^\/signup$/, signUpPage],
  [/^\/login$/, signInPage],
  [/^\/membership$/, membershipPage],
  [/^\/profile\/([^/]+)$/, profilePage],
  [/^\/event\/([^/]+)\/(\d+)\/register(?:\/success)?$/, registrationPage],
  [/^\/admin\/event\/([^/]+)\/(\d+)$/, guestListPage],
  [/^\/admin\/event\/([^/]+)\/(\d+)\/edit$/, editPage],
];

/** Shows the page of the address. Pages for admins lead others away, as the application's middleware does. */
async function render() {
  main.replaceChildren();
  const [address, user] = [await email(), await self()];
  const name = user ? `${user.fname} ${user.lname}, ${user.isMember ? "a member" : "no member"}` : "no member yet";
  header.textContent = address === undefined ? "You are not signed in." : `${address}: ${name}`;
  const { pathname } = location;
  if (pathname.startsWith("/admin") && !user?.isMember) return go("/membership");
  if (pathname.startsWith("/admin") && !user.admin) return go("/");
  const [path, page] = pages.find(([path]) => path.test(pathname)) ?? [];
  if (!page) throw new Error("There is no such page.");
  await page(...path.exec(pathname).slice(1), user);
}

async function events() {
  const found = await call("GET", "/events");
  show("Events", list(found.map(({ ename, startDate }) => `${ename}, ${when(startDate)}`)));
}

function signUpPage() {
  const confirm = ({ email: username, password }) =>
    form("Confirm", [input("Code", "code")], async ({ code }) => {
      await confirmSignUp({ username, confirmationCode: code });
      await signIn({ username, password });
      await go("/membership");
    });
  const fields = [input("Email", "email"), input("Password", "password", { type: "password" })];
  const act = async ({ email: username, password }) => {
    await signUp({ username, password, options: { userAttributes: { email: username } } });
    show("Enter the code that we have mailed", confirm({ email: username, password }));
  };
  show("Sign up", form("Sign up", fields, act));
}

function signInPage() {
  const fields = [input("Email", "email"), input("Password", "password", { type: "password" })];
  const act = async ({ email: username, password }) => {
    await signIn({ username, password });
    await go("/");
  };
  show("Sign in", form("Sign in", fields, act));
}

function membershipPage(user) {
  const fields = ["First name", "Last name", "Faculty", "Year", "Student number"].map((label) => input(label));
  const act = async (values) => {
    const page = await call("POST", "/payments", {
      paymentName: "Membership",
      paymentImages: ["https://images.example/membership.png"],
      paymentType: user ? "Member" : "OAuthMember",
      success_url: `${location.origin}/`,
      cancel_url: `${location.origin}/membership`,
      education: "University",
      student_number: values["Student number"],
      fname: values["First name"],
      lname: values["Last name"],
      major: "",
      email: await email(),
      year: values.Year,
      faculty: values.Faculty,
      pronouns: "",
      diet: "None",
      prev_member: false,
      international: true,
      topics: "engines,numbers",
    });
    location.assign(page);
  };
  show("Become a member", form("Proceed to payment", fields, act));
}

async function profilePage(id) {
  const { fname, lname, profileType } = await call("GET", `/profiles/profile/${id}`);
  show(`${fname} ${lname}`, make("p", {}, profileType));
}

const question = ({ questionId, type, label, choices }) =>
  choices
    ? select(label, questionId, ["", ...choices], { multiple: type === "CHECKBOX" })
    : input(label, questionId, { type: "text" });

const answersOf = ({ dynamicResponses }, { registrationQuestions }) =>
  registrationQuestions.map(({ questionId, label }) => [
    label,
    [dynamicResponses?.[questionId] ?? ""].flat().join(", "),
  ]);

async function registrationPage(eventID, yearText, user) {
  const year = Number(yearText);
  const address = await email();
  const event = await call("GET", `/events/${eventID}/${year}?count=true`);
  const { data } = await call(
    "GET",
    `/registrations?email=${encodeURIComponent(address)}&eventID=${eventID}&year=${year}`,
  );
  const registration = data.find((each) => each["eventID;year"] === `${eventID};${year}`);

  const pay = async () => {
    const success_url = `${location.origin}/event/${eventID}/${year}/register/success`;
    const body = { paymentType: "Event", success_url, email: address, fname: user?.fname, eventID, year };
    location.assign(await call("POST", "/payments", body));
  };
  const register = async (dynamicResponses) => {
    const { message, registrationStatus } = await call("POST", "/registrations", {
      ...{ email: address, fname: user?.fname, studentId: user?.studentId, eventID, year, dynamicResponses },
      ...{ registrationStatus: "registered", isPartner: false, points: 0, applicationStatus: "" },
      basicInformation: { fname: user?.fname, lname: user?.lname },
    });
    if (registrationStatus === "incomplete") return pay();
    await render();
    status.textContent = message;
  };
  const cancel = async () => {
    const body = { eventID, year, registrationStatus: "cancelled" };
    await call("PUT", `/registrations/${address}/${user?.fname ?? "-"}`, body);
    await render();
  };
  if (!registration || registration.registrationStatus === "cancelled") {
    const before = registration && make("p", {}, "Status: cancelled.");
    const button = event.counts.remaining === 0 ? "Join the waitlist" : "Register";
    show(event.ename, before, form(button, event.registrationQuestions.map(question), register));
    return;
  }
  const { registrationStatus, waitlistPosition, waitlistAhead, ticketCode, holdExpiresAt } = registration;
  const place = waitlistPosition ? `, number ${waitlistPosition} in line` : "";
  const far = waitlistAhead ? `, more than ${waitlistAhead} people ahead` : "";
  show(
    event.ename,
    make("p", {}, `Status: ${registrationStatus}${place}${far}.`),
    holdExpiresAt && make("p", {}, `Pay until ${when(holdExpiresAt)}`),
    list(answersOf(registration, event).map(([label, answer]) => `${label} ${answer}`)),
    ticketCode && make("p", {}, "Ticket: ", make("code", {}, ticketCode)),
    registrationStatus === "incomplete" && form("Pay", [], pay),
    form("Cancel my registration", [], cancel),
  );
}

async function guestListPage(eventID, yearText) {
  const year = Number(yearText);
  const event = await call("GET", `/events/${eventID}/${year}?count=true`);
  const { data } = await call("GET", `/registrations?eventID=${eventID}&year=${year}`);
  const labels = event.registrationQuestions.map(({ label }) => label);
  const guests = table(
    ["Name", "Email", "Status", ...labels],
    data.map((each) => [
      each.fname,
      each.id,
      each.registrationStatus,
      ...answersOf(each, event).map(([, answer]) => answer),
    ]),
  );
  const results = make("div", {});
  const scan = async ({ code }) => {
    const answer = await call("POST", "/registrations/check-in", { code, eventID, year });
    await render();
    const { registration, alreadyCheckedIn } = answer;
    status.textContent = `${registration.fname} ${alreadyCheckedIn ? "was checked in before" : "is checked in"}.`;
  };
  const csv = async () => {
    const text = await call("GET", `/registrations?eventID=${eventID}&year=${year}&format=csv`);
    results.replaceChildren(make("pre", {}, text));
  };
  show(
    event.ename,
    make(
      "p",
      {},
      `${event.counts.registeredCount} registered, ${event.counts.waitlistCount} waiting, ${event.counts.seatsTaken} seats taken`,
    ),
    guests,
    form("Check in", [input("Code of the ticket", "code")], scan),
    form("Show as CSV", [], csv),
    results,
  );
}

async function editPage(eventID, year) {
  const path = `/events/${eventID}/${year}`;
  const event = await call("GET", path);
  // Ids are not kept in the form.
  const questions = event.registrationQuestions;
  const fields = [
    input("Name", "ename", { value: event.ename }),
    ...questions.flatMap(({ label, choices }, index) => [
      input(`Question ${index + 1}`, `label${index}`, { value: label }),
      choices && input(`Choices ${index + 1}`, `choices${index}`, { value: choices.join(",") }),
    ]),
    input("New first question", "fresh"),
  ];
  const asSent = ({ type, label, choices, required, charLimit, participantCap }) => ({
    ...{ type, questionId: "", label, choices, required, charLimit, questionImageUrl: "" },
    participantCap: type === "WORKSHOP_SELECTION" ? participantCap : undefined,
    isSkillsQuestion: type === "SKILLS" ? true : undefined,
  });
  const save = async (values) => {
    const edited = questions.map((each, index) => ({
      ...each,
      label: values[`label${index}`],
      choices: values[`choices${index}`] ?? "",
    }));
    const fresh = values.fresh && [{ type: "TEXT", label: values.fresh, choices: "", required: false }];
    const { message } = await call("PATCH", path, {
      ename: values.ename,
      description: event.description ?? "",
      partnerDescription: event.partnerDescription ?? "",
      capac: event.capac,
      elocation: event.elocation ?? "",
      imageUrl: event.imageUrl ?? "",
      startDate: new Date(event.startDate),
      endDate: new Date(event.endDate),
      deadline: new Date(event.deadline),
      pricing: {
        members: event.pricing.members,
        ...(event.nonBizTechAllowed && { nonMembers: event.pricing.nonMembers ?? 0 }),
      },
      registrationQuestions: [...(fresh || []), ...edited].map(asSent),
      partnerRegistrationQuestions: event.partnerRegistrationQuestions.map(asSent),
      feedback: "",
      isApplicationBased: !!event.isApplicationBased,
      nonBizTechAllowed: !!event.nonBizTechAllowed,
      isPublished: !!event.isPublished,
      isCompleted: !!event.isCompleted,
    });
    await render();
    status.textContent = message;
  };
  show(`Edit ${event.ename}`, form("Save", fields, save));
}

const club = { ...client, call, signOut, signIn: (username, password) => signIn({ username, password }) };
globalThis.club = club;
club.done = step(render);
