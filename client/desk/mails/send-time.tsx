/** The time at which a mail goes out, in the stage's zone. */
import { Frame, tied } from "../../shared/field.tsx";
import { settings } from "../../shared/settings.ts";

interface SendTimeProps {
  /** `yyyy-mm-ddThh:mm`; empty: at once. */
  readonly value: string;
  readonly required?: boolean;
  set(value: string): void;
}

export function SendTime({ value, required = false, set }: SendTimeProps) {
  const zone = settings.timeZone.replaceAll("_", " ");
  const hint = `The clock of ${zone}.${required ? "" : " Empty: at once."}`;
  const frame = { id: "send-at", label: "Goes out", hint, required };
  return (
    <Frame {...frame}>
      <input
        {...{ ...tied(frame), type: "datetime-local", value }}
        onInput={({ currentTarget }) => set(currentTarget.value)}
      />
    </Frame>
  );
}
