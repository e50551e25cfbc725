/** Loaded before the processes of a demo: their time of day is ahead of the system's by AHEAD ms. The monotonic clock stays. */
const { env } = process;
const system = Date;
const ahead = Number(env.AHEAD);

globalThis.Date = class extends system {
  constructor(...given) {
    if (given.length === 0) super(system.now() + ahead);
    else super(...given);
  }
  static now() {
    return system.now() + ahead;
  }
};
