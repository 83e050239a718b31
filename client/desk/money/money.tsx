import { Title } from "../../shared/parts.tsx";

export function MoneyPage() {
  return <Title text="MoneyPage" />;
}
