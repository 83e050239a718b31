/** How GitHub deploys: its identity provider and the roles of its workflows (docs/deploy.md, "Continuous delivery"). */
import { Stack, type StackProps } from "aws-cdk-lib";
import {
  type IOidcProvider,
  ManagedPolicy,
  OidcProviderNative,
  PolicyDocument,
  PolicyStatement,
  type PolicyStatementProps,
  Role,
  WebIdentityPrincipal,
} from "aws-cdk-lib/aws-iam";
import type { Construct } from "constructs";
import type { StageConfig } from "../stages.ts";
import { boundaryStatements, changesStatements, deployStatements, driftStatements } from "./permissions.ts";

export interface DeliveryProps extends StackProps {
  /** `DeliveryConfig.gitHub` of lib/stages.ts. */
  readonly gitHub: string;
  /** The stages that are deployed to this account. */
  readonly stages: readonly StageConfig[];
  /** Whether the account has GitHub's identity provider already: an account has it once. */
  readonly hasProvider: boolean;
}

const host = "token.actions.githubusercontent.com";

/**
 * The subject of a job with an environment does not name the branch, and a private repository may have no rules for its
 * environments. AWS compares the claim of the branch, which every token has, since January 2026.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_iam-condition-keys.html#condition-keys-wif
 * https://aws.amazon.com/about-aws/whats-new/2026/01/aws-sts-supports-validation-identity-provider-claims/
 * https://docs.github.com/en/actions/concepts/security/openid-connect#understanding-the-oidc-token
 */
const onlyMain = { [`${host}:ref`]: "refs/heads/main" };

export class DeliveryStack extends Stack {
  private readonly gitHub: string;
  private readonly provider: IOidcProvider;

  constructor(scope: Construct, id: string, { gitHub, stages, hasProvider, ...props }: DeliveryProps) {
    super(scope, id, { description: "Club events: how GitHub deploys them", terminationProtection: true, ...props });
    this.gitHub = gitHub;
    this.provider = hasProvider
      ? OidcProviderNative.fromOidcProviderArn(this, "GitHub", `arn:aws:iam::${this.account}:oidc-provider/${host}`)
      : new OidcProviderNative(this, "GitHub", { url: `https://${host}`, clientIds: ["sts.amazonaws.com"] });
    const names = stages.map(({ name }) => name);
    this.addRole("changes", "pull_request", changesStatements(names, this));
    this.addRole("drift", "ref:refs/heads/main", driftStatements());
    if (names.includes("production")) {
      new ManagedPolicy(this, "KeepData", {
        managedPolicyName: "club-events-keep-data",
        description: "Club events: what CloudFormation may do at most",
        statements: boundaryStatements(this).map((statement) => new PolicyStatement(statement)),
      });
    }
    for (const stage of stages) {
      this.addRole(`deploy-${stage.name}`, `environment:${stage.name}`, deployStatements(stage, this), onlyMain);
    }
  }

  /**
   * A role for one kind of run. The token's subject is compared exactly.
   * https://docs.github.com/en/actions/reference/security/oidc
   *
   * @param claims further claims of the token, by their condition keys
   */
  private addRole(
    name: string,
    run: string,
    statements: readonly PolicyStatementProps[],
    claims: Readonly<Record<string, string>> = {},
  ): void {
    new Role(this, name, {
      roleName: `club-events-${name}`,
      description: `Club events: ${name}, for runs of ${this.gitHub}`,
      assumedBy: new WebIdentityPrincipal(this.provider.oidcProviderArn, {
        StringEquals: {
          [`${host}:aud`]: "sts.amazonaws.com",
          [`${host}:sub`]: `repo:${this.gitHub}:${run}`,
          ...claims,
        },
      }),
      inlinePolicies: {
        [name]: new PolicyDocument({ statements: statements.map((statement) => new PolicyStatement(statement)) }),
      },
    });
  }
}
