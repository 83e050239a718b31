import { Title } from "../../shared/parts.tsx";

export function GamePage() {
  return <Title text="GamePage" />;
}
