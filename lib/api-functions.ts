/** The functions behind the routes of the API, made of the declarations in `lambda/api/<name>/function.ts`. */
import type { Construct } from "constructs";
import { apiFunctions } from "#api/functions.ts";
import type { FunctionName } from "./entries.ts";
import { ClubFunction } from "./function.ts";
import type { GatewayRoute } from "./http-api.ts";
import { type Declared, idOf, letUse, propsOf, type Resources } from "./resources.ts";

/** What every function of the API reads. */
const ofAll = ["ADMIN_EMAIL_DOMAIN", "VERIFIED_EMAIL_ONLY"] as const;

/**
 * Creates the function of each capability, under its own name in the scope; that of the pages where the stage hosts them.
 * @param routes by the capability's name
 * @param tokens issuer and audience of the tokens that the gateway accepts
 */
export function addApiFunctions(
  scope: Construct,
  resources: Resources,
  routes: Readonly<Record<string, readonly GatewayRoute[]>>,
  tokens: { readonly issuer: string; readonly audience: string },
): Readonly<Record<string, ClubFunction>> {
  const declarations: Readonly<Record<string, Declared>> = apiFunctions;
  const all = Object.entries(declarations).filter(([name]) => name !== "pages" || resources.pagesUrl !== undefined);
  const added = all.map(([name, declared]) => {
    // It verifies the tokens that are sent to routes which the stage makes public.
    const setting = routes[name]?.find(({ publicWith }) => publicWith && resources.stage[publicWith])?.publicWith;
    const { environment, ...props } = propsOf(
      name as FunctionName,
      // The larger share of a CPU halves the cold start. Shorter runs make up for the price.
      { memory: 512, ...declared, settings: [...ofAll, ...(declared.settings ?? [])] },
      resources,
    );
    const one = new ClubFunction(scope, idOf(name, declared), {
      ...props,
      environment: {
        ...environment,
        ...(setting && { PUBLIC_ROUTES: setting, TOKEN_ISSUER: tokens.issuer, TOKEN_AUDIENCE: tokens.audience }),
      },
    });
    return [name, letUse(one, declared, resources)] as const;
  });
  return Object.fromEntries(added);
}
