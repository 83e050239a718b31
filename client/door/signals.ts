/** What a person hears and feels, and how the page looks by night. Each phone keeps its choice. */
import { byId, root } from "./elements.ts";
import type { Verdict } from "./verdict.ts";

type Colour = Verdict["colour"];

/** Hertz, and the seconds at which the tone begins and ends. */
const tones: Readonly<Record<Colour, readonly (readonly [number, number, number])[]>> = {
  // biome-ignore format: a line for each colour
  green: [[880, 0, 0.09], [1320, 0.09, 0.25]],
  amber: [[520, 0, 0.35]],
  // biome-ignore format: a line for each colour
  red: [[170, 0, 0.2], [170, 0.26, 0.56]],
};
const vibrations: Readonly<Record<Colour, number[]>> = {
  green: [80],
  amber: [60, 60, 60],
  red: [300, 100, 300],
};

let audio: AudioContext | undefined;

/** Says a sentence to a screen reader. */
export const announce = (sentence: string): void => byId("said").replaceChildren(sentence);

/** Sounds and vibrates, unless the phone is muted. */
export function signal(colour: Colour): void {
  if (localStorage.getItem("muted")) return;
  navigator.vibrate?.(vibrations[colour]);
  if (audio?.state !== "running") return;
  for (const [frequency, from, to] of tones[colour]) {
    const tone = new OscillatorNode(audio, { frequency, type: colour === "red" ? "square" : "sine" });
    tone.connect(audio.destination);
    tone.start(audio.currentTime + from);
    tone.stop(audio.currentTime + to);
  }
}

const darkness = matchMedia("(prefers-color-scheme: dark)");

function apply(): void {
  byId("sound").textContent = `Sound: ${localStorage.getItem("muted") ? "off" : "on"}`;
  root.dataset.theme = localStorage.getItem("theme") ?? (darkness.matches ? "night" : "day");
  byId("theme").textContent = `Colours: ${root.dataset.theme}`;
}

/** Makes the buttons for sound and colours work. Browsers allow sound after the first touch. */
export function setUpSignals(): void {
  darkness.onchange = apply;
  byId("theme").onclick = () => {
    localStorage.setItem("theme", root.dataset.theme === "night" ? "day" : "night");
    apply();
  };
  byId("sound").onclick = () => {
    if (localStorage.getItem("muted")) localStorage.removeItem("muted");
    else localStorage.setItem("muted", "yes");
    apply();
  };
  addEventListener("pointerdown", () => {
    audio ??= new AudioContext();
    void audio.resume();
  });
  apply();
}
