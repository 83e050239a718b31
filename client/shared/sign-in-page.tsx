/** Sign-in, a new account, and a new password. What speaks with the user pool is loaded when the page is opened. */

import { useEffect, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { nextOf } from "./addresses.ts";
import { ask } from "./api.ts";
import type { Step } from "./auth.ts";
import { Refused } from "./call.ts";
import { auth } from "./code.ts";
import { Choice, Line } from "./field.tsx";
import { Button, Focused, Press, Sending, Title, useAct } from "./parts.tsx";
import { account, enter } from "./session.ts";
import { settings } from "./settings.ts";
import { keep, readKept } from "./store.ts";
import { texts } from "./texts.ts";

const words = texts.account;

type View = "sign in" | "sign up" | "code" | "totp" | "forgot" | "reset" | "new password";

const sentences: Readonly<Record<string, string>> = {
  NotAuthorizedException: words.wrong,
  UserNotFoundException: words.wrong,
  CodeMismatchException: words.wrongCode,
  ExpiredCodeException: words.oldCode,
  UsernameExistsException: words.exists,
  InvalidPasswordException: words.weak,
  LimitExceededException: words.tooMany,
  TooManyRequestsException: words.tooMany,
  TooManyFailedAttemptsException: words.tooMany,
};

/** The sentence for what the user pool says. A sentence of the club's own triggers is shown as it is. */
function explain(problem: unknown): string | undefined {
  if (problem instanceof Refused) return undefined;
  const { name = "", message = "" } = problem instanceof Error ? problem : {};
  if (name === "UserLambdaValidationException") return message.replace(/^.*failed with error /, "");
  return sentences[name] ?? (name.endsWith("Exception") ? message : undefined);
}

const nextKey = "next";
const nameKey = "name";

interface Name {
  readonly fname: string;
  readonly lname: string;
}

/** An account of the user pool has a user record too. */
async function ensureUser(): Promise<void> {
  try {
    await ask("/users/self", { signed: true });
  } catch (problem) {
    if (!(problem instanceof Refused && problem.status === 404)) return;
    const { fname = "", lname = "" } = readKept<Name>(nameKey) ?? {};
    const body = { ...(fname && { fname }), ...(lname && { lname }) };
    await ask("/users", { method: "POST", signed: true, body }).catch(() => undefined);
  }
  keep(nameKey, undefined);
}

/** Who is signed in by now goes on to the page that they came from. */
function useEntering(next: string | undefined) {
  const { route, query } = useLocation();
  return async (): Promise<boolean> => {
    const { signedInEmail } = await auth();
    const email = await signedInEmail();
    if (!email) return false;
    enter({ email });
    await ensureUser();
    const to = next ?? query.next ?? readKept<string>(nextKey);
    keep(nextKey, undefined);
    route(nextOf(to, location.origin), true);
    return true;
  };
}

interface Fields {
  readonly email: string;
  readonly password: string;
  readonly code: string;
  readonly fname: string;
  readonly lname: string;
}

/** What each view asks for, and its button. */
const views: Readonly<Record<View, readonly [title: string, send: string, fields: readonly (keyof Fields)[]]>> = {
  "sign in": [words.signIn, words.signIn, ["email", "password"]],
  "sign up": [words.signUp, words.signUp, ["fname", "lname", "email", "password"]],
  code: [words.code, words.confirm, ["code"]],
  totp: [words.code, words.confirm, ["code"]],
  forgot: [words.forgot, words.send, ["email"]],
  reset: [words.newPassword, words.save, ["code", "password"]],
  "new password": [words.newPassword, words.save, ["password"]],
};
const afterStep: Readonly<Record<Exclude<Step, "done" | "other">, View>> = {
  confirm: "code",
  totp: "totp",
  "new password": "new password",
};

interface SignInProps {
  /** The page that the person came to. Absent: the address says it. */
  readonly next?: string;
}

export function SignInPage({ next: page }: SignInProps) {
  const { query } = useLocation();
  const act = useAct(explain);
  const enterNow = useEntering(page);
  const [view, setView] = useState<View>("sign in");
  const [fields, setFields] = useState<Fields>({ email: "", password: "", code: "", fname: "", lname: "" });
  const [problems, setProblems] = useState<Partial<Record<keyof Fields, string>>>({});
  const [isVisible, setVisible] = useState(false);
  const [hasMoved, setMoved] = useState(false);
  const email = fields.email.trim();

  const open = (next: View) => {
    setView(next);
    setMoved(true);
    setProblems({});
    setFields((kept) => ({ ...kept, code: "" }));
    act.say("");
  };

  useEffect(() => {
    // The hosted page leads back with a code, or with what went wrong.
    const finish = async () => {
      await (await auth()).finishRedirect();
      return entered();
    };
    if (query.code) void act.run(finish);
    else void auth().catch(() => undefined);
  }, []);

  const entered = async (): Promise<string | undefined> => ((await enterNow()) ? undefined : words.wrong);
  const follow = async (step: Step): Promise<string | undefined> => {
    if (step === "done") return entered();
    if (step === "other") return words.unsupported;
    open(afterStep[step]);
    return step === "confirm" ? words.codeSent(email) : undefined;
  };

  const sending: Readonly<Record<View, () => Promise<string | undefined>>> = {
    "sign in": async () => {
      const { enterPassword, sendCode } = await auth();
      const step = await enterPassword(email, fields.password);
      if (step === "confirm") await sendCode(email);
      return follow(step);
    },
    "sign up": async () => {
      const { create } = await auth();
      await create(email, fields.password);
      keep(nameKey, { fname: fields.fname.trim(), lname: fields.lname.trim() });
      open("code");
      return words.codeSent(email);
    },
    code: async () => {
      const { confirmCode, enterPassword } = await auth();
      await confirmCode(email, fields.code.trim());
      return follow(await enterPassword(email, fields.password));
    },
    totp: async () => follow(await (await auth()).answerStep(fields.code.trim())),
    "new password": async () => follow(await (await auth()).answerStep(fields.password)),
    forgot: async () => {
      await (await auth()).askReset(email);
      open("reset");
      return words.resetSent(email);
    },
    reset: async () => {
      const { savePassword, enterPassword } = await auth();
      await savePassword(email, fields.code.trim(), fields.password);
      return follow(await enterPassword(email, fields.password));
    },
  };

  const [title, button, shown] = views[view];
  const send = async () => {
    const missing = shown.filter((name) => fields[name].trim() === "");
    setProblems(Object.fromEntries(missing.map((name) => [name, texts.form.required])));
    if (!missing[0]) return sending[view]();
    document.getElementById(missing[0])?.focus();
  };
  const google = () =>
    act.run(async () => {
      keep(nextKey, page ?? query.next);
      await (await auth()).withGoogle();
    });
  const newCode = () =>
    act.run(async () => {
      await (await auth()).sendCode(email);
      return words.newSent;
    });

  if (account.value && !act.isBusy) {
    return (
      <>
        <Title text={words.signIn} />
        <p>{words.signedIn(account.value.email)}</p>
      </>
    );
  }

  const isNew = view === "sign up" || view === "reset" || view === "new password";
  const line = {
    email: { label: words.email, type: "email", autocomplete: "username" },
    password: {
      label: words.password,
      type: isVisible ? "text" : "password",
      autocomplete: isNew ? "new-password" : "current-password",
      hint: isNew ? words.passwordRule : undefined,
    },
    code: {
      label: view === "totp" ? words.totpLabel : words.codeLabel,
      inputMode: "numeric",
      autocomplete: "one-time-code",
    },
    fname: { label: texts.register.firstName, autocomplete: "given-name" },
    lname: { label: texts.register.lastName, autocomplete: "family-name" },
  } as const;

  return (
    <>
      <Title text={words.signIn} />
      <Sending
        {...{ act, button, send, class: "panel" }}
        below={
          <>
            {view === "code" && <Button act={act} onPress={newCode} text={words.again} />}
            {view === "sign in" && settings.hasGoogle && <Button act={act} onPress={google} text={words.google} />}
          </>
        }
      >
        <Focused text={title} when={hasMoved} />
        {shown.map((name) => (
          <Line
            key={name}
            {...line[name]}
            id={name}
            value={fields[name]}
            problem={problems[name]}
            set={(value) => setFields((kept) => ({ ...kept, [name]: value }))}
          />
        ))}
        {shown.includes("password") && (
          <Choice name="show" value="yes" type="checkbox" checked={isVisible} choose={setVisible}>
            {words.show}
          </Choice>
        )}
      </Sending>
      <div class="buttons">
        {view === "sign in" ? (
          <>
            <Press onPress={() => open("sign up")} text={words.noAccount} />
            <Press onPress={() => open("forgot")} text={words.forgot} />
          </>
        ) : (
          <Press onPress={() => open("sign in")} text={words.hasAccount} />
        )}
      </div>
    </>
  );
}
