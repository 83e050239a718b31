/**
 * What the emulator of the stage does in another way than AWS. The tests that need it are skipped, with the reason. Each
 * row has the emulator's version, what AWS documents, and the tests.
 */

/** @type {readonly { suite: string, test: RegExp, reason: string, source: string }[]} */
const ministack = [
  {
    suite: "api-emails",
    test: /bounced for good or was complained of/,
    reason: "the mailbox simulator of SES is not there",
    source: "https://docs.aws.amazon.com/ses/latest/dg/send-an-email-from-console.html",
  },
  {
    suite: "api-cors",
    test: /may be called from|^the web application may read/,
    reason: "a template's CORS settings are kept under names that the gateway does not read, so it allows no origin",
    source: "https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/aws-properties-apigatewayv2-api-cors.html",
  },
  {
    suite: "images-upload",
    test: /over 10 MB is removed|accepts only its content type/,
    // A caller without `s3:ListBucket` does not learn that an object is missing.
    reason: "a missing object is a 404 for everybody, so nobody can see here that it is gone or was never stored",
    source: "https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObject.html",
  },
];

/** The SDK's own variable leads to an emulator. */
const isEmulator = process.env.AWS_ENDPOINT_URL !== undefined;

/** @returns why the emulator cannot answer this test; undefined when it can */
export function differenceFor(suite, name) {
  if (!isEmulator) return undefined;
  const row = ministack.find((one) => one.suite === suite && one.test.test(name));
  return row && `MiniStack 1.5.33: ${row.reason} (${row.source})`;
}
