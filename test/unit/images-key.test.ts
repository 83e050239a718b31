/** Keys and types of uploaded images (`docs/contract.md`, "Image upload"). */
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { extensionOf, imageKey } from "#domain/images/image-key.ts";
import { formats } from "#kit/schema/formats.ts";
import { anyText } from "../any-text.ts";

const now = 1_900_000_000_123;

test.each([
  ["photo.JPG", "jpg"],
  ["a.b.Pn-g", "png"],
  ["photo.äö", "jpg"],
  [".webp", "webp"],
  ["a.png/../../x", "x"],
])("the extension of %p is %p", (fileName, extension) => {
  expect(extensionOf(fileName)).toBe(extension);
});

test("only the prefix `original` gives the folder `original`", () => {
  const key = (prefix: string) => imageKey({ eventId: "gala", fileName: "a.jpg", prefix }, now);
  expect(key("original")).toBe(`event-thumbnails/gala/original/${now}.jpg`);
  for (const prefix of ["optimized", "Original", "original ", "", "../x"])
    expect(key(prefix)).toBe(`event-thumbnails/gala/optimized/${now}.jpg`);
});

test("a key keeps its shape, whatever the file's name is", () => {
  const text = fc.oneof(anyText(), fc.string());
  const shape = new RegExp(`^event-thumbnails/gala/(original|optimized)/${now}\\.[a-z0-9]+$`);
  fc.assert(
    fc.property(text, text, (fileName, prefix) => {
      expect(imageKey({ eventId: "gala", fileName, prefix }, now)).toMatch(shape);
    }),
  );
});

describe("a file's type", () => {
  test.each(["image/jpeg", "image/png", "image/webp", "image/x-icon", "image/vnd.microsoft.icon", "image/JPEG"])(
    "%s may be uploaded",
    (type) => expect(formats["image-type"].check(type)).toBe(true),
  );

  test.each([
    ...["", "image/", "text/html", "Ximage/png", " image/png", "image/*", "image/pn g", `image/${"a".repeat(200)}`],
    ...["image/png, text/html", "image/png; charset=x", "image/png\r\nx: y"],
    ...["image/svg+xml", "image/SVG+XML", "image/svg+xml;charset=utf-8", "image/svg", "image/anything+xml"],
  ])("%p may not be uploaded", (type) => expect(formats["image-type"].check(type)).toBe(false));
});
