/**
 * Runs the tests of a file once without a mutant, once more to see which can be repeated, and then for one mutant after
 * the other, in modules that are loaded once: each round runs the tests that reach the mutant, until one fails.
 *
 * A mutant that is reached while modules load is active from the beginning, and has the whole file for itself.
 */
import { createRequire } from "node:module";
import { relative } from "node:path";
import { note, readFacts, readPlan } from "./plan.mjs";

const { TestEnvironment } = createRequire(import.meta.url)("jest-environment-node");
const { mutants, loads } = readPlan();
const facts = readFacts();
const killed = new Set(facts.filter(({ by }) => by).map(({ mutant }) => mutant));
const tried = new Set(facts.filter(({ mutant }) => mutant).map(({ mutant, file }) => `${mutant} ${file}`));
const done = new Set(facts.filter((fact) => fact.done).map(({ file }) => file));
const known = new Set(mutants.map(({ id }) => id));

/** The milliseconds that a test or a hook may take with a mutant, on a busy machine. */
const patience = (duration = 0) => 30_000 + 20 * duration;

const testsIn = (block) => block.children.flatMap((child) => (child.type === "test" ? [child] : testsIn(child)));

const nameOf = (test) => {
  const names = [];
  for (let part = test; part?.parent; part = part.parent) names.unshift(part.name);
  return names.join(" ");
};

export default class Mutants extends TestEnvironment {
  #file;
  #alone;
  #batch;
  #names = { activeMutant: undefined, currentTestId: undefined, mutantCoverage: { static: {}, perTest: {} } };
  /** What runs: the active mutant, the tests, and what comes after it. */
  #round;
  #rounds;
  #failure;
  #failed;

  constructor(config, context) {
    super(config, context);
    this.#file = relative(config.projectConfig.rootDir, context.testPath);
    this.global.__stryker__ = this.#names;
    const isOpen = ({ test, mutant }) => test === this.#file && !killed.has(mutant) && !tried.has(`${mutant} ${test}`);
    this.#batch = facts.some(({ file, spoilt }) => spoilt && file === this.#file) ? 1 : 25;
    this.#alone = loads.find(isOpen)?.mutant;
    if (this.#alone !== undefined) this.#activate(this.#alone, 100_000);
  }

  async setup() {
    const isEnough = done.has(this.#file) || mutants.every(({ id }) => killed.has(id));
    const isDone = loads.length > 0 ? this.#alone === undefined : isEnough;
    if (isDone) throw new Error("nothing to do in this file");
    note({ opened: this.#file });
    await super.setup();
    if (this.#alone !== undefined) note({ begun: this.#alone, file: this.#file });
  }

  async teardown() {
    // Jest does not come to the tests when a module cannot be loaded with the mutant.
    if (this.#alone !== undefined && this.#rounds === undefined) this.#judge(this.#alone, "loading");
    await super.teardown();
  }

  #activate(mutant, limit) {
    Object.assign(this.#names, { activeMutant: mutant, hitCount: 0, hitLimit: limit });
  }

  #judge(mutant, by) {
    tried.add(`${mutant} ${this.#file}`);
    if (by) killed.add(mutant);
    note({ mutant, file: this.#file, ...(by && { by }) });
  }

  async handleTestEvent(event, state) {
    if (event.name === "run_start") this.#begin(state);
    if (event.name === "run_describe_start" && event.describeBlock === this.#round?.block) this.#start(state);
    if (event.name === "test_start" && this.#round) this.#startTest(event.test);
    if (event.name === "test_done") this.#names.currentTestId = "hooks";
    if (event.name === "run_describe_finish" && event.describeBlock === this.#round?.block) this.#finish(state);
  }

  /** Puts rounds in the place of the file's own tests. Circus walks the list while it grows. */
  #begin(state) {
    const root = state.rootDescribeBlock;
    const { children, hooks } = root;
    const all = testsIn(root).filter(({ mode }) => mode !== "skip" && mode !== "todo");
    root.children = [];
    root.hooks = hooks.filter(({ type }) => type.endsWith("Each"));
    this.#rounds = this.#plan(state, all, this.#names.mutantCoverage.static);
    this.#names.currentTestId = "hooks";
    this.add = () => {
      const { value, done } = this.#rounds.next();
      this.#round = done
        ? undefined
        : { ...value, all, block: { ...root, children, hooks, name: "round", parent: root } };
      if (!done) root.children.push(this.#round.block);
    };
    this.add();
  }

  /** The rounds, one after the other. */
  *#plan(state, all, loading) {
    if (this.#alone !== undefined) {
      yield { mutant: this.#alone, tests: all };
      this.#judge(this.#alone, this.#failure);
      return;
    }
    const { mutantCoverage } = this.#names;
    const red = new Set();
    yield { tests: all, red };
    const first = Object.values(mutantCoverage.perTest);
    const isOpen = (id) => known.has(id) && !killed.has(id) && !tried.has(`${id} ${this.#file}`);
    if (![loading, ...first].some((counts) => Object.keys(counts).some(isOpen))) {
      note({ file: this.#file, red: [...red].map(nameOf), done: true });
      return;
    }
    mutantCoverage.perTest = {};
    yield { tests: all, red };
    const { perTest } = mutantCoverage;
    const ids = new Set(Object.values(perTest).flatMap((counts) => Object.keys(counts)));
    const once = [loading, ...first].flatMap((counts) => Object.keys(counts)).filter((id) => !ids.has(id));
    note({ file: this.#file, red: [...red].map(nameOf), reached: [...ids], loading: [...new Set(once)] });
    const hits = (id) => Object.values(perTest).reduce((sum, counts) => sum + (counts[id] ?? 0), 0);
    const reached = (id, index) => perTest[index + 1]?.[id] || perTest.hooks?.[id];
    state.testTimeout = patience();
    for (const test of all) test.timeout = patience(test.duration);
    let found = [];
    for (const id of ids) {
      if (!isOpen(id)) continue;
      const tests = all.filter((test, index) => !red.has(test) && reached(id, index));
      note({ begun: id, file: this.#file });
      yield { mutant: id, limit: hits(id) * 100 + 1_000, tests };
      if (this.#failure === undefined) this.#judge(id);
      else found.push({ id, by: this.#failure, tests: this.#failed ? [this.#failed] : tests });
      if (found.length < this.#batch) continue;
      if (!(yield* this.#confirmed(found))) return;
      found = [];
    }
    if (yield* this.#confirmed(found)) note({ file: this.#file, done: true });
  }

  /**
   * Whether the tests that failed with mutants pass without. If not, one of the mutants has spoilt the modules, and they
   * are tried again one by one in modules that are loaded anew.
   */
  *#confirmed(found) {
    if (found.length === 0) return true;
    yield { tests: found.flatMap(({ tests }) => tests) };
    const isSpoilt = this.#failure !== undefined;
    if (!isSpoilt || found.length === 1) for (const { id, by } of found) this.#judge(id, by);
    if (isSpoilt) note({ spoilt: found.map(({ id }) => id), file: this.#file });
    return !isSpoilt;
  }

  #start(state) {
    const { mutant, limit, tests, all } = this.#round;
    this.#failure = undefined;
    this.#failed = undefined;
    state.unhandledErrors.splice(0);
    const wanted = new Set(tests);
    for (const test of all) Object.assign(test, { errors: [], mode: wanted.has(test) ? undefined : "skip" });
    if (mutant !== this.#alone || mutant === undefined) this.#activate(mutant, limit);
  }

  #startTest(test) {
    this.#collect();
    const { all, red, mutant } = this.#round;
    if (red === undefined && this.#failure !== undefined) test.mode = "skip";
    this.#names.currentTestId = mutant === undefined ? String(all.indexOf(test) + 1) : "hooks";
  }

  #collect() {
    const { all, red } = this.#round;
    const failed = all.filter(({ errors }) => errors.length > 0);
    for (const test of failed) {
      red?.add(test);
      this.#failed ??= test;
      this.#failure ??= nameOf(test);
      if (test.status === "done") test.errors = [];
    }
  }

  #finish(state) {
    this.#collect();
    if (state.unhandledErrors.splice(0).length > 0) this.#failure ??= "an error outside of the tests";
    for (const test of this.#round.all) Object.assign(test, { errors: [], mode: undefined });
    this.#names.activeMutant = this.#alone;
    this.add();
  }
}
