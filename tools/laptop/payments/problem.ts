/** Errors in the provider's format: https://docs.stripe.com/api/errors */

/** In the provider's words; `param` names the parameter as the form does, as `line_items[0][quantity]`. */
export interface ProblemDetails {
  readonly type?: "invalid_request_error" | "idempotency_error" | "api_error";
  readonly code?: string;
  readonly param?: string;
}

/** An error answer of the REST interface. */
export class PaymentProblem extends Error {
  readonly status: number;
  readonly details: ProblemDetails;

  constructor(status: number, message: string, details: ProblemDetails = {}) {
    super(message);
    this.status = status;
    this.details = details;
  }

  /** The answer's body. */
  body(): object {
    const { type = "invalid_request_error", code, param } = this.details;
    return { error: { type, ...(code && { code }), message: this.message, ...(param && { param }) } };
  }
}

/** A parameter of a form that is never accepted, whatever the state of things. */
export class InvalidParameter extends PaymentProblem {}

/** The error for an id that does not exist. @param what the kind of the object, as `refund` */
export const missing = (what: string, id: string, param: string): PaymentProblem =>
  new PaymentProblem(404, `No such ${what}: '${id}'`, { code: "resource_missing", param });
