/** Sizes as DynamoDB counts them: UTF-8 bytes of names and values, numbers by their significant digits. */
import type { AttributeMap, AttributeValue } from "./protocol.ts";

/** A byte for every two digits, aligned at the decimal point, and one more; another one below zero. */
function numberSize(text: string): number {
  const [, sign, whole = "", fraction = "", exponent = "0"] =
    /^([-+]?)(\d*)\.?(\d*)(?:[eE]([-+]?\d+))?$/.exec(text) ?? [];
  const digits = (whole + fraction).replace(/^0+/, "");
  const significant = digits.replace(/0+$/, "").length;
  if (significant === 0) return 1;
  const magnitude = digits.length - fraction.length + Number(exponent);
  const misaligned = significant % 2 === 0 && magnitude % 2 !== 0 ? 1 : 0;
  return 1 + Math.ceil(significant / 2) + misaligned + (sign === "-" ? 1 : 0);
}

const sum = (sizes: readonly number[]): number => sizes.reduce((total, size) => total + size, 0);

const containerBytes = 3;
const elementBytes = 1;

function valueSize(attribute: AttributeValue): number {
  const [[type, value] = []] = Object.entries(attribute);
  switch (type) {
    case "S":
      return Buffer.byteLength(value as string);
    case "N":
      return numberSize(value as string);
    case "B":
      return Buffer.byteLength(value as string, "base64");
    case "SS":
      return sum((value as string[]).map((text) => Buffer.byteLength(text)));
    case "NS":
      return sum((value as string[]).map(numberSize));
    case "BS":
      return sum((value as string[]).map((bytes) => Buffer.byteLength(bytes, "base64")));
    case "L":
      return containerBytes + sum((value as AttributeValue[]).map((element) => elementBytes + valueSize(element)));
    case "M":
      return containerBytes + elementBytes * Object.keys(value as object).length + itemSize(value as AttributeMap);
    default:
      return 1;
  }
}

/** Bytes of an item. */
export const itemSize = (item: AttributeMap): number =>
  sum(Object.entries(item).map(([name, value]) => Buffer.byteLength(name) + valueSize(value)));
