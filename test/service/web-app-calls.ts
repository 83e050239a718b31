/**
 * The calls of the club's web application (ubc-biztech/bt-web-v2 at f9e2d3c), as it sends them: with its field names, surplus
 * and missing fields, and empty texts. Calls to parts that the specification does not have are left out: quests, quizzes,
 * questions to speakers, connections, teams, judging, stickers, wrapped, investments, partners, Discord, analytics, uploads
 * of profile pictures, recommendations, and the mails of the partners' list.
 */
import { expect } from "@jest/globals";

export const people = {
  /** Has an account and no membership. */
  user: "user@student.example",
  member: "member@student.example",
  admin: "exec@club.example",
  /** An admin who has no account yet. */
  newAdmin: "board@club.example",
  /** Has signed up, and has no account yet. */
  newcomer: "newcomer@student.example",
  partner: "partner@company.example",
  /** A registered person in the admins' table. */
  menu: "menu@student.example",
} as const;

export type Person = keyof typeof people;

export interface WebAppCall {
  /** The page or the button. */
  readonly page: string;
  /** Whose token the application sends. */
  readonly as: Person | "no token";
  /**
   * Who is signed in, where the application sends no token all the same and the service needs one. The call is accepted
   * when the token goes with it (point 1 of the changes in `docs/web-app.md`).
   */
  readonly session?: Person;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** With its query. `{profileID}` stands for the member's. */
  readonly path: string;
  readonly body?: object;
  readonly status: number;
  /** What the application reads in the answer, and fails without. */
  readonly reads?: unknown;
  /** Present in calls that are not accepted: the answer, the reason, and the point of `docs/web-app.md`. */
  readonly refused?: { readonly status: number; readonly why: string; readonly change: number };
}

const text = expect.any(String);
const number = expect.any(Number);
const some = (fields: object) => expect.arrayContaining([expect.objectContaining(fields)]);
const year = 2030;
const home = "http://localhost:3000/";

/** The form by which admins create an event. Questions have no ids, and `choices` is a text. */
const eventForm = {
  ename: "Case Night",
  description: "An evening of cases.",
  partnerDescription: "A table for each partner.",
  capac: 120,
  elocation: "Great Hall",
  imageUrl: "https://images.example/case-night.jpg",
  startDate: "2030-03-02T02:00:00.000Z",
  endDate: "2030-03-02T05:00:00.000Z",
  deadline: "2030-03-01T07:59:00.000Z",
  pricing: { members: 5, nonMembers: 10 },
  nonBizTechAllowed: true,
  isPublished: false,
  isCompleted: false,
  registrationQuestions: [
    { type: "TEXT", label: "Why do you come?", choices: "", required: true, charLimit: 500, questionImageUrl: "" },
    { type: "SELECT", label: "Your size", choices: "S,M,L", required: false, questionImageUrl: "" },
    { type: "CHECKBOX", label: "What do you eat?", choices: "Meat,Fish,Other", required: false, questionImageUrl: "" },
    {
      ...{ type: "WORKSHOP_SELECTION", label: "Your workshop", choices: "Pitching,Design", required: false },
      ...{ questionImageUrl: "", participantCap: 2 },
    },
    { type: "SKILLS", label: "Skills", choices: "", required: false, questionImageUrl: "", isSkillsQuestion: true },
    { type: "UPLOAD", label: "Résumé", choices: "", required: false, questionImageUrl: "" },
  ],
  partnerRegistrationQuestions: [
    { type: "TEXT", label: "What do you bring?", choices: "", required: false, questionImageUrl: "" },
  ],
  isApplicationBased: false,
};

const overallRating = {
  ...{ type: "LINEAR_SCALE", questionId: "overall-rating", label: "All in all?", choices: "", required: true },
  ...{ scaleMin: 1, scaleMax: 10, scaleMinLabel: "Poor", scaleMaxLabel: "Great" },
};
const noScale = { scaleMinLabel: "", scaleMaxLabel: "" };

/** The settings of the feedback forms, as an admin saves them. */
export const feedbackSettings = {
  attendeeFeedbackEnabled: true,
  partnerFeedbackEnabled: true,
  attendeeFeedbackQuestions: [
    overallRating,
    { type: "SHORT_TEXT", questionId: "best", label: "The best?", choices: "", required: false, ...noScale },
    { type: "CHECKBOXES", questionId: "again", label: "Again?", choices: "Food,Talks", required: false, ...noScale },
  ],
  partnerFeedbackQuestions: [overallRating],
};

/** A person's registration. The service decides about the two statuses and the points. */
const registration = (who: Person, eventID: string, statuses: readonly [string, string], answers: object = {}) => ({
  email: people[who],
  fname: "Uli",
  studentId: "12345678",
  eventID,
  year,
  registrationStatus: statuses[0],
  isPartner: false,
  points: 0,
  basicInformation: {
    ...{ fname: "Uli", lname: "User", gender: "They/Them", diet: "None", heardFrom: "Friends" },
    ...{ year: "3rd Year", faculty: "Science", major: "Physics" },
  },
  dynamicResponses: answers,
  applicationStatus: statuses[1],
});

const eventPayment = {
  paymentType: "Event",
  success_url: `${home}event/paid/${year}/register/success`,
  email: people.user,
  fname: "Uli",
  eventID: "paid",
  year,
};

/** Sent after the registration, before anyone has decided about it. */
const applicantPayment = (eventID: string) => ({
  ...{ ...eventPayment, eventID },
  success_url: `${home}event/${eventID}/${year}/register/success`,
});

const partnerRegistration = (email: string, eventID = "gala") => ({
  ...{ email, fname: "Pat", eventID, year, registrationStatus: "registered", isPartner: true },
  basicInformation: {
    ...{ fname: "Pat", lname: "Partner", gender: "He/Him/His", companyName: "Engines", role: "Recruiter" },
  },
  dynamicResponses: { bring: "A demo" },
});

const membershipPayment = (who: Person, paymentType: string, studentNumber: string, topics: string) => ({
  paymentName: "Membership",
  paymentImages: ["https://images.example/membership.png"],
  paymentType,
  success_url: home,
  cancel_url: `${home}membership`,
  education: studentNumber ? "UBC" : "NA",
  student_number: studentNumber,
  fname: "Uli",
  lname: "User",
  major: "Physics",
  email: people[who],
  year: "3rd Year",
  faculty: "Science",
  pronouns: "They/Them",
  diet: "None",
  prev_member: false,
  international: true,
  referral: "Friends",
  topics,
});

/** An admin's own account, when the admin creates the membership without a payment. */
const adminAccount = {
  email: people.newAdmin,
  fname: "Bo",
  lname: "Board",
  studentId: "12345678",
  gender: "She/Her",
  education: "UBC",
  faculty: "Commerce",
  major: "Finance",
  diet: "None",
  year: "4th Year",
  international: false,
  prev_member: true,
  isMember: true,
};

/** The form of a new membership. */
const membershipForm = {
  firstName: "Gina",
  lastName: "Granted",
  education: "UNI",
  pronouns: "She/Her",
  levelOfStudy: "Graduate",
  faculty: "Arts",
  major: "History",
  dietaryRestrictions: "None",
  referral: "Boothing",
};

const template = { templateName: "hello", subject: "Hello", html: "<html><body>Hi</body></html>", text: "Hi" };

const project = { projectId: "team-a", ticker: "TEMA", name: "Team A", description: "", eventId: "kickstart" };
const projectRead = { projectId: "team-a", ticker: "TEMA", name: "Team A", basePrice: number, currentPrice: number };

/** The menu of the table writes all statuses in small letters, apart from the one of the check-in. */
const setStatus = (eventID: string, registrationStatus: string): WebAppCall => ({
  ...{ page: `table: ${registrationStatus}, ${eventID}`, as: "no token", session: "admin", method: "PUT", status: 200 },
  path: `/registrations/${people.menu}/Mona`,
  body: { eventID, year, registrationStatus },
});

/** Every entry of the menu, on events without and with applications. */
const statusMenu: readonly WebAppCall[] = [
  setStatus("gala", "checkedIn"),
  setStatus("gala", "registered"),
  {
    ...setStatus("gala", "waitlist"),
    refused: { status: 409, why: "nobody waits for this seat", change: 10 },
  },
  setStatus("full", "waitlist"),
  {
    ...setStatus("gala", "incomplete"),
    refused: { status: 409, why: "nobody owes anything for this seat", change: 10 },
  },
  setStatus("gala", "cancelled"),
  setStatus("pitch", "waitlist"),
  {
    ...setStatus("pitch", "registered"),
    refused: { status: 409, why: "an application that waits is decided next", change: 10 },
  },
  {
    ...setStatus("pitch", "accepted"),
    refused: { status: 409, why: "the seat has a price: acceptedPending", change: 10 },
  },
  setStatus("apply", "waitlist"),
  setStatus("apply", "accepted"),
  setStatus("apply", "acceptedcomplete"),
  setStatus("apply", "checkedIn"),
];

const choicesAreAList = "choices is a list, as the specification has it; the application splits a text";

/** In the order in which the application may send them. */
export const calls: readonly WebAppCall[] = [
  // Events, as admins make them
  {
    ...{ page: "new event", as: "admin", method: "POST", path: "/events", status: 201 },
    body: { id: "case-night", year, ...eventForm },
    reads: { message: text },
  },
  {
    ...{ page: "edit event: save and publish", as: "admin", method: "PATCH", path: `/events/case-night/${year}` },
    body: {
      ...eventForm,
      isPublished: true,
      registrationQuestions: eventForm.registrationQuestions.map((question) => ({ ...question, questionId: "" })),
    },
    ...{ status: 200, reads: { message: text } },
  },
  {
    ...{ page: "event dashboard: feedback forms", as: "admin", method: "PATCH", path: `/events/case-night/${year}` },
    ...{ body: feedbackSettings, status: 200 },
  },
  {
    ...{ page: "event dashboard", as: "no token", session: "admin", method: "GET", path: `/events/draft/${year}` },
    ...{ status: 200, reads: { id: "draft", isPublished: false, registrationQuestions: [] } },
  },
  {
    ...{ page: "edit event", as: "admin", method: "GET", path: `/events/gala/${year}`, status: 200 },
    reads: { ename: text, capac: number, pricing: { members: 0 }, registrationQuestions: some({ choices: text }) },
    refused: { status: 200, why: choicesAreAList, change: 2 },
  },
  {
    ...{ page: "admin's list of events", as: "no token", session: "admin", method: "GET", path: "/events" },
    ...{ status: 200, reads: some({ id: "draft", year, isPublished: false }) },
  },
  {
    ...{ page: "banner", as: "admin", method: "POST", path: "/events/event-image-upload-url", status: 200 },
    body: { fileType: "image/jpeg", fileName: "gala-opt.jpg", prefix: "optimized", eventId: "gala" },
    reads: { uploadUrl: text, publicUrl: text },
  },
  {
    ...{ page: "banner, the original", as: "admin", method: "POST", path: "/events/event-image-upload-url" },
    body: { fileType: "image/png", fileName: "gala.png", prefix: "original" },
    ...{ status: 200, reads: { uploadUrl: text } },
    refused: { status: 400, why: "the specification requires eventId; the application ignores the failure", change: 8 },
  },

  // Events, as visitors see them
  {
    ...{ page: "events", as: "no token", method: "GET", path: "/events", status: 200 },
    reads: some({ id: "gala", year, isPublished: true, startDate: text, ename: text, imageUrl: text }),
  },
  {
    ...{ page: "event", as: "no token", method: "GET", path: `/events/gala/${year}`, status: 200 },
    reads: { id: "gala", year, ename: text, deadline: text, pricing: { members: 0, nonMembers: 0 } },
  },
  {
    ...{ page: "event for members", as: "no token", method: "GET", path: `/events/members/${year}`, status: 200 },
    // With a price for others, even 0, the page shows them the form.
    reads: { pricing: expect.not.objectContaining({ nonMembers: expect.anything() }) },
  },
  {
    ...{ page: "event: seats", as: "no token", method: "GET", path: `/events/gala/${year}?count=true`, status: 200 },
    reads: { registeredCount: number, checkedInCount: number },
  },
  {
    ...{ page: "registration form", as: "no token", method: "GET", path: `/events/gala/${year}`, status: 200 },
    reads: { registrationQuestions: some({ choices: text }) },
    refused: { status: 200, why: choicesAreAList, change: 2 },
  },

  {
    ...{ page: "member card: check-in for which event?", as: "admin", method: "GET", path: "/events/getActiveEvent" },
    ...{ status: 200, reads: { id: text, year: number, ename: text, endDate: text } },
  },

  // A person's account
  {
    ...{ page: "every page, before there is an account", as: "newcomer", method: "GET", path: "/users/self" },
    status: 404,
  },
  {
    ...{ page: "every page", as: "member", method: "GET", path: "/users/self", status: 200 },
    reads: { id: people.member, email: people.member, isMember: true, admin: false },
  },
  {
    ...{ page: "registration form", as: "user", method: "GET", path: `/users/${people.user}`, status: 200 },
    reads: { id: people.user, fname: text, isMember: false, "favedEventsID;year": [] },
  },

  // Registrations, as people make them
  {
    ...{ page: "registration form: free", as: "no token", session: "user", method: "POST", path: "/registrations" },
    body: registration("user", "gala", ["registered", ""], {
      ...{ why: "To learn", size: "M", eat: "Fish,Seaweed", workshop: "Pitching", skills: ["TypeScript"], resume: "" },
    }),
    status: 201,
  },
  {
    ...{ page: "registration form: application", as: "no token", session: "user", method: "POST", status: 201 },
    ...{ path: "/registrations", body: registration("user", "apply", ["registered", "reviewing"]) },
  },
  {
    ...{ page: "registration form: with a price", as: "no token", session: "user", method: "POST", status: 201 },
    ...{ path: "/registrations", body: registration("user", "paid", ["incomplete", ""]) },
    // A `url` would be opened instead of a payment.
    reads: expect.not.objectContaining({ url: expect.anything() }),
  },
  {
    ...{ page: "registration form: payment", as: "no token", session: "user", method: "POST", path: "/payments" },
    ...{ body: eventPayment, status: 200, reads: text },
  },
  {
    ...{ page: "registration form: application with a price", as: "no token", session: "user", method: "POST" },
    ...{ path: "/registrations", body: registration("user", "audition", ["incomplete", "reviewing"]), status: 201 },
    reads: expect.not.objectContaining({ url: expect.anything() }),
  },
  {
    ...{ page: "registration form: payment of an applicant", as: "no token", session: "user", method: "POST" },
    ...{ path: "/payments", body: applicantPayment("audition"), status: 200, reads: text },
  },
  {
    ...{ page: "registration form: partner without an account", as: "no token", method: "POST", status: 201 },
    ...{ path: "/registrations", body: partnerRegistration("visitor@company.example") },
    refused: { status: 401, why: "nobody registers without signing in", change: 1 },
  },
  {
    ...{ page: "registration form: partner", as: "no token", session: "partner", method: "POST", status: 201 },
    ...{ path: "/registrations", body: partnerRegistration(people.partner, "fair") },
    reads: { registration: { isPartner: true } },
  },
  {
    ...{ page: "registration form: partner", as: "no token", session: "partner", method: "POST", status: 201 },
    ...{ path: "/registrations", body: partnerRegistration(people.partner) },
    reads: { registration: { isPartner: true, basicInformation: { companyName: "Engines", role: "Recruiter" } } },
  },
  {
    ...{ page: "registration form: registered already?", as: "no token", session: "user", method: "GET" },
    path: `/registrations?email=${people.user}`,
    ...{ status: 200, reads: { data: some({ "eventID;year": `gala;${year}`, registrationStatus: "registered" }) } },
  },
  {
    ...{ page: "event", as: "user", method: "GET", path: `/registrations?email=${people.user}`, status: 200 },
    reads: { data: some({ "eventID;year": `gala;${year}`, registrationStatus: "registered", fname: "Uli" }) },
  },
  {
    ...{ page: "home", as: "user", method: "GET", path: `/registrations/?email=${people.user}`, status: 200 },
    reads: { data: some({ "eventID;year": `gala;${year}`, createdAt: number, updatedAt: number }) },
  },
  {
    ...{ page: "companion", as: "user", method: "GET", status: 200 },
    path: `/registrations?eventID=gala&year=${year}&email=${people.user}`,
    reads: { data: [{ id: people.user, registrationStatus: "registered", points: 0 }] },
  },
  {
    ...{ page: "companion, the older one", as: "no token", session: "user", method: "GET", status: 200 },
    path: `/registrations?eventID=gala&year=${year}&email=${people.user}`,
    reads: { data: [{ id: people.user, registrationStatus: "registered" }] },
  },

  // Registrations, as admins handle them
  {
    ...{ page: "event dashboard: registrations", as: "no token", session: "admin", method: "GET", status: 200 },
    path: `/registrations?eventID=gala&year=${year}`,
    reads: {
      data: some({
        ...{ id: people.user, fname: "Uli", basicInformation: expect.objectContaining({ lname: "User" }) },
        dynamicResponses: expect.objectContaining({ why: "To learn" }),
      }),
    },
  },
  {
    ...{ page: "table: points", as: "no token", session: "admin", method: "PUT", status: 200 },
    path: `/registrations/${people.user}/Uli`,
    body: { eventID: "gala", year, points: 30 },
  },
  ...statusMenu,
  {
    ...{
      page: "table, the details: status of the application",
      as: "no token",
      session: "admin",
      method: "PUT",
      status: 200,
    },
    path: `/registrations/${people.user}/Uli`,
    body: { eventID: "apply", year, applicationStatus: "Waitlist" },
  },
  {
    ...{ page: "table: several at once", as: "no token", session: "admin", method: "PUT", path: "/registrations/" },
    body: {
      ...{ eventID: "apply", eventYear: year },
      updates: [{ email: people.user, fname: "Uli", applicationStatus: "accepted" }],
    },
    // The application takes every 200 for a success of all rows.
    ...{ status: 200, reads: { results: [{ success: true }] } },
  },
  {
    ...{ page: "member card: check-in", as: "admin", method: "PUT", path: `/registrations/${people.partner}/Pat` },
    ...{ body: { eventID: "gala", year, registrationStatus: "checkedIn" }, status: 200 },
  },
  {
    ...{ page: "table: delete", as: "admin", method: "DELETE", path: "/registrations", status: 200 },
    body: { ids: [people.user], eventID: "paid", year },
    reads: { results: [{ success: true }] },
  },
  {
    ...{ page: "companion: leaderboard", as: "no token", session: "user", method: "GET", status: 200 },
    ...{ path: `/registrations/leaderboard/?eventID=gala&year=${year}`, reads: some({ fname: text, points: 30 }) },
  },

  // What an accepted person does
  {
    ...{ page: "registration: confirm", as: "user", method: "PUT", path: `/registrations/${people.user}/Uli` },
    ...{ body: { eventID: "apply", year, registrationStatus: "acceptedComplete" }, status: 200 },
  },
  {
    ...{ page: "registration: confirm, with a price", as: "user", method: "PUT", status: 200 },
    path: `/registrations/${people.user}/Uli`,
    body: { eventID: "pitch", year, registrationStatus: "acceptedComplete" },
    refused: { status: 409, why: "acceptedPending asks for the payment first", change: 3 },
  },
  {
    ...{ page: "registration: confirm and pay", as: "no token", session: "user", method: "POST", path: "/payments" },
    body: { ...eventPayment, eventID: "pitch", success_url: `${home}event/pitch/${year}/register/` },
    ...{ status: 200, reads: text },
  },

  // Memberships and profiles
  {
    ...{ page: "membership: payment", as: "user", method: "POST", path: "/payments", status: 200, reads: text },
    body: membershipPayment("user", "Member", "12345678", "AI,Design"),
  },
  {
    ...{ page: "membership: payment without an account", as: "newcomer", method: "POST", path: "/payments" },
    ...{ body: membershipPayment("newcomer", "OAuthMember", "", ""), status: 200, reads: text },
  },
  {
    ...{ page: "membership of an admin", as: "newAdmin", method: "POST", path: "/members", status: 201 },
    body: {
      ...{ email: people.newAdmin, education: "UBC", first_name: "Bo", last_name: "Board", pronouns: "She/Her" },
      ...{ student_number: "12345678", faculty: "Commerce", year: "4th Year", major: "Finance", prev_member: true },
      ...{ international: false, topics: "", heard_from: "Friends", diet: "None", admin: true },
    },
  },
  {
    ...{ page: "membership of an admin: account", as: "newAdmin", method: "POST", path: "/users", status: 201 },
    body: adminAccount,
  },
  {
    ...{ page: "membership of an admin with an account", as: "newAdmin", method: "PATCH", status: 200 },
    ...{ path: `/users/${people.newAdmin}`, body: adminAccount },
    refused: { status: 400, why: "the specification refuses a change that names email", change: 7 },
  },
  {
    ...{ page: "membership of an admin: profile", as: "newAdmin", method: "POST", path: "/profiles", status: 201 },
  },
  {
    ...{ page: "members", as: "admin", method: "GET", path: "/members", status: 200 },
    reads: some({ id: people.member, firstName: text, lastName: text, profileID: text }),
  },
  {
    ...{ page: "members: new member", as: "admin", method: "POST", path: "/members/grant", status: 200 },
    body: {
      ...{ ...membershipForm, email: "granted@student.example", internationalStudent: false, previousMember: true },
      ...{ topics: "AI,Design", isMember: true, adminCreated: true },
    },
    reads: { message: text },
  },
  {
    ...{ page: "member card: needed?", as: "admin", method: "GET", path: `/members/${people.member}`, status: 200 },
    reads: { profileID: text },
  },
  {
    ...{ page: "member card: of a person without a membership", as: "admin", method: "GET", status: 404 },
    path: `/members/${people.user}`,
  },
  {
    ...{ page: "member card: written", as: "admin", method: "PATCH", path: `/members/${people.member}`, status: 200 },
    body: { cardCount: 1 },
  },
  {
    ...{ page: "member card: check-in", as: "admin", method: "GET", path: "/members/email/{profileID}", status: 200 },
    reads: { email: people.member },
  },
  {
    ...{ page: "profile", as: "member", method: "GET", path: "/profiles/user", status: 200 },
    reads: { compositeID: expect.stringMatching(/^PROFILE#./), fname: text, viewableMap: { fname: true } },
  },
  {
    ...{ page: "profile: edit", as: "member", method: "PATCH", path: "/profiles/user/", status: 200 },
    body: {
      ...{ description: "", hobby1: "Chess", hobby2: "", funQuestion1: "I count.", funQuestion2: "", linkedIn: "" },
      ...{ additionalLink: "https://ada.example", profilePictureURL: "" },
      viewableMap: {
        ...{ fname: true, lname: true, pronouns: true, major: true, year: true, description: false },
        ...{ hobby1: true, hobby2: false, funQuestion1: true, funQuestion2: false, linkedIn: false },
        ...{ additionalLink: true, profilePictureURL: false },
      },
    },
  },
  {
    ...{ page: "shared profile", as: "no token", method: "GET", path: "/profiles/profile/{profileID}", status: 200 },
    reads: { profileID: text, fname: text, profileType: "ATTENDEE", hobby1: "Chess" },
  },

  // Feedback
  {
    ...{ page: "feedback form", as: "no token", session: "user", method: "GET", status: 200 },
    path: `/events/last-night/${year}/feedback/partner`,
    reads: { enabled: true, event: { id: "last-night", year, ename: text }, feedbackQuestions: some({ scaleMax: 10 }) },
  },
  {
    ...{ page: "feedback form with choices", as: "no token", session: "user", method: "GET", status: 200 },
    ...{ path: `/events/last-night/${year}/feedback/attendee`, reads: { feedbackQuestions: some({ choices: text }) } },
    refused: { status: 200, why: choicesAreAList, change: 2 },
  },
  {
    ...{ page: "feedback form: send", as: "no token", session: "user", method: "POST", status: 201 },
    path: `/events/last-night/${year}/feedback/attendee`,
    body: {
      ...{ respondentName: "", respondentEmail: "" },
      responses: { "overall-rating": 9, best: "", again: [] },
    },
  },
  {
    ...{ page: "event dashboard: answers", as: "admin", method: "GET", status: 200 },
    path: `/events/last-night/${year}/feedback/attendee`,
    reads: { feedbackQuestions: some({ questionId: "best", label: text }) },
  },
  {
    ...{ page: "event dashboard: answers", as: "admin", method: "GET", status: 200 },
    path: `/events/last-night/${year}/feedback/attendee/submissions`,
    reads: { count: 1, submissions: [{ submittedAt: number, responses: { "overall-rating": 9 } }] },
  },

  // Mails
  {
    ...{ page: "mails: new template", as: "admin", method: "POST", path: "/emails/templates/", status: 201 },
    body: template,
  },
  {
    ...{ page: "mails: change", as: "admin", method: "PATCH", path: "/emails/templates/", status: 200 },
    body: { ...template, subject: "Hello again" },
  },
  {
    ...{ page: "mails", as: "admin", method: "GET", path: "/emails/templates", status: 200 },
    reads: { emailTemplates: some({ TemplateName: "hello", CreatedTimestamp: text, LastModifiedTimestamp: text }) },
  },
  {
    ...{ page: "mails: show", as: "admin", method: "GET", path: "/emails/templates/hello", status: 200 },
    reads: { TemplateContent: { Subject: "Hello again", Html: text, Text: "Hi" } },
  },
  { page: "mails: delete", as: "admin", method: "DELETE", path: "/emails/templates/hello", status: 200 },

  // The end of an event
  { page: "events: delete", as: "admin", method: "DELETE", path: `/events/case-night/${year}`, status: 200 },

  // The investment game
  {
    ...{ page: "game, admins: save", as: "admin", method: "POST", status: 200, reads: { data: projectRead } },
    path: `/btx/admin/project?${new URLSearchParams({ ...project, seedAmount: "0" })}`,
  },
  {
    ...{ page: "game, admins: projects", as: "admin", method: "GET", path: "/btx/projects", status: 200 },
    reads: { data: [projectRead] },
  },
  {
    ...{ page: "game: market", as: "no token", session: "member", method: "GET", status: 200 },
    path: "/btx/market/snapshot?eventId=kickstart",
    reads: { data: { projects: [{ ...projectRead, marketCap: number, updatedAt: number }] } },
  },
  {
    ...{ page: "game: buy", as: "member", method: "POST", path: "/btx/market/buy", status: 200 },
    ...{ body: { projectId: "team-a", shares: 5 }, reads: { data: { trade: { shares: 5 }, account: {} } } },
  },
  {
    ...{ page: "game: sell", as: "member", method: "POST", path: "/btx/market/sell", status: 200 },
    ...{ body: { projectId: "team-a", shares: 2 }, reads: { data: { trade: { shares: 2 } } } },
  },
  {
    ...{ page: "game: portfolio", as: "member", method: "GET", path: "/btx/portfolio?eventId=kickstart", status: 200 },
    reads: {
      data: {
        ...{ account: { cashBalance: number, initialBalance: 2500 }, totalEquityValue: number },
        ...{ totalPortfolioValue: number, holdings: [{ ticker: "TEMA", name: "Team A", shares: 3, pnl: number }] },
      },
    },
  },
  {
    ...{ page: "game: trades", as: "no token", session: "member", method: "GET", status: 200 },
    path: "/btx/trades?projectId=team-a&limit=50",
    reads: { data: some({ side: "SELL", shares: 2, price: number, createdAt: number }) },
  },
  {
    ...{ page: "game: chart", as: "no token", session: "member", method: "GET", status: 200 },
    path: "/btx/price-history?projectId=team-a&limit=10000",
    reads: { data: some({ ts: number, price: number, source: "TRADE" }) },
  },
  {
    ...{ page: "game: leaderboard", as: "member", method: "GET", path: "/btx/leaderboard?eventId=kickstart" },
    ...{ status: 200, reads: { data: { top: some({ totalValue: number, returnPct: number }), bottom: [{}] } } },
  },
  {
    ...{ page: "investments: the price follows", as: "user", method: "POST", path: "/btx/admin/investment-impact" },
    ...{ body: { teamId: "team-a", amountDelta: 1500 }, status: 200 },
    refused: { status: 403, why: "anyone could move every price; the application goes on without it", change: 9 },
  },
];
