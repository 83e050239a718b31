/** The settings that functions expect when a test runs them in its own process. */

const defaults: Readonly<Record<string, string>> = {
  TABLE_NAME: "Test",
  STAGE: "test",
  ADMIN_EMAIL_DOMAIN: "club.example",
  TIME_ZONE: "America/Vancouver",
  TICKET_KEY_SECRET: "ticket-key",
  MAIL_SENDER: "events@club.example",
  MAIL_SENDER_NAME: "Club Events",
  MAIL_CONFIGURATION_SET: "club-mails",
  WEB_APP_URL: "https://club.example",
  GUESTS: "partners",
  PARTNER_SEATS: "",
  ANSWERS_KEPT_DAYS: "",
  SEE_DIET_AND_PHONE: "",
  REMINDERS: "[24]",
  REPLY_TO: "",
  EVENT_PAGE: "/event/{id}/{year}/register",
  LINK_PAGE: "https://club.example/registration/",
  UNSUBSCRIBE_ADDRESS: "unsubscribe@club.example",
  CAMPAIGN_MAIL_INTERVAL_MS: "0",
  CHAT_WEBHOOK_SECRET: "chat-webhook",
  PAYMENTS_SECRET: "payments",
  ALLOWED_ORIGINS: "https://app.club.example,http://localhost:3000",
  CURRENCY: "CAD",
  MEMBERSHIP_PRICE: "1500",
  MEMBERSHIP_PRICES: "{}",
  MEMBERSHIP_TERM: '"forever"',
  SIGN_UP_LIMITS: '{"perHour":300,"perHourAndDomain":150,"openDomains":["student.example"]}',
  NEW_REGISTRATION_HOLD_MS: "1800000",
  PROMOTION_HOLD_MS: "86400000",
  ACCEPTANCE_HOLD_MS: "259200000",
};

/** Variables that the SDK and Powertools read. */
const surroundings = {
  AWS_REGION: "us-west-2",
  AWS_ACCESS_KEY_ID: "LOCALTest",
  AWS_SECRET_ACCESS_KEY: "local",
  POWERTOOLS_LOG_LEVEL: "SILENT",
};

/** Sets the variables of this process. It must be called before a module of a function is loaded. */
export function givenSettings(more: Readonly<Record<string, string | undefined>> = {}): void {
  Object.assign(process.env, defaults, surroundings, more);
}
