/** What every function finds in its environment. */
Object.assign(process.env, {
  TABLE_NAME: "Unit",
  ADMIN_EMAIL_DOMAIN: "club.example",
  TIME_ZONE: "America/Vancouver",
  TICKET_KEY_SECRET: "ticket-key",
  MAIL_SENDER: "Club Events <events@club.example>",
  WEB_APP_URL: "https://club.example",
  CHAT_WEBHOOK_SECRET: "chat-webhook",
  NEW_REGISTRATION_HOLD_MS: "1800000",
  PROMOTION_HOLD_MS: "86400000",
  ACCEPTANCE_HOLD_MS: "259200000",
  AWS_REGION: "us-west-2",
  AWS_ACCESS_KEY_ID: "unit",
  AWS_SECRET_ACCESS_KEY: "unit",
  POWERTOOLS_LOG_LEVEL: "SILENT",
});
