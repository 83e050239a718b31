/** The templates that `cdk deploy` would ship, synthesized once for all suites of a test file. */
import "aws-cdk-lib/testhelpers/jest-autoclean"; // removes the synthesized folders
import type { App } from "aws-cdk-lib";
import { stackName } from "../../lib/stage-names.ts";
import { localVariables, type StageName } from "../../lib/stages.ts";

export interface TemplateResource {
  readonly Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: CloudFormation properties have a shape per type; tests name what they read
  Properties: any;
  DeletionPolicy?: string;
}

export interface StageTemplate {
  readonly Description?: string;
  readonly Resources: Record<string, TemplateResource>;
  readonly Outputs: Record<string, { readonly Value: unknown }>;
}

/** The application as the CDK's CLI would build it, without what the shell may say about stages, with the local one. */
async function givenApp(): Promise<App> {
  for (const name of ["STAGE", ...localVariables]) delete process.env[name];
  const { clubApp } = await import("../../lib/stack/club-app.ts");
  const { stages } = await import("../stages.ts");
  const { ClubStack } = await import("../../lib/stack/club-stack.ts");
  const app = clubApp({}, stages);
  new ClubStack(app, stackName("local"), { stage: stages.local });
  return app;
}

interface Synthesis {
  /** All stages. Tests must not change it. */
  readonly app: App;
  readonly templates: Readonly<Record<StageName, StageTemplate>>;
}

let synthesis: Promise<Synthesis> | undefined;

/** The application that all suites share, and what each stage would deploy. */
export function givenSynthesis(): Promise<Synthesis> {
  synthesis ??= givenApp().then((app) => {
    const assembly = app.synth();
    const template = (stage: StageName): StageTemplate => assembly.getStackByName(stackName(stage)).template;
    const templates = { production: template("production"), staging: template("staging"), local: template("local") };
    return { app, templates };
  });
  return synthesis;
}

/** What every stage would deploy. */
export const givenTemplates = async (): Promise<Synthesis["templates"]> => (await givenSynthesis()).templates;

export const stageNames: readonly StageName[] = ["production", "staging", "local"];

/** Resources of one type, by logical id. */
export function ofType(template: StageTemplate, type: string): [string, TemplateResource][] {
  return Object.entries(template.Resources).filter(([, resource]) => resource.Type === type);
}

/** The functions that run our code. */
export const ownFunctions = (template: StageTemplate): [string, TemplateResource][] =>
  ofType(template, "AWS::Lambda::Function").filter(([id]) => !id.startsWith("CustomCDKBucketDeployment"));

/** The only resource of its type. */
export function theOnly(template: StageTemplate, type: string): TemplateResource {
  const found = ofType(template, type);
  if (found.length !== 1) throw new Error(`${found.length} resources of type ${type}, not one`);
  return found[0]![1];
}

/** A copy with something changed, to show that a check notices it. */
export function broken(template: StageTemplate, change: (template: StageTemplate) => void): StageTemplate {
  const copy = structuredClone(template);
  change(copy);
  return copy;
}

interface Intrinsic {
  readonly Ref?: string;
  readonly "Fn::GetAtt"?: readonly string[];
  readonly "Fn::Join"?: readonly [string, readonly unknown[]];
  readonly "Fn::Sub"?: string;
}

/** A CloudFormation value as one readable text: `${Table.Arn}/index/GSI1`. */
export function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  const intrinsic = value as Intrinsic;
  if (intrinsic.Ref !== undefined) return `\${${intrinsic.Ref}}`;
  if (intrinsic["Fn::GetAtt"] !== undefined) return `\${${intrinsic["Fn::GetAtt"].join(".")}}`;
  if (intrinsic["Fn::Sub"] !== undefined) return intrinsic["Fn::Sub"];
  const join = intrinsic["Fn::Join"];
  if (join === undefined) throw new Error(`No text for ${JSON.stringify(value)}`);
  return join[1].map(textOf).join(join[0]);
}
