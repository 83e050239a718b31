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
const alert = make("p", { role: "alert" });
const main = make("main", {});
document.body.append(header, alert, main);

/** Takes a step. A refusal is shown, and the page stays as it is. */
async function step(act) {
  alert.textContent = "";
  try {
    await act();
  } catch (problem) {
    alert.textContent = `${problem.status ?? problem.name}: ${problem.message}`;
  }
}

const input = (label, name = label, attributes = {}) =>
  make("label", {}, label, make("input", { name, ...attributes }));

/** A form. `act` gets its values as texts. */
function form(button, fields, act) {
  const made = make("form", {}, fields, make("button", {}, button));
  made.addEventListener("submit", (event) => {
    event.preventDefault();
    club.done = step(() => act(Object.fromEntries(new FormData(made))));
  });
  return made;
}
const show = (title, ...content) => main.replaceChildren(make("h1", {}, title), ...content.flat().filter(Boolean));
const when = (date) =>
  new Date(date).toLocaleString("en-CA", { timeZone: "America/Vancouver", dateStyle: "medium", timeStyle: "short" });
const list = (lines) => make("ul", {}, ...lines.map((line) => make("li", {}, line)));

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
];

/** Shows the page of the address. */
async function render() {
  main.replaceChildren();
  const [address, user] = [await email(), await self()];
  const name = user ? `${user.fname} ${user.lname}, ${user.isMember ? "a member" : "no member"}` : "no member yet";
  header.textContent = address === undefined ? "You are not signed in." : `${address}: ${name}`;
  const { pathname } = location;
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

const club = { ...client, call, signOut, signIn: (username, password) => signIn({ username, password }) };
globalThis.club = club;
club.done = step(render);
