/** The settings of the stage, as the document brings them (`lambda/api/pages/document.ts`). */

export interface Settings {
  /** The base address of the API, without a slash at its end. */
  readonly api: string;
  readonly clubName: string;
  /** An email. */
  readonly contact: string;
  /** IANA name. */
  readonly timeZone: string;
  /** ISO 4217. */
  readonly currency: string;
  readonly colours: { readonly accent?: string };
  readonly publicEvents: boolean;
  readonly guests: "nobody" | "partners" | "everyone";
  readonly userPoolId: string;
  readonly clientId: string;
  /** Where the user pool is, if not in AWS. */
  readonly userPoolEndpoint?: string;
  /** The domain of the hosted sign-in. */
  readonly signInDomain?: string;
  readonly hasGoogle?: boolean;
}

export const settings: Settings = JSON.parse(document.getElementById("settings")?.textContent ?? "{}");
