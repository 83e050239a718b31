/** Which routes of a template take no token, and which of these have no limit of their own. */
import { ofType, type StageTemplate, type TemplateResource, textOf, theOnly } from "./stage-templates.ts";

/** The only routes that take no token. */
export const publicRoutes = [
  "GET /calendar/{feed}",
  "HEAD /calendar/{feed}",
  "POST /registrations/check-in/scans",
  "GET /events/{eventId}/{year}/door",
  "POST /events/{eventId}/{year}/door/devices",
  "GET /events/{eventId}/{year}/door/search",
  "GET /events/getActiveEvent",
  "GET /links/feedback",
  "POST /links/feedback",
  "GET /event/{eventId}/{year}",
  "HEAD /event/{eventId}/{year}",
  "POST /payments/webhook",
  "POST /links/registration/payments",
  "POST /events/{eventId}/{year}/guests",
  "PUT /links/registration",
  "GET /links/registration",
  "GET /links/guest",
  "POST /links/registration",
  "POST /links/guest",
  "POST /links",
  "POST /links/new-email",
  "POST /links/erasure",
  "GET /links/export",
  "GET /links/erasure",
];

export const routeType = "AWS::ApiGatewayV2::Route";

/** Whether the route only lets through tokens of the stage's authorizer. */
export function hasAuthorizer(template: StageTemplate, { Properties }: TemplateResource): boolean {
  const authorizer = Properties.AuthorizerId && template.Resources[Properties.AuthorizerId.Ref];
  return Properties.AuthorizationType === "JWT" && authorizer?.Type === "AWS::ApiGatewayV2::Authorizer";
}

export const openRoutes = (template: StageTemplate): string[] =>
  ofType(template, routeType)
    .filter(([, route]) => !hasAuthorizer(template, route))
    .map(([, { Properties }]) => Properties.RouteKey);

/** Routes without a token that share the requests of all others, or that the stage does not wait for. */
export function unlimited(template: StageTemplate): string[] {
  const { Properties, DependsOn } = theOnly(template, "AWS::ApiGatewayV2::Stage") as TemplateResource & {
    DependsOn?: string[];
  };
  return openRoutes(template).flatMap((key) => {
    const settings = Properties.RouteSettings?.[key];
    const [id = ""] = ofType(template, routeType).find(([, route]) => route.Properties.RouteKey === key) ?? [];
    const isLimited =
      settings?.ThrottlingRateLimit < Properties.DefaultRouteSettings.ThrottlingRateLimit &&
      settings?.ThrottlingBurstLimit < Properties.DefaultRouteSettings.ThrottlingBurstLimit &&
      settings?.DetailedMetricsEnabled === Properties.DefaultRouteSettings.DetailedMetricsEnabled;
    return isLimited && DependsOn?.includes(id) ? [] : [key];
  });
}

/** What the tokens of the authorizer have to say. */
export function tokensOf(template: StageTemplate): object {
  const { AuthorizerType, JwtConfiguration, IdentitySource } = theOnly(
    template,
    "AWS::ApiGatewayV2::Authorizer",
  ).Properties;
  const { Issuer, Audience } = JwtConfiguration;
  return { type: AuthorizerType, from: IdentitySource, issuer: textOf(Issuer), audience: Audience.map(textOf) };
}
