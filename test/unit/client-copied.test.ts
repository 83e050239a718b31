/** The typed client in other projects: copied as README says, and compiled with the settings of their templates. */
import { execFile } from "node:child_process";
import { cp, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, expect, test } from "@jest/globals";
import { build } from "esbuild";
import { givenFolder } from "./folder.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

/** The settings that create-next-app 16.4.3 writes for an application with TypeScript, as far as they judge the client. */
const next = {
  compilerOptions: {
    target: "ES2017",
    lib: ["dom", "dom.iterable", "esnext"],
    skipLibCheck: true,
    strict: true,
    module: "esnext",
    moduleResolution: "bundler",
    isolatedModules: true,
    jsx: "react-jsx",
  },
  include: ["**/*.ts"],
  exclude: ["node_modules"],
};

/** Where the settings that create-vite 5 and 6 write for react-ts are stricter, or older. */
const vite = {
  compilerOptions: {
    ...next.compilerOptions,
    target: "ES2020",
    lib: ["ES2020", "DOM", "DOM.Iterable"],
    types: [],
    allowImportingTsExtensions: true,
    noUnusedLocals: true,
    noUnusedParameters: true,
    noFallthroughCasesInSwitch: true,
  },
  include: ["src"],
};

const page = `import { ApiError, clubClient, unwrap } from "./club";

const api = clubClient({ baseUrl: "https://api.club.example", token: async () => undefined });

export async function register(): Promise<string> {
  const [event] = await unwrap(api.GET("/events", { params: { query: { limit: 1 } } }));
  if (event === undefined) return "There is no event.";
  const { data, error } = await api.POST("/registrations", {
    body: { eventID: event.id, year: event.year, email: "ada@student.example" },
  });
  if (error === undefined) return data.registration.registrationStatus;
  if (error.code === "DUPLICATE") return error.body.registration.registrationStatus;
  if (error.code === "VALIDATION") return error.body.issues.map(({ message }) => message).join();
  return error instanceof ApiError ? error.message : "";
}
`;

/** A project with the client in \`src/club\`, as README says it is copied. */
async function givenProject(tsconfig: object, source = page): Promise<string> {
  const folder = await givenFolder(open);
  const withoutExample = (file: string) =>
    !file.endsWith("example.ts") && !/client\/(desk|door|pages|people|shared)$/.test(file);
  await cp(join(root, "client"), join(folder, "src/club"), { recursive: true, filter: withoutExample });
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(tsconfig));
  await writeFile(join(folder, "src/page.ts"), source);
  return folder;
}

/** What the compiler says about a project; empty when nothing is wrong. */
const complaints = (folder: string): Promise<string> =>
  promisify(execFile)(join(root, "node_modules/.bin/tsc"), ["--noEmit", "--incremental", "false", "-p", folder], {
    cwd: folder,
  }).then(
    () => "",
    ({ stdout }: { stdout: string }) => stdout,
  );

test("it compiles with the settings of Vite 5 and 6, and knows the existing registration of a DUPLICATE", async () => {
  expect(await complaints(await givenProject(vite))).toBe("");
});

test("control: with those of Next.js, too, and a name that the reference does not have is the only complaint", async () => {
  const folder = await givenProject(next, page.replace("event.year", "event.yaer"));
  const found = await complaints(folder);
  expect(found).toMatch(/^src\/page\.ts\(9,\d+\): error TS\d+: Property 'yaer' does not exist/);
  expect(found.match(/error TS/g)).toHaveLength(1);
});

test("a bundler needs no rule of its own for its imports: no file is imported under an ending", async () => {
  const { metafile } = await build({
    entryPoints: [join(await givenProject(next), "src/page.ts")],
    bundle: true,
    write: false,
    metafile: true,
    format: "esm",
    logLevel: "silent",
  });
  const imported = Object.values(metafile.inputs).flatMap(({ imports }) => imports.map(({ original }) => original));
  expect(new Set(imported)).toEqual(new Set(["./club", "openapi-fetch"]));
});
