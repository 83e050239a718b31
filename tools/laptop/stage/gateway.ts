/** Starts the API: gateway, token check, access log, the laptop's own pages; and leads the payment webhook to it. */
import { pageAssets } from "../../../lib/page-assets.ts";
import { type LocalFunctions, variableOf } from "../functions/index.ts";
import { apiId, type LocalHttpApi, startHttpApi, type VerifierFactory } from "../http-api/index.ts";
import { startManagement } from "../http-api/management.ts";
import { createTokenVerifier, type IdentityService } from "../identity/index.ts";
import { apiBehind, type HostedPages } from "../pages/static-pages.ts";
import type { SeededAccount } from "../service-kit/outputs.ts";
import { pagesOf } from "./own-pages.ts";
import type { StageServices } from "./services.ts";
import type { StageSetup } from "./setup.ts";

/** @param accounts those that the own pages give tokens for */
export async function startGateway(
  { options, template, ports, log, requests, activity, permissions, started }: StageSetup,
  services: StageServices,
  functions: LocalFunctions,
  accounts: readonly SeededAccount[],
): Promise<LocalHttpApi & { readonly managementUrl: string }> {
  const { identity, payments } = services;
  const hosted = hostedPages(variableOf(template, "PAGES") ?? "{}", services);
  const api = started.add(
    await startHttpApi({
      port: ports.api,
      template,
      functions,
      verifier: verifierOf(identity),
      errorCors: options.errorCors,
      observer: requests,
      pages: pagesOf({ template, requests, log, activity }, services, accounts, hosted),
      edge: apiBehind(hosted),
    }),
  );
  // The payment provider calls the API: it stops before the API does.
  started.add(payments);
  payments.deliverTo(`${api.url}/payments/webhook`);
  const management = started.add(
    await startManagement({
      port: ports.gateway,
      region: template.place.region,
      apiId,
      stageName: template.theOnly("AWS::ApiGatewayV2::Stage").get("StageName"),
      limits: api.limits,
      authorize: permissions.authorize,
    }),
  );
  return { ...api, managementUrl: management.url };
}

/** @param told what the function of the pages is told */
function hostedPages(told: string, { identity, bucket }: StageServices): HostedPages {
  const { settings } = JSON.parse(told) as Pick<HostedPages, "settings">;
  const neighbours = { images: new URL(bucket.url).origin, identity: [new URL(identity.url).origin] };
  return { settings: { ...settings, identityUrl: identity.url }, assets: pageAssets(), neighbours };
}

/** Trusts the tokens of the local user pool, and of no other issuer. */
const verifierOf =
  (identity: IdentityService): VerifierFactory =>
  ({ Issuer, Audience }) => {
    if (Issuer !== identity.issuer) throw new Error(`Nothing local issues tokens as ${Issuer}.`);
    return createTokenVerifier({ issuer: Issuer, audience: Audience, jwks: identity.jwks });
  };
