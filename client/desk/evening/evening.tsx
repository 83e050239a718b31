import { Title } from "../../shared/parts.tsx";

export function EveningPage() {
  return <Title text="EveningPage" />;
}
