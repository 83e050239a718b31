/** Puts whole objects in the place of their ids: https://docs.stripe.com/api/expanding_objects. Pure. */
import { PaymentProblem } from "./problem.ts";

/** The object of an id; undefined when the text is no such id. */
export type ObjectOf = (id: string) => object | undefined;

/**
 * @param path names of fields, as `data.source`; a list's elements are expanded one by one
 * @throws PaymentProblem when a field of the path is neither an object nor the id of one
 */
export function expanded(object: object, path: string, objectOf: ObjectOf): object {
  if (Array.isArray(object)) return object.map((one) => expanded(one, path, objectOf));
  const [name = "", ...rest] = path.split(".");
  const value: unknown = Object.hasOwn(object, name) ? (object as Record<string, unknown>)[name] : undefined;
  if (value === null) return object;
  const whole = typeof value === "string" ? objectOf(value) : value;
  if (typeof whole !== "object" || whole === null) {
    throw new PaymentProblem(400, `This property cannot be expanded (${name}).`, { param: "expand" });
  }
  return { ...object, [name]: rest.length === 0 ? whole : expanded(whole, rest.join("."), objectOf) };
}
