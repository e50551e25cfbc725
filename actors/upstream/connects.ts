/** Turns for opening connections: a host limits them by address, so that all processes behind one share a window in Redis. */
import { minute } from '../../config/time.ts';
import { type Clock, sleep } from '../kernel/clock.ts';
import type { SharedWindows } from '../kernel/shared-window.ts';
import { BudgetWindow, type Pass } from './window.ts';

/** Connections to a host in a minute where it states no other limit, and the time in which there is one at most, ms. */
const usual = { most: 60, gap: 350 };
/** How long a turn is waited for before it is asked for again, ms. */
const patience = minute;

/** The windows of this process, by clock and host. */
const known = new WeakMap<Clock, Map<string, readonly BudgetWindow[]>>();

interface Around {
  clock: Clock;
  /** Absent where no other process opens connections. */
  shared: SharedWindows | undefined;
}

function windowsOf(host: string, most: number, { clock, shared }: Around) {
  const hosts = known.get(clock) ?? new Map<string, readonly BudgetWindow[]>();
  known.set(clock, hosts);
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
  { most = usual.most, ...around }: Around & { most?: number | undefined },
  open: () => boolean,
): Promise<void> {
  const passes: Pass[] = [];
  for (const window of windowsOf(host, most, around))
    passes.push(await passOf(window, around.clock));
  const how = open() ? 'counted' : 'unsent';
  for (const pass of passes) pass({ how });
}
