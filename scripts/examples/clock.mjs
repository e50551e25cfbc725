/**
 * Loaded before a process: its system time starts at EXAMPLES_CLOCK (Unix ms) at the moment EXAMPLES_STARTED and runs on from
 * there. The simulator's numbers are a function of the time, so that the same examples come of every run.
 */
const { env } = process;
const shift = Number(env.EXAMPLES_CLOCK) - Number(env.EXAMPLES_STARTED);
const system = Date;

globalThis.Date = class extends system {
  constructor(...given) {
    if (given.length === 0) super(system.now() + shift);
    else super(...given);
  }
  static now() {
    return system.now() + shift;
  }
};
