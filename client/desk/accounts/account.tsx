import { Title } from "../../shared/parts.tsx";

export function AccountPage() {
  return <Title text="AccountPage" />;
}
