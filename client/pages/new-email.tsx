/** A new email: who is signed in asks for it, and each address confirms by its mail's link. */
import { useState } from "preact/hooks";
import { ask } from "../shared/api.ts";
import { focusFirst, Line } from "../shared/field.tsx";
import { Button, Focused, Said, Sending, Title, useAct } from "../shared/parts.tsx";
import { texts } from "../shared/texts.ts";

const words = texts.newEmail;

interface Told {
  readonly message: string;
}

export function AskForNewEmail() {
  const act = useAct();
  const [email, setEmail] = useState("");
  const [problem, setProblem] = useState<string>();
  const set = (text: string) => {
    setEmail(text);
    setProblem(undefined);
  };
  const send = async () => {
    if (!/^\S+@\S+\.\S+$/.test(email.trim())) {
      setProblem(texts.form.wrongEmail);
      setTimeout(() => focusFirst(["email"]));
      return undefined;
    }
    const asked = { method: "POST", body: { email: email.trim() }, signed: true } as const;
    return (await ask<Told>("/users/self/new-email", asked)).message;
  };
  const line = { id: "email", label: words.label, type: "email", autocomplete: "off" } as const;
  return (
    <Sending act={act} button={words.ask} send={send} class="panel">
      <h2>{words.title}</h2>
      <p>{words.text}</p>
      <Line {...line} value={email} problem={problem} set={set} />
    </Sending>
  );
}

/** A program that only opens the link confirms nothing. */
export function ConfirmNewEmail({ link }: { readonly link: string }) {
  const act = useAct();
  const [told, setTold] = useState<string>();
  const confirm = () =>
    act.run(async () => setTold((await ask<Told>("/links/new-email", { method: "POST", body: {}, link })).message));
  return (
    <>
      <Title text={words.title} />
      <section class="panel">
        {told === undefined ? (
          <>
            <p>{words.question}</p>
            <Button act={act} onPress={confirm} isMain text={words.confirm} />
          </>
        ) : (
          <>
            <Focused text={told} />
            <p>{words.after}</p>
          </>
        )}
        <Said {...act} />
      </section>
    </>
  );
}
