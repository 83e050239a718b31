/** Who has lost the mail gets the links again. */
import { useState } from "preact/hooks";
import { ask } from "./api.ts";
import { Line } from "./field.tsx";
import { Focused, Press, Send, Title, useAct } from "./parts.tsx";
import { texts } from "./texts.ts";

const words = texts.lost;

const isEmail = (text: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text.trim());

export function LostPage() {
  const act = useAct();
  const [email, setEmail] = useState("");
  const [problem, setProblem] = useState<string>();
  const [sent, setSent] = useState<string>();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!isEmail(email)) {
      setProblem(texts.form.wrongEmail);
      document.getElementById("email")?.focus();
      return;
    }
    void act.run(async () => {
      await ask("/links", { method: "POST", body: { email: email.trim() } });
      setSent(email.trim());
    });
  };
  return (
    <>
      <Title text={words.title} />
      {sent ? (
        <section class="panel good">
          <Focused text={words.sent} />
          <p>{words.sentText(sent)}</p>
          <Press onPress={() => setSent(undefined)} text={words.other} />
        </section>
      ) : (
        <form noValidate onSubmit={submit} class="panel">
          <p>{words.text}</p>
          <Line
            {...{
              id: "email",
              label: texts.account.email,
              type: "email",
              autocomplete: "email",
              value: email,
              problem,
            }}
            set={(text) => {
              setEmail(text);
              setProblem(undefined);
            }}
          />
          <Send act={act}>{words.send}</Send>
        </form>
      )}
    </>
  );
}
