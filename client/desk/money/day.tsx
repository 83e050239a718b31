/** A day or a month of the stage's zone. */
import { Frame, tied } from "../../shared/field.tsx";

interface DayProps {
  readonly id: string;
  readonly label: string;
  readonly type?: "date" | "month";
  readonly value: string;
  set(value: string): void;
}

export const Day = ({ id, label, type = "date", value, set }: DayProps) => (
  <Frame id={id} label={label} required>
    <input
      {...tied({ id, label, required: false })}
      {...{ type, value }}
      onChange={({ currentTarget }) => set(currentTarget.value)}
    />
  </Frame>
);
