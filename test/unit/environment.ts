/** What every function finds in its environment. */
Object.assign(process.env, {
  TABLE_NAME: "Unit",
  ADMIN_EMAIL_DOMAIN: "club.example",
  TIME_ZONE: "America/Vancouver",
  AWS_REGION: "us-west-2",
  AWS_ACCESS_KEY_ID: "unit",
  AWS_SECRET_ACCESS_KEY: "unit",
  POWERTOOLS_LOG_LEVEL: "SILENT",
});
