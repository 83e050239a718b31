import { Title } from "../../shared/parts.tsx";

export function NewEventPage() {
  return <Title text="NewEventPage" />;
}
