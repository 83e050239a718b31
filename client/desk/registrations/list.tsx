import { Title } from "../../shared/parts.tsx";

export function PeoplePage() {
  return <Title text="PeoplePage" />;
}
