import { Title } from "../../shared/parts.tsx";

export function PrizesPage() {
  return <Title text="PrizesPage" />;
}
