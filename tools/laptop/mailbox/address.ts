/** Which recipients SES refuses because their address is malformed. Pure. */

/** The address of a mailbox: alone, or in angle brackets behind a name. */
const addressIn = (mailbox: string): string => /<([^<>]*)>\s*$/.exec(mailbox)?.[1] ?? mailbox.trim();

/** SES takes ASCII only; a person with another letter in the address is told of "control or whitespace". */
const control = /[^!-~]/;
const strangeInLocal = /[^A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]/;
const strangeInDomain = /[^A-Za-z0-9.-]/;

/**
 * SES's words about a malformed recipient; undefined when SES takes the address. The words were observed:
 * https://stackoverflow.com/questions/38808009 (not ASCII), https://github.com/openstax/accounts/pull/252 (a blank),
 * https://github.com/hcengineering/platform/issues/7864 (a colon),
 * https://github.com/SebastiaanKlippert/lambda-ses-forwarder/issues/2 (the domain),
 * https://github.com/monde-sistemas/delphi-aws-ses/issues/22 (a blank in the domain),
 * https://github.com/brave/accounts/issues/35 (a domain that ends with a dot),
 * https://github.com/cloud-custodian/cloud-custodian/pull/8051 (no domain).
 */
export function malformation(mailbox: string): string | undefined {
  const address = addressIn(mailbox);
  const at = address.lastIndexOf("@");
  const [local, domain] = at < 0 ? [address, ""] : [address.slice(0, at), address.slice(at + 1)];
  if (control.test(local)) return "Local address contains control or whitespace";
  if (strangeInLocal.test(local)) return "Local address contains illegal character";
  if (domain === "" || local === "") return "Missing final '@domain'";
  if (control.test(domain)) return "Domain contains control or whitespace";
  if (strangeInDomain.test(domain)) return "Domain contains illegal character";
  return domain.split(".").includes("") ? "Missing domain" : undefined;
}
