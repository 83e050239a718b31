/** How findings of cfn-lint, checkov and schemathesis are read, and which of them are no faults. */
import { describe, expect, test } from "@jest/globals";
import { falseAlarms } from "../false-alarms.ts";
import { type Finding, faultsIn, kindsOf, linesOf, needless } from "../finding.ts";
import { failuresIn } from "../reports.ts";
import { settingsOf } from "../settings.ts";
import { findingsOf } from "../templates.ts";

const base64 = (text: string) => ({ $base64: Buffer.from(text).toString("base64") });
const prize = '{"name":"it\'s"}';
const interaction = {
  request: {
    method: "PATCH",
    uri: "http://127.0.0.1:4000/prizes/mug?a=b%20c",
    headers: { Authorization: ["[Filtered]"], "Content-Type": ["application/json"] },
    body: base64(prize),
  },
  response: { status_code: 500, content: base64('{"message":"Internal Server Error"}') },
};
const failure = { operation: "PATCH /prizes/{id}", message: "Server error\nExpected: 2xx" };
const line = (event: object): string => JSON.stringify(event);
const scenario = line({
  ScenarioFinished: {
    recorder: {
      checks: {
        a: [
          { name: "status_code_conformance", status: "success" },
          { name: "not_a_server_error", status: "failure", failure_info: { failure } },
        ],
      },
      interactions: { a: interaction },
    },
  },
});

const command =
  `curl -X PATCH "$api"'/prizes/mug?a=b%20c' -H "Authorization: $token" -H 'Content-Type: application/json' ` +
  `-d '{"name":"it'\\''s"}'`;

test("a failed check becomes a finding with the answer and the command that repeats it", () => {
  expect(failuresIn(scenario)).toEqual([
    {
      judge: "schemathesis",
      rule: "not_a_server_error",
      where: "PATCH /prizes/{id}",
      says: '500 {"message":"Internal Server Error"} Server error Expected: 2xx',
      repeat: command,
    },
  ]);
  expect(failuresIn(line({ EngineStarted: {} }))).toEqual([]);
  expect(failuresIn(line({ ScenarioFinished: { recorder: {} } }))).toEqual([]);
});

const [found] = failuresIn(scenario) as [Finding];

test("findings of one kind are one, with their number", () => {
  const [kind, other] = kindsOf([found, { ...found, repeat: "other" }, { ...found, where: "GET /prizes" }]);
  expect(linesOf(kind as NonNullable<typeof kind>)).toBe(
    `schemathesis: not_a_server_error, PATCH /prizes/{id}, 2 times\n  ${found.says}\n  ${command}`,
  );
  expect(other).toMatchObject({ where: "GET /prizes", times: 1 });
});

const bucket = {
  check_id: "CKV_AWS_54",
  check_name: "Ensure S3 bucket has block public policy enabled",
  file_path: "/ClubEvents-local.template.json",
  resource: "AWS::S3::Bucket.ImagesF8C4E866",
};
const scanned = (resource: string) =>
  findingsOf({ results: { failed_checks: [{ ...bucket, resource }] }, summary: { parsing_errors: 0 } });

test("what checkov found is a fault at another resource, and an explanation without its finding is known", () => {
  const [banners] = scanned(bucket.resource) as [Finding];
  expect(banners).toEqual({
    judge: "checkov",
    rule: "CKV_AWS_54",
    where: "ClubEvents-local/Resources/ImagesF8C4E866",
    says: "AWS::S3::Bucket: Ensure S3 bucket has block public policy enabled",
  });
  const all = [banners, ...scanned("AWS::S3::Bucket.HostingBucketDB108620")];
  expect(faultsIn(all, falseAlarms)).toEqual(all.slice(1));
  const [explained] = falseAlarms.filter(({ rule }) => rule === "CKV_AWS_54");
  expect(needless(all, [explained as never])).toEqual([]);
  expect(needless(all.slice(1), [explained as never])).toEqual([explained]);
});

test.each([{}, { results: { failed_checks: [] }, summary: { parsing_errors: 1 } }])(
  "checkov has judged nothing when it reports %j",
  (report) => expect(() => findingsOf(report)).toThrow("did not read the templates"),
);

describe("false alarms", () => {
  test("have a reason and are not everything of a rule that judges answers", () => {
    for (const { judge, rule, where, says, reason } of falseAlarms) {
      expect(reason).toMatch(/^.{20,}\.$/);
      const isBounded = judge === "checkov" ? where !== undefined : says !== undefined;
      expect([judge, rule, isBounded]).toEqual([judge, rule, rule !== "unsupported_method"]);
    }
  });

  const accepted = { ...found, rule: "positive_data_acceptance" };

  test.each<[string, Finding]>([
    ["a changed record", { ...accepted, says: '412 {"message":"This has changed since you read it."}' }],
    [
      "the caller's own record",
      { ...found, rule: "negative_data_rejection", where: "GET /users/{email}", says: '200 {"id":"a"}' },
    ],
    [
      "a path without its end",
      { ...found, rule: "response_schema_conformance", says: '404 {"message":"Not Found"} x' },
    ],
    [
      "a role that is depended on twice",
      {
        judge: "cfn-lint",
        rule: "W3005",
        where: "ClubEvents-local/Resources/MailABC/DependsOn/1",
        says: "'MailRoleD05' dependency already enforced by a 'GetAtt' at 'Resources/MailABC/Properties/Role'",
      },
    ],
  ])("%s is one", (_name, one) => expect(faultsIn([one], falseAlarms)).toEqual([]));

  test.each<[string, Finding]>([
    ["an error of the service", found],
    [
      "another person's record",
      { ...found, rule: "negative_data_rejection", where: "GET /members/{email}", says: '200 {"id":"a"}' },
    ],
    [
      "a dependency that lib/ declares",
      {
        judge: "cfn-lint",
        rule: "W3005",
        where: "ClubEvents-local/Resources/Table/DependsOn/0",
        says: "'Bus' dependency already enforced by a 'Ref' at 'Resources/Table/Properties/Name'",
      },
    ],
  ])("%s is none", (_name, one) => expect(faultsIn([one], falseAlarms)).toEqual([one]));
});

test("the settings have the tokens, what exists, and no check of which nothing is a fault", () => {
  const known = { events: [{ id: "gala", year: 2031 }], emails: ["a@x.example"], doorToken: "d" };
  const settings = settingsOf("single", "t", known, falseAlarms);
  for (const part of [
    'bearer = "t"',
    'api_key = "Door d"',
    '[dictionaries.events]\nvalues = ["gala"]',
    '"path.eventId" = { dictionary = "events", probability = 0.7 }',
    "[checks.unsupported_method]\nenabled = false",
  ]) {
    expect(settings).toContain(part);
  }
  expect(settings.match(/\[checks\./g)).toHaveLength(1);
  expect(settingsOf("chains", "t", known, falseAlarms)).toContain(
    '"path.eventId" = { dictionary = "events", probability = 0.3 }',
  );
});
