/** The answers of GitHub, as far as they are read here. */

/** https://docs.github.com/en/rest/repos/repos#get-a-repository */
export interface Repository {
  readonly id: number;
  readonly full_name: string;
  readonly private: boolean;
  readonly owner: { readonly id: number };
}

/** https://docs.github.com/en/rest/actions/oidc#get-the-customization-template-for-an-oidc-subject-claim-for-a-repository */
export interface SubjectTemplate {
  readonly use_default: boolean;
  readonly use_immutable_subject?: boolean;
  readonly sub_claim_prefix?: string;
}

/** https://docs.github.com/en/rest/deployments/environments#get-an-environment */
export interface DeploymentEnvironment {
  readonly protection_rules?: readonly { readonly type: string; readonly reviewers?: readonly unknown[] }[];
  /** null: every branch may deploy. */
  readonly deployment_branch_policy: { readonly custom_branch_policies: boolean } | null;
}

/** https://docs.github.com/en/rest/deployments/branch-policies#list-deployment-branch-policies */
export interface BranchPolicies {
  readonly branch_policies: readonly { readonly name: string; readonly type?: "branch" | "tag" }[];
}

/** https://docs.github.com/en/rest/repos/rules#get-rules-for-a-branch */
export interface BranchRule {
  readonly type: string;
  readonly parameters?: {
    readonly required_approving_review_count?: number;
    readonly required_status_checks?: readonly { readonly context: string }[];
  };
}

/** https://docs.github.com/en/rest/branches/branch-protection#get-branch-protection */
export interface BranchProtection {
  readonly required_pull_request_reviews?: { readonly required_approving_review_count?: number };
  readonly required_status_checks?: { readonly contexts: readonly string[] };
}

/** https://docs.github.com/en/rest/repos/repos#list-codeowners-errors */
export interface CodeOwners {
  readonly errors: readonly { readonly kind: string; readonly line: number }[];
}

/** https://docs.github.com/en/rest/actions/workflows#list-repository-workflows */
export interface Workflows {
  readonly workflows: readonly { readonly path: string; readonly state: string }[];
}
