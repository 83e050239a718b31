/** Small edits of production's template that CloudFormation would carry out, and that void, expose, silence or lose something. */
import { ofType, type StageTemplate } from "./stage-templates.ts";
import { add, change, type Edit, found, idOf, type Properties, without } from "./template-edits.ts";

const [anyone, https] = [{ AWS: "*" }, "https://app.club.example"];
const onTable = ({ PolicyDocument }: Properties) =>
  PolicyDocument.Statement.find((statement: unknown) => JSON.stringify(statement).includes('"dynamodb:'));
const allowed = ({ PolicyDocument }: Properties) =>
  PolicyDocument.Statement.find(({ Effect }: { Effect: string }) => Effect === "Allow");

/** By what would happen: the edit, and the beginning of the name by which a person may accept it. */
export const dangerousEdits: Readonly<Record<string, readonly [Edit, RegExp]>> = {
  // Lost or void
  "every ticket is void": [
    change("SecretsManager::Secret", /./, ({ GenerateSecretString }) => {
      GenerateSecretString.PasswordLength = 32;
    }),
    /^TicketKey\w*\.GenerateSecretString$/,
  ],
  "banners expire": [
    change("S3::Bucket", /./, ({ LifecycleConfiguration }) => {
      LifecycleConfiguration.Rules.push({ Status: "Enabled", ExpirationInDays: 30 });
    }),
    /^Images\w+\.LifecycleConfiguration$/,
  ],
  "the archive keeps a day": [
    change("Events::Archive", /./, (archive) => {
      archive.RetentionDays = 1;
    }),
    /\.RetentionDays$/,
  ],
  "the archive keeps some messages": [
    change("Events::Archive", /./, ({ EventPattern }) => {
      EventPattern["detail-type"] = ["registration.created"];
    }),
    /\.EventPattern$/,
  ],
  "failed mails are gone after a minute": [
    change("SQS::Queue", /^MailFailures/, (queue) => {
      queue.MessageRetentionPeriod = 60;
    }),
    /^MailFailures\w+\.MessageRetentionPeriod$/,
  ],
  "failed mails are kept four days, AWS's default": [
    change("SQS::Queue", /^MailFailures/, (queue) => {
      delete queue.MessageRetentionPeriod;
    }),
    /^MailFailures\w+\.MessageRetentionPeriod$/,
  ],
  "a mail that fails is tried without end": [
    change("SQS::Queue", /^MailQueue/, (queue) => {
      delete queue.RedrivePolicy;
    }),
    /^MailQueue\w+\.RedrivePolicy$/,
  ],
  "a mail is sent again while it is being sent": [
    change("SQS::Queue", /^MailQueue/, (queue) => {
      queue.VisibilityTimeout = 1;
    }),
    /^MailQueue\w+\.VisibilityTimeout$/,
  ],
  "logs are kept a day": [
    change("Logs::LogGroup", /^RelayLogs/, (group) => {
      group.RetentionInDays = 1;
    }),
    /^RelayLogs\w+\.RetentionInDays$/,
  ],
  "requests leave no log": [
    change("ApiGatewayV2::Stage", /./, (stage) => {
      delete stage.AccessLogSettings;
    }),
    /\.AccessLogSettings$/,
  ],
  "the next deploy may delete the table's name": [
    (template) => {
      (found(template, "DynamoDB::Table", /./)[1] as { UpdateReplacePolicy?: string }).UpdateReplacePolicy = "Delete";
    },
    /\.UpdateReplacePolicy$/,
  ],
  "records that end are kept for good": [
    change("DynamoDB::Table", /./, ({ TimeToLiveSpecification }) => {
      TimeToLiveSpecification.Enabled = false;
    }),
    /\.TimeToLiveSpecification$/,
  ],
  "a rush is refused by the table": [
    change("DynamoDB::Table", /./, (table) => {
      table.OnDemandThroughput = { MaxReadRequestUnits: 10, MaxWriteRequestUnits: 10 };
    }),
    /\.OnDemandThroughput$/,
  ],
  "capacity is paid by the hour": [
    change("DynamoDB::Table", /./, (table) => {
      table.BillingMode = "PROVISIONED";
    }),
    /\.BillingMode$/,
  ],
  "the web application does not find the API": [
    ({ Outputs }) => {
      delete Outputs.ApiUrl;
    },
    /^Outputs\.ApiUrl$/,
  ],
  // Silenced
  "an alarm is gone": [without("CloudWatch::Alarm", /People get errors/), /^Monitoring\w*apiErrors/],
  "an alarm rings nowhere": [
    change("CloudWatch::Alarm", /People get errors/, (alarm) => {
      alarm.AlarmActions = [];
    }),
    /\.AlarmActions$/,
  ],
  "an alarm is off": [
    change("CloudWatch::Alarm", /People get errors/, (alarm) => {
      alarm.ActionsEnabled = false;
    }),
    /\.ActionsEnabled$/,
  ],
  "an alarm rings at a million": [
    change("CloudWatch::Alarm", /People get errors/, (alarm) => {
      alarm.Threshold = 1_000_000;
    }),
    /\.Threshold$/,
  ],
  "an alarm watches fewer queues": [
    change("CloudWatch::Alarm", /SUPPRESS|queue9/i, (alarm) => {
      alarm.Metrics.pop();
    }),
    /\.Metrics$/,
  ],
  "nobody is told of the costs": [without("Budgets::Budget", /./), /^MonitoringBudget/],
  "the costs may be ten times as high": [
    change("Budgets::Budget", /./, ({ Budget }) => {
      Budget.BudgetLimit.Amount = 400;
    }),
    /\.Budget$/,
  ],
  "the gateway's refusals are not counted": [without("Logs::MetricFilter", /429/), /^MonitoringThrottled/],
  "no mail is sent": [without("Events::Rule", /^MailRule2/), /^MailRule2/],
  "no mail of a rule is sent": [
    change("Events::Rule", /^MailRule2/, (rule) => {
      rule.State = "DISABLED";
    }),
    /^MailRule2\w+\.State$/,
  ],
  "some mails are not sent": [
    change("Events::Rule", /^MailRule2/, ({ EventPattern }) => {
      EventPattern["detail-type"].pop();
    }),
    /^MailRule2\w+\.EventPattern$/,
  ],
  "the sweeper runs once a day": [
    change("Events::Rule", /rate\(/, (rule) => {
      rule.ScheduleExpression = "rate(1 day)";
    }),
    /\.ScheduleExpression$/,
  ],
  "nothing is relayed": [
    change("Lambda::EventSourceMapping", /^RelayStream/, (mapping) => {
      mapping.Enabled = false;
    }),
    /^RelayStream\w+\.Enabled$/,
  ],
  "what the relay gives up is lost": [
    change("Lambda::EventSourceMapping", /^RelayStream/, (mapping) => {
      delete mapping.DestinationConfig;
    }),
    /^RelayStream\w+\.DestinationConfig$/,
  ],
  "nothing reads a queue": [without("Lambda::EventSourceMapping", /^MailLater/), /^MailLater/],
  "a queue takes nothing": [without("SQS::QueuePolicy", /^MailQueue/), /^MailQueue/],
  "the sweeper may not run": [without("Lambda::Permission", /Sweeper/), /Sweeper/],
  "a function may do nothing": [without("IAM::Policy", /^Registrations/), /^Registrations/],
  "a function never runs": [
    change("Lambda::Function", /^Registrations/, (lambda) => {
      lambda.ReservedConcurrentExecutions = 0;
    }),
    /\.ReservedConcurrentExecutions$/,
  ],
  "a function has a second": [
    change("Lambda::Function", /^Registrations/, (lambda) => {
      lambda.Timeout = 1;
    }),
    /\.Timeout$/,
  ],
  "a route is gone": [without("ApiGatewayV2::Route", /"POST \/registrations"/), /Route|registrations/i],
  "the gateway lets ten requests a second in": [
    change("ApiGatewayV2::Stage", /./, (stage) => {
      stage.DefaultRouteSettings.ThrottlingRateLimit = 10;
    }),
    /\.DefaultRouteSettings$/,
  ],
  // Open
  "the door's routes have no limit": [
    change("ApiGatewayV2::Stage", /./, (stage) => {
      stage.RouteSettings = {};
    }),
    /\.RouteSettings$/,
  ],
  "a route is public": [
    change("ApiGatewayV2::Route", /"GET \/members/, (route) => {
      route.AuthorizationType = "NONE";
      delete route.AuthorizerId;
    }),
    /\.AuthorizationType$/,
  ],
  "a new route is public": [
    add("Open", "ApiGatewayV2::Route", (template) => ({
      ApiId: { Ref: idOf(template, "ApiGatewayV2::Api") },
      AuthorizationType: "NONE",
      RouteKey: "GET /everything",
      Target: found(template, "ApiGatewayV2::Route", /./)[1].Properties.Target,
    })),
    /^Open\.AuthorizationType$/,
  ],
  "another pool's tokens count": [
    change("ApiGatewayV2::Authorizer", /./, ({ JwtConfiguration }) => {
      JwtConfiguration.Issuer = "https://cognito-idp.us-east-1.amazonaws.com/us-east-1_other";
    }),
    /\.JwtConfiguration$/,
  ],
  "every origin may call": [
    change("ApiGatewayV2::Api", /./, ({ CorsConfiguration }) => {
      CorsConfiguration.AllowOrigins = ["*"];
    }),
    /\.CorsConfiguration$/,
  ],
  "another domain's people are admins": [
    change("Lambda::Function", /^Events/, ({ Environment }) => {
      Environment.Variables.ADMIN_EMAIL_DOMAIN = "gmail.com";
    }),
    /\.Environment$/,
  ],
  "a function has every right on the table": [
    change("IAM::Policy", /^Prizes/, (policy) => {
      onTable(policy).Action = "dynamodb:*";
    }),
    /\.PolicyDocument$/,
  ],
  "a function may delete the table": [
    change("IAM::Policy", /^Prizes/, (policy) => {
      onTable(policy).Action = ["dynamodb:GetItem", "dynamodb:DeleteTable"];
    }),
    /\.PolicyDocument$/,
  ],
  "a function reads every secret": [
    change("IAM::Policy", /secretsmanager:GetSecretValue/, ({ PolicyDocument }) => {
      PolicyDocument.Statement.push({ Effect: "Allow", Action: "secretsmanager:GetSecretValue", Resource: "*" });
    }),
    /\.PolicyDocument$/,
  ],
  "a role is anybody's": [
    change("IAM::Role", /^Registrations/, ({ AssumeRolePolicyDocument }) => {
      AssumeRolePolicyDocument.Statement.push({ Effect: "Allow", Action: "sts:AssumeRole", Principal: anyone });
    }),
    /\.AssumeRolePolicyDocument$/,
  ],
  "a role is an administrator": [
    change("IAM::Role", /^Registrations/, (role) => {
      role.ManagedPolicyArns = ["arn:aws:iam::aws:policy/AdministratorAccess"];
    }),
    /\.ManagedPolicyArns$/,
  ],
  "anybody calls a function": [
    add("Anybody", "Lambda::Permission", (template) => ({
      Action: "lambda:InvokeFunction",
      FunctionName: { "Fn::GetAtt": [idOf(template, "Lambda::Function"), "Arn"] },
      Principal: "*",
    })),
    /^Anybody\./,
  ],
  "every account's gateway calls a function": [
    change("Lambda::Permission", /apigateway/, (permission) => {
      delete permission.SourceArn;
    }),
    /\.SourceArn$/,
  ],
  "a function has an address of its own": [
    add("Address", "Lambda::Url", (template) => ({
      AuthType: "NONE",
      TargetFunctionArn: { Ref: idOf(template, "Lambda::Function") },
    })),
    /^Address$/,
  ],
  "all images are public": [
    change("S3::BucketPolicy", /./, ({ PolicyDocument }) => {
      for (const statement of PolicyDocument.Statement.filter(({ Sid }: { Sid?: string }) => Sid === "PublicImages"))
        statement.Resource["Fn::Join"][1][1] = "/*";
    }),
    /\.PolicyDocument$/,
  ],
  "anybody stores images": [
    change("S3::BucketPolicy", /./, ({ PolicyDocument }) => {
      PolicyDocument.Statement.push({ Effect: "Allow", Action: "s3:PutObject", Principal: anyone, Resource: "*" });
    }),
    /\.PolicyDocument$/,
  ],
  "access lists make images public": [
    change("S3::Bucket", /./, (bucket) => {
      bucket.PublicAccessBlockConfiguration.BlockPublicAcls = false;
    }),
    /\.PublicAccessBlockConfiguration$/,
  ],
  "anybody writes into a queue": [
    change("SQS::QueuePolicy", /^MailQueue/, (policy) => {
      allowed(policy).Principal = anyone;
      delete allowed(policy).Condition;
    }),
    /\.PolicyDocument$/,
  ],
  "every account's events fill a queue": [
    change("SQS::QueuePolicy", /^MailQueue/, (policy) => {
      delete allowed(policy).Condition;
    }),
    /\.PolicyDocument$/,
  ],
  "messages travel unencrypted": [
    change("SQS::QueuePolicy", /^MailQueue/, ({ PolicyDocument }) => {
      PolicyDocument.Statement = PolicyDocument.Statement.filter(({ Effect }: { Effect: string }) => Effect !== "Deny");
    }),
    /\.PolicyDocument$/,
  ],
  "a queue is not encrypted": [
    change("SQS::Queue", /^MailQueue/, (queue) => {
      queue.SqsManagedSseEnabled = false;
    }),
    /\.SqsManagedSseEnabled$/,
  ],
  "short passwords are taken": [
    change("Cognito::UserPool", /./, ({ Policies }) => {
      Policies.PasswordPolicy.MinimumLength = 6;
    }),
    /\.Policies$/,
  ],
  "an address is nobody's proof": [
    change("Cognito::UserPool", /./, (pool) => {
      pool.AutoVerifiedAttributes = [];
    }),
    /\.AutoVerifiedAttributes$/,
  ],
  "sign-ups are not looked at": [
    change("Cognito::UserPool", /./, (pool) => {
      pool.LambdaConfig = {};
    }),
    /\.LambdaConfig$/,
  ],
  "a client signs in without a proof": [
    change("Cognito::UserPoolClient", /./, ({ ExplicitAuthFlows }) => {
      ExplicitAuthFlows.push("ALLOW_CUSTOM_AUTH");
    }),
    /\.ExplicitAuthFlows$/,
  ],
  "codes go to another site": [
    change("Cognito::UserPoolClient", /./, ({ CallbackURLs }) => {
      CallbackURLs.push("http://app.club.example");
    }),
    /\.CallbackURLs$/,
  ],
  "a type that nobody knows comes": [add("User", "IAM::User", () => ({})), /^User$/],
  "production is told a test's bootstrap": [
    (template) => {
      Object.assign(template, { Conditions: { Never: { "Fn::Equals": ["a", "b"] } } });
    },
    /^Template\.Conditions$/,
  ],
  "a resource depends on a condition": [
    (template) => {
      Object.assign(found(template, "SQS::Queue", /^MailQueue/)[1], { Condition: "Never" });
    },
    /^MailQueue\w+\.Condition$/,
  ],
};

/** Copies what begins with a name, with references to it, and without rights on secrets. */
function copied({ Resources }: StageTemplate, from: string, to: string): void {
  for (const [id, resource] of Object.entries(Resources).filter(([name]) => name.startsWith(from))) {
    const copy = JSON.parse(JSON.stringify(resource).replaceAll(`"${from}`, `"${to}`));
    const document = copy.Properties.PolicyDocument;
    if (copy.Type === "AWS::IAM::Policy")
      document.Statement = document.Statement.filter((one: unknown) => !JSON.stringify(one).includes("secretsmanager"));
    Resources[id.replace(from, to)] = copy;
  }
}

/** What an ordinary month brings. */
export const ordinaryEdits: Readonly<Record<string, Edit>> = {
  "new code": (template) => {
    for (const [, { Properties }] of ofType(template, "AWS::Lambda::Function")) Properties.Code.S3Key = "other.zip";
  },
  "a larger function with more time": change("Lambda::Function", /^Registrations/, (lambda) => {
    Object.assign(lambda, { MemorySize: 2_048, Timeout: 29, Description: "Other" });
  }),
  "Node 24": change("Lambda::Function", /^Registrations/, (lambda) => {
    lambda.Runtime = "nodejs24.x";
  }),
  "another price": change("Lambda::Function", /^Payments/, ({ Environment }) => {
    Environment.Variables.MEMBERSHIP_PRICE = "1600";
  }),
  "a route for signed-in people": (template) => {
    const { Properties } = found(template, "ApiGatewayV2::Route", /"GET \/members/)[1];
    template.Resources.More = {
      Type: "AWS::ApiGatewayV2::Route",
      Properties: { ...Properties, RouteKey: "GET /more" },
    };
  },
  "a route with another id": (template) => {
    const [id, route] = found(template, "ApiGatewayV2::Route", /"POST \/registrations"/);
    delete template.Resources[id];
    template.Resources[`Other${id}`] = route;
  },
  "a consumer that reads one more kind of message": change("Events::Rule", /^MailRule2/, ({ EventPattern }) => {
    EventPattern["detail-type"].push("payment.more");
  }),
  "a new consumer with its alarms": (template) => {
    copied(template, "Chat", "More");
    const queue = idOf(template, "SQS::Queue", /^MoreFailures/);
    change("CloudWatch::Alarm", /ChatFailures/, ({ Metrics: [{ Expression }] }) => {
      Expression["Fn::Join"][1].push(" OR QueueName = '", { "Fn::GetAtt": [queue, "QueueName"] }, "'");
    })(template);
    change("CloudWatch::Alarm", /ChatQueue/, ({ Metrics }) => {
      const waiting = Metrics.find((metric: unknown) => JSON.stringify(metric).includes("ChatQueue"));
      Metrics.push({ ...JSON.parse(JSON.stringify(waiting).replace("ChatQueue", "MoreQueue")), Id: "queue10" });
      Metrics[0].Expression = Metrics[0].Expression.replace("])", ", FILL(queue10, 0) / 900])");
    })(template);
  },
  "a new function with routes": (template) => {
    copied(template, "Feedback", "Survey");
    copied(template, "Apifeedback", "Apisurvey");
    const [, route] = found(template, "ApiGatewayV2::Route", /"POST \/registrations"/);
    const integration = idOf(template, "ApiGatewayV2::Integration", /^Apisurvey/);
    const Target = { "Fn::Join": ["", ["integrations/", { Ref: integration }]] };
    const Properties = { ...route.Properties, RouteKey: "POST /survey", Target };
    template.Resources.ApiPOSTsurvey = { ...route, Properties };
    change("ApiGatewayV2::Stage", /./, ({ RouteSettings }) => {
      RouteSettings["POST /survey"] = { ThrottlingRateLimit: 30, ThrottlingBurstLimit: 60 };
    })(template);
  },
  "a right that other functions have": change("IAM::Policy", /^Prizes/, ({ PolicyDocument }) => {
    const { Resource } = PolicyDocument.Statement.find((one: Properties) => /dynamodb/.test(JSON.stringify(one)));
    PolicyDocument.Statement.push({ Effect: "Allow", Action: "dynamodb:UpdateItem", Resource });
  }),
  "a new alarm": (template) => {
    const alarm = structuredClone(found(template, "CloudWatch::Alarm", /People get errors/)[1]);
    alarm.Properties.AlarmName = "More";
    template.Resources.MoreAlarm = alarm;
  },
  "an alarm that watches one more queue": change(
    "CloudWatch::Alarm",
    /FailuresD9E809F0|BooksFailures/,
    ({ Metrics }) => {
      const [parts] = [Metrics[0].Expression["Fn::Join"][1]];
      parts.push(" OR QueueName = '", { "Fn::GetAtt": ["MoreQueue", "QueueName"] }, "'");
    },
  ),
  "longer logs and a longer archive": (template) => {
    change("Logs::LogGroup", /^RelayLogs/, (group) => Object.assign(group, { RetentionInDays: 365 }))(template);
    change("Events::Archive", /./, (archive) => Object.assign(archive, { RetentionDays: 365 }))(template);
  },
  "a second web application": (template) => {
    change("ApiGatewayV2::Api", /./, ({ CorsConfiguration }) => CorsConfiguration.AllowOrigins.push(`${https}.org`))(
      template,
    );
    change("Cognito::UserPoolClient", /./, ({ CallbackURLs }) => CallbackURLs.push(`${https}.org`))(template);
  },
  "another text of the code's mail": change("Cognito::UserPool", /./, (pool) => {
    Object.assign(pool, { EmailVerificationMessage: "{####}", EmailVerificationSubject: "Your code" });
  }),
  "another page of figures": change("CloudWatch::Dashboard", /./, (dashboard) => {
    dashboard.DashboardBody = "{}";
  }),
  "one more output": ({ Outputs }) => {
    Outputs.More = { Value: "more" };
  },
  "another path in the metadata": (template) => {
    for (const resource of Object.values(template.Resources))
      Object.assign(resource, { Metadata: { "aws:cdk:path": "x" } });
  },
};
