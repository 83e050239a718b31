import { Title } from "../../shared/parts.tsx";

export function PersonPage() {
  return <Title text="PersonPage" />;
}
