/** A person offers the place to another one, or takes the offer back. Nothing changes before the other accepts by mail. */
import { useState } from "preact/hooks";
import { Line } from "../shared/field.tsx";
import { Button, Press, Said, Sending, useAct } from "../shared/parts.tsx";
import { texts } from "../shared/texts.ts";
import type { Place } from "../shared/types.ts";
import type { PlaceSource } from "./place-source.ts";

const words = texts.handOn;

interface HandOnProps {
  readonly place: Place;
  readonly source: PlaceSource;
  /** Shows the present state. */
  reload(): Promise<void>;
}

export function HandOn({ place, source, reload }: HandOnProps) {
  const { registration, offered } = place;
  const act = useAct();
  const [isOpen, setOpen] = useState(false);
  const [email, setEmail] = useState("");
  const [fname, setName] = useState("");
  const send = async () => {
    await source.offer(place, { email: email.trim(), fname: fname.trim() });
    await reload();
    setOpen(false);
    return words.sent;
  };
  const withdraw = () =>
    act.run(async () => {
      await source.offer(place);
      await reload();
      return words.withdrawn;
    });
  if (isOpen) {
    return (
      <Sending act={act} button={words.send} send={send} class="panel">
        <h2>{words.title}</h2>
        <p>{words.text}</p>
        <Line id="offer-name" label={words.fname} value={fname} set={setName} />
        <Line id="offer-email" label={texts.account.email} type="email" value={email} set={setEmail} />
      </Sending>
    );
  }
  const isOffered = registration.offered === true;
  return (
    <section class="panel">
      <h2>{words.title}</h2>
      {isOffered && <p>{words.offered(offered ? `${offered.fname} (${offered.email})` : words.somebody)}</p>}
      <div class="buttons">
        <Press onPress={() => setOpen(true)} text={isOffered ? words.other : words.open} />
        {isOffered && <Button act={act} onPress={withdraw} text={words.withdraw} />}
      </div>
      <Said {...act} />
    </section>
  );
}
