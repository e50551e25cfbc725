/** How fast connections are opened and messages sent: one after another, within what an upstream allows. */
import { minute } from '../../../config/time.ts';
import { type Clock, sleep } from '../../kernel/clock.ts';
import type { SharedWindows } from '../../kernel/shared-window.ts';
import { BudgetWindow, type Pass } from '../../upstream/window.ts';

interface Limits {
  /** Least time between two turns, ms. */
  gap: number;
  /** Milliseconds from now to the first turn; 0 when absent. */
  rest?: number;
}

/** Gives turns in the order in which they are asked for. */
export class Pacer {
  readonly #clock: Clock;
  readonly #gap: number;
  readonly #waiting: (() => boolean)[] = [];
  /** When the next turn is possible, by the monotonic clock. */
  #free: number;
  #isPlanned = false;

  constructor(clock: Clock, { gap, rest = 0 }: Limits) {
    this.#clock = clock;
    this.#gap = gap;
    this.#free = clock.monotonic() + rest;
  }

  /** Calls `turn` once, at once where that is possible. It returns false where there is nothing to do any more: that takes no time. */
  enter(turn: () => boolean): void {
    this.#waiting.push(turn);
    if (!this.#isPlanned) this.#go();
  }

  #go(): void {
    this.#isPlanned = false;
    while (this.#waiting.length > 0) {
      const wait = this.#free - this.#clock.monotonic();
      if (wait > 0) {
        this.#isPlanned = true;
        this.#clock.after(wait, () => this.#go());
        return;
      }
      if (this.#waiting.shift()?.()) this.#free = this.#clock.monotonic() + this.#gap;
    }
  }
}

const shared = new WeakMap<Clock, Map<string, Pacer>>();

/** The one pacer of this process with that name, for all who share a limit. */
export function sharedPacer(clock: Clock, name: string, limits: Limits): Pacer {
  const all = shared.get(clock) ?? new Map<string, Pacer>();
  const pacer = all.get(name) ?? new Pacer(clock, limits);
  shared.set(clock, all.set(name, pacer));
  return pacer;
}

/** Connections to a host in a minute where it states no other limit, and the time in which there is one at most, ms. */
const usual = { most: 60, gap: 350 };
/** How long a turn is waited for before it is asked for again, ms. */
const patience = minute;

/** The windows of this process, by clock and host. */
const windows = new WeakMap<Clock, Map<string, readonly BudgetWindow[]>>();

interface Opening {
  clock: Clock;
  /** Absent where no other process opens connections. */
  shared: SharedWindows | undefined;
}

function windowsOf(host: string, most: number, { clock, shared }: Opening) {
  const hosts = windows.get(clock) ?? new Map<string, readonly BudgetWindow[]>();
  windows.set(clock, hosts);
  const window = (budget: { weight: number; per: number }) =>
    new BudgetWindow({
      name: `${host}/connect/${budget.per}`,
      api: `${host}/connect`,
      budget,
      clock,
      shared,
      reserved: 0,
      onPause() {},
      limits: { spread: 0, abandoned: 0, patience: 0 },
    });
  const made = hosts.get(host) ?? [
    window({ weight: most, per: minute }),
    window({ weight: 1, per: usual.gap }),
  ];
  hosts.set(host, made);
  return made;
}

/** When its turn has come. */
async function passOf(window: BudgetWindow, clock: Clock): Promise<Pass> {
  for (;;) {
    const { signal } = new AbortController();
    const deadline = clock.monotonic() + patience;
    const pass = await window.enter({ weight: 1, asker: null, deadline, signal });
    if (typeof pass === 'function') return pass;
    await sleep(clock, pass.retryAfter ?? 0);
  }
}

/** Calls `open` once when a connection to the host may be opened, `most` in a minute. It returns false where none is wanted any more: that takes no turn. */
export async function connectTurn(
  host: string,
  { most = usual.most, ...around }: Opening & { most?: number | undefined },
  open: () => boolean,
): Promise<void> {
  const passes: Pass[] = [];
  for (const window of windowsOf(host, most, around))
    passes.push(await passOf(window, around.clock));
  const how = open() ? 'counted' : 'unsent';
  for (const pass of passes) pass({ how });
}
