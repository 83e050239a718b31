/** The limits of the running stage, which the management API changes. */
import type { RouteSettings, StageProperties } from "../template/resources.ts";
import { createThrottles } from "./throttle.ts";

/** The default, and those of single routes by route key. */
export type Limits = Pick<StageProperties, "DefaultRouteSettings" | "RouteSettings">;

/** Settings name a route that the API lacks, or a route without settings is to lose them. */
export class RouteNotFound extends Error {}

export class StageLimits {
  readonly #routeKeys: ReadonlySet<string>;
  #limits: Limits;
  #mayPass: ReturnType<typeof createThrottles>;

  /** @throws RouteNotFound */
  constructor(limits: Limits, routeKeys: Iterable<string>) {
    this.#routeKeys = new Set(routeKeys);
    this.#assertRoutes(limits);
    this.#limits = limits;
    this.#mayPass = createThrottles(limits);
  }

  get limits(): Limits {
    return this.#limits;
  }

  /** Whether one more request to a route may pass now. */
  mayPass(routeKey: string | undefined): boolean {
    return this.#mayPass(routeKey);
  }

  /**
   * Adds settings; what they do not name stays, routes included, as in UpdateStage
   * (https://github.com/hashicorp/terraform-provider-aws/issues/16094, https://github.com/go-to-k/cdkd/issues/609).
   * Every bucket is full afterwards, and AWS takes some seconds.
   * @throws RouteNotFound
   */
  add({ DefaultRouteSettings, RouteSettings = {} }: Limits): void {
    this.#assertRoutes({ RouteSettings });
    const before = this.#limits;
    const added = Object.entries(RouteSettings).map(([key, settings]): [string, RouteSettings] => [
      key,
      { ...before.RouteSettings?.[key], ...settings },
    ]);
    this.#replace({
      DefaultRouteSettings: { ...before.DefaultRouteSettings, ...DefaultRouteSettings },
      RouteSettings: { ...before.RouteSettings, ...Object.fromEntries(added) },
    });
  }

  /** The route has the default from now on. @throws RouteNotFound */
  remove(routeKey: string): void {
    const { [routeKey]: removed, ...others } = this.#limits.RouteSettings ?? {};
    if (!removed) throw new RouteNotFound(`Unable to find RouteSettings by key ${routeKey}`);
    this.#replace({ ...this.#limits, RouteSettings: others });
  }

  #replace(limits: Limits): void {
    this.#limits = limits;
    this.#mayPass = createThrottles(limits);
  }

  #assertRoutes({ RouteSettings = {} }: Limits): void {
    for (const key of Object.keys(RouteSettings)) {
      if (this.#routeKeys.has(key)) continue;
      throw new RouteNotFound(`Unable to find Route by key ${key} within the provided RouteSettings`);
    }
  }
}
