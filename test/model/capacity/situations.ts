/** Small situations with many interleavings, and larger ones. */
import type { Act, Situation } from "./protocol.ts";

const register = (who: string, choice?: string): Act => ({ do: "register", who, choice });
const leave = (who: string): Act => ({ do: "leave", who });
const capacity = (capac: number | null): Act => ({ do: "capacity", capac });
const complete = (isCompleted: boolean): Act => ({ do: "complete", isCompleted });
const all = (names: string): Act[] => [...names].map((who) => register(who));
/** Pairs of a person and a workshop: `aa bb ca`. */
const workshops = (pairs: string): Act[] => pairs.split(" ").map(([who, choice]) => register(who as string, choice));

export const situations: readonly Situation[] = [
  { name: "three come for one seat, one leaves", capac: 1, acts: [...all("abc"), leave("a")] },
  { name: "a holder leaves while others come", capac: 1, before: all("a"), acts: [leave("a"), ...all("bc")] },
  {
    name: "two leave, two wait, one comes",
    capac: 2,
    before: all("abcd"),
    acts: [leave("a"), leave("b"), ...all("e")],
  },
  { name: "the same person twice", capac: 1, acts: [...all("aab"), leave("a")] },
  { name: "leaving and coming again", capac: 1, before: all("ab"), acts: [leave("a"), ...all("a"), leave("b")] },
  { name: "somebody who waits leaves", capac: 1, before: all("abc"), acts: [leave("b"), leave("a"), ...all("d")] },
  { name: "lost answers", capac: 1, lost: 3, acts: [...all("abc"), leave("a")] },
  { name: "people vanish", capac: 1, crashes: 1, acts: [...all("abc"), leave("a")] },
  {
    name: "lost answers and somebody vanishes",
    capac: 2,
    crashes: 1,
    lost: 2,
    before: all("ab"),
    acts: [...all("cd"), leave("a"), leave("b")],
  },
  { name: "capacity from 1 to 2", capac: 1, acts: [...all("abc"), capacity(2)] },
  {
    name: "capacity from 2 to 1 while people leave",
    capac: 2,
    before: all("abc"),
    acts: [capacity(1), leave("a"), leave("b"), ...all("d")],
  },
  {
    name: "capacity to none and back",
    capac: 1,
    before: all("ab"),
    acts: [capacity(null), ...all("c"), capacity(1), leave("a")],
  },
  { name: "partners", capac: 2, acts: [{ do: "register", who: "a", partner: true }, ...all("bc"), leave("a")] },
  {
    name: "completing and opening again",
    capac: 1,
    before: all("ab"),
    acts: [complete(true), leave("a"), ...all("c"), complete(false)],
  },
  { name: "reconfiguring", capac: 1, acts: [...all("ab"), { do: "describe" }, leave("a")] },
  { name: "deleting during a rush", capac: 1, acts: [...all("abc"), { do: "delete" }] },
  {
    name: "deleting and creating again",
    capac: 1,
    before: all("ab"),
    acts: [{ do: "delete" }, { do: "create", capac: 1 }, ...all("cb"), leave("a")],
  },
  {
    name: "workshops: two leave, somebody is passed over",
    capac: 2,
    participantCap: 1,
    before: workshops("aa bb ca db"),
    acts: [leave("a"), leave("b"), ...workshops("ec")],
  },
  {
    name: "workshops: the head wants what is full",
    capac: 2,
    participantCap: 1,
    before: workshops("aa bb ca db"),
    acts: [leave("b"), leave("a")],
  },
  {
    name: "workshops: more room while people leave",
    capac: 3,
    participantCap: 1,
    before: workshops("aa bb cc da ea"),
    acts: [capacity(4), leave("b"), leave("a"), ...workshops("fb")],
  },
];

export const large: readonly Situation[] = [
  {
    name: "a rush with departures and changes",
    capac: 3,
    crashes: 1,
    lost: 2,
    acts: [...all("abcdefgh"), ...[..."abcd"].map(leave), capacity(4), capacity(2)],
  },
  {
    name: "workshops in a rush",
    capac: 4,
    participantCap: 1,
    crashes: 1,
    lost: 1,
    acts: [...workshops("aa bb cc da fb ga"), ...all("e"), ...[..."abc"].map(leave), capacity(3), capacity(5)],
  },
  {
    name: "a whole life",
    capac: 2,
    crashes: 1,
    lost: 1,
    acts: [
      ...all("abcde"),
      complete(true),
      complete(false),
      { do: "describe" },
      leave("a"),
      leave("b"),
      { do: "delete" },
      { do: "create", capac: 2 },
      ...all("af"),
    ],
  },
];
