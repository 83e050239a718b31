/** S3's errors. */

export class S3Problem extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export const accessDenied = (message = "Access Denied") => new S3Problem(403, "AccessDenied", message);

/** A text as content of an element. */
export const escapeXml = (text: string): string =>
  text.replace(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`);

export const problemXml = ({ code, message }: S3Problem, resource: string, requestId: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${escapeXml(code)}</Code><Message>${escapeXml(message)}</Message>` +
  `<Resource>${escapeXml(resource)}</Resource><RequestId>${requestId}</RequestId></Error>`;
