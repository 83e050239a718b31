/** The pages of the club (`docs/design.md`). */
import { render } from "preact";

interface Settings {
  readonly clubName: string;
}

const settings = JSON.parse(document.getElementById("settings")?.textContent ?? "") as Settings;
const app = document.getElementById("app");

if (app) render(<h1>{settings.clubName}</h1>, app);
