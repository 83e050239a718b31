/** Who has lost the mail gets the links again. */
import { useState } from "preact/hooks";
import { ask } from "../shared/api.ts";
import { focusFirst, Line } from "../shared/field.tsx";
import { Focused, Press, Sending, Title, useAct } from "../shared/parts.tsx";
import { texts } from "../shared/texts.ts";

const words = texts.lost;

const isEmail = (text: string): boolean => /^[!-?A-~]+@[!-?A-~]+\.[!-?A-~]+$/.test(text);
const focusEmail = () => setTimeout(() => focusFirst(["email"]));

export function LostPage() {
  const act = useAct();
  const [email, setEmail] = useState("");
  const [problem, setProblem] = useState<string>();
  const [isSent, setSent] = useState(false);
  const set = (text: string) => {
    setEmail(text);
    setProblem(undefined);
  };
  const send = async () => {
    if (!isEmail(email.trim())) {
      setProblem(texts.form.wrongEmail);
      focusEmail();
      return;
    }
    await ask("/links", { method: "POST", body: { email: email.trim() } });
    setSent(true);
  };
  const other = () => {
    setSent(false);
    focusEmail();
  };
  const line = { id: "email", label: texts.account.email, type: "email", autocomplete: "email" } as const;
  return (
    <>
      <Title text={words.title} />
      {isSent ? (
        <section class="panel good">
          <Focused text={words.sent} />
          <p>{words.sentText(email.trim())}</p>
          <Press onPress={other} text={words.other} />
        </section>
      ) : (
        <Sending act={act} button={words.send} send={send} class="panel">
          <p>{words.text}</p>
          <Line {...line} value={email} problem={problem} set={set} />
        </Sending>
      )}
    </>
  );
}
