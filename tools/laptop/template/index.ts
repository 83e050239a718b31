/** The synthesized CloudFormation template that the local stage runs, with its intrinsic functions resolved. */
import { readFile } from "node:fs/promises";
import { basename, dirname, resolve as resolvePath } from "node:path";
import { resolveIntrinsics, TemplateProblem } from "./intrinsics.ts";
import type { ResourceProperties } from "./resources.ts";

/** The values that CloudFormation knows after it has created a resource. */
export interface ResourceValues {
  /** Value of `Ref`. */
  readonly ref: string;
  /** Values of `Fn::GetAtt` by attribute name, for example `Arn`. */
  readonly attributes?: Readonly<Record<string, string>>;
}

/** Region, account and name that the stack pretends to have. */
export interface StackPlace {
  readonly region: string;
  readonly accountId: string;
  readonly stackName: string;
}

/** A resource of a known type. */
export interface Resource<Type extends keyof ResourceProperties = keyof ResourceProperties> {
  readonly logicalId: string;
  readonly type: Type;
  /** A property with its intrinsic functions resolved; undefined when the template does not have the property. */
  get<Name extends keyof ResourceProperties[Type]>(name: Name): ResourceProperties[Type][Name];
  /** All properties, resolved. */
  all(): ResourceProperties[Type];
}

interface TemplateDocument {
  readonly Resources: Readonly<Record<string, { readonly Type: string; readonly Properties?: object }>>;
  readonly Parameters?: Readonly<Record<string, { readonly Default?: unknown }>>;
}

export { TemplateProblem };

interface AssetManifest {
  readonly files: Readonly<
    Record<string, { readonly source: { readonly path?: string; readonly packaging?: string } }>
  >;
}

export class Template {
  readonly place: StackPlace;
  private readonly document: TemplateDocument;
  /** Absolute folders of the assets, by content hash. */
  private readonly assets: ReadonlyMap<string, string>;
  private readonly values = new Map<string, ResourceValues>();

  constructor(document: object, place: StackPlace, assets: ReadonlyMap<string, string> = new Map()) {
    this.document = document as TemplateDocument;
    this.place = place;
    this.assets = assets;
  }

  /** Sets name and attributes of a resource, before anything that refers to the resource is read. */
  provide(logicalId: string, values: ResourceValues): void {
    this.values.set(logicalId, values);
  }

  /** Resources of one type, in the order of the template. */
  resourcesOf<Type extends keyof ResourceProperties>(type: Type): Resource<Type>[] {
    return Object.entries(this.document.Resources)
      .filter(([, resource]) => resource.Type === type)
      .map(([logicalId]) => this.resource(logicalId, type));
  }

  /** The only resource of a type. @throws TemplateProblem when there is none or more than one. */
  theOnly<Type extends keyof ResourceProperties>(type: Type): Resource<Type> {
    const [first, ...more] = this.resourcesOf(type);
    if (!first || more.length > 0) {
      throw new TemplateProblem(
        `The template has ${more.length + (first ? 1 : 0)} resources of type ${type}, not one.`,
      );
    }
    return first;
  }

  /** Folder of an asset by its S3 key in the template. @throws TemplateProblem when there is no such asset. */
  assetFolder(s3Key: string): string {
    const folder = this.assets.get(basename(s3Key, ".zip"));
    if (!folder) throw new TemplateProblem(`The asset manifest has no asset ${s3Key}.`);
    return folder;
  }

  /** A name like those that CloudFormation generates, but always the same. */
  physicalName(logicalId: string): string {
    return `${this.place.stackName}-${logicalId}`;
  }

  /** ARN in this account and region. `resource` includes the type prefix of the service. */
  arn(service: string, resource: string): string {
    return `arn:aws:${service}:${this.place.region}:${this.place.accountId}:${resource}`;
  }

  private resource<Type extends keyof ResourceProperties>(logicalId: string, type: Type): Resource<Type> {
    const raw = (this.document.Resources[logicalId]?.Properties ?? {}) as Record<string, unknown>;
    const path = `Resources.${logicalId}.Properties`;
    type Properties = ResourceProperties[Type];
    return {
      logicalId,
      type,
      get: (name) => this.resolve(raw[String(name)], `${path}.${String(name)}`) as Properties[typeof name],
      all: () => this.resolve(raw, path) as Properties,
    };
  }

  private resolve(value: unknown, path: string): unknown {
    return resolveIntrinsics(value, path, {
      ref: (name, place) => this.ref(name, place),
      attribute: (logicalId, attribute, place) => this.attribute(logicalId, attribute, place),
    });
  }

  private ref(name: string, path: string): unknown {
    const { region, accountId, stackName } = this.place;
    const pseudo: Record<string, unknown> = {
      "AWS::AccountId": accountId,
      "AWS::NoValue": undefined,
      "AWS::Partition": "aws",
      "AWS::Region": region,
      "AWS::StackName": stackName,
      "AWS::URLSuffix": "amazonaws.com",
    };
    if (name in pseudo) return pseudo[name];
    const known = this.values.get(name);
    if (known) return known.ref;
    const parameter = this.document.Parameters?.[name];
    if (parameter?.Default !== undefined) return parameter.Default;
    throw new TemplateProblem(`${path}: nothing local stands for Ref ${name}${this.typeOf(name)}.`);
  }

  private attribute(logicalId: string, attribute: string, path: string): string {
    const value = this.values.get(logicalId)?.attributes?.[attribute];
    if (value !== undefined) return value;
    throw new TemplateProblem(
      `${path}: nothing local stands for Fn::GetAtt ${logicalId}.${attribute}${this.typeOf(logicalId)}.`,
    );
  }

  private typeOf(logicalId: string): string {
    const type = this.document.Resources[logicalId]?.Type;
    return type ? ` (${type})` : "";
  }
}

/** The file of a stack's template in the output folder of the CDK. */
export const templateFile = (assembly: string, { stackName }: Pick<StackPlace, "stackName">): string =>
  resolvePath(assembly, `${stackName}.template.json`);

/**
 * Reads the template of one stack and the folders of its assets, from the output folder of the CDK.
 * @throws TemplateProblem when there is no such template
 */
export async function loadTemplate(assembly: string, place: StackPlace): Promise<Template> {
  const file = templateFile(assembly, place);
  const document = await readJson<TemplateDocument>(file);
  const manifest = await readJson<AssetManifest>(resolvePath(assembly, `${place.stackName}.assets.json`));
  const assets = Object.entries(manifest.files).flatMap(([hash, { source }]) =>
    source.path === undefined ? [] : [[hash, resolvePath(dirname(file), source.path)] as const],
  );
  return new Template(document, place, new Map(assets));
}

async function readJson<T>(file: string): Promise<T> {
  try {
    return JSON.parse(await readFile(file, "utf8")) as T;
  } catch (cause) {
    throw new TemplateProblem(`${file} cannot be read.`, { cause });
  }
}
