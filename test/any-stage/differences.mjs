/**
 * What the emulator of the stage does in another way than AWS. The tests that need it are skipped, with the reason. Each
 * row has what the emulator does, what AWS documents and where, what was changed here, and the tests.
 */

/** @type {readonly { suite: string, test: RegExp, theirs: string, aws: string, source: string, changed: string }[]} */
const ministack = [
  {
    suite: "api-emails",
    test: /bounced for good or was complained of/,
    theirs: "SES's mailbox simulator is not there: no mail bounces",
    aws: "a mail to bounce@simulator.amazonses.com bounces, and its event is published",
    source: "https://docs.aws.amazon.com/ses/latest/dg/send-an-email-from-console.html",
    changed: "nothing",
  },
  {
    suite: "api-cors",
    test: /may be called from|^the web application may read/,
    theirs: "a template's CORS settings are kept under names that the gateway does not read, so it allows no origin",
    aws: "AllowOrigins of CorsConfiguration is what a browser is told",
    source: "https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/aws-properties-apigatewayv2-api-cors.html",
    changed: "the smoke run's step `own errors` says it, instead of failing",
  },
  {
    suite: "images-upload",
    test: /over 10 MB is removed|accepts only its content type/,
    theirs: "a missing object is a 404 for everybody, so nobody can see that it is gone or was never stored",
    aws: "a caller without s3:ListBucket gets a 403 and does not learn that the object is missing",
    source: "https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObject.html",
    changed: "nothing",
  },
];

/** The SDK's own variable leads to an emulator. */
const isEmulator = process.env.AWS_ENDPOINT_URL !== undefined;

/** @returns why the emulator cannot answer this test; undefined when it can */
export function differenceFor(suite, name) {
  if (!isEmulator) return undefined;
  const row = ministack.find((one) => one.suite === suite && one.test.test(name));
  return row && `MiniStack 1.5.33: ${row.theirs}; in AWS ${row.aws} (${row.source})`;
}
