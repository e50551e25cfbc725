/** The progress line of the one command: numbers of exchanges and indicators with data. */
import type { Follower, Handlers } from '../../actors/bus/bus.ts';
import type { FailureCode } from '../../actors/failure.ts';
import { type Cancel, type Clock, every } from '../../actors/kernel/clock.ts';
import {
  bitcoinNames,
  type FeedStatus,
  type IndicatorReading,
  indicatorNames,
} from '../../actors/topics/index.ts';
import type { Chosen } from './sources.ts';

/** How many market indicators each of these sources publishes. */
const indicatorsOf: ReadonlyMap<string, number> = new Map([
  ['market-wide', indicatorNames.length - bitcoinNames.length],
  ['bitcoin-models', bitcoinNames.length],
]);

/** Failures without any answer of an upstream. */
const unreachable: ReadonlySet<FailureCode | 'crash'> = new Set<FailureCode>([
  'network',
  'timeout',
  'breaker_open',
]);
/** So many sources must have failed, or all if there are fewer, before the network is to blame. */
const enoughSources = 5;
/** So long after the start, ms, sources that wait for a first answer count as failed. */
const firstAnswer = 15_000;

/** The state of the start. `since` is Unix ms: older readings are of an earlier run. */
export class Progress {
  readonly #venues: ReadonlySet<string>;
  readonly #indicators: number;
  readonly #since: number;
  readonly #priced = new Set<string>();
  readonly #published = new Set<string>();
  readonly #seen = new Set<string>();
  readonly #answered = new Set<string>();
  readonly #unreachable = new Set<string>();

  constructor({ venues, others }: Chosen, since: number) {
    this.#venues = new Set(venues.keys());
    this.#since = since;
    this.#indicators = [...indicatorsOf]
      .filter(([context]) => others.has(context))
      .reduce((sum, [, count]) => sum + count, 0);
  }

  acceptStatus({ source, topic, last_success, last_error }: FeedStatus): void {
    this.#seen.add(source);
    if (last_success !== null && last_success >= this.#since) {
      this.#answered.add(source);
      if (topic === 'prices' && this.#venues.has(source)) this.#priced.add(source);
    } else if (last_error !== null && last_error.at >= this.#since) {
      const reached = !unreachable.has(last_error.code);
      (reached ? this.#answered : this.#unreachable).add(source);
    }
  }

  /** `now` is Unix ms. */
  acceptIndicator({ name, received_at, stale_after }: IndicatorReading, now: number): void {
    if (now - received_at < stale_after) this.#published.add(name);
  }

  get complete(): boolean {
    return this.#priced.size === this.#venues.size && this.#published.size >= this.#indicators;
  }

  /** Several sources failed, or wait too long, and no upstream has answered anything. `now` is Unix ms. */
  cutOff(now: number): boolean {
    const enough = Math.min(enoughSources, Math.max(1, this.#venues.size));
    const without = now - this.#since < firstAnswer ? this.#unreachable : this.#seen;
    return this.#answered.size === 0 && without.size >= enough;
  }

  /** Such as `23 of 23 exchanges, 20 of 20 indicators`. `now` is Unix ms. */
  line(now: number): string {
    if (this.cutOff(now)) {
      return 'no upstream can be reached: check the network, or try npm run demo';
    }
    const counts: [number, number, string][] = [
      [this.#priced.size, this.#venues.size, 'exchanges'],
      [this.#published.size, this.#indicators, 'indicators'],
    ];
    return counts
      .filter(([, all]) => all > 0)
      .map(([count, all, what]) => `${count} of ${all} ${what}`)
      .join(', ');
  }
}

/** Where the line is shown. */
export interface Output {
  write(text: string): unknown;
  /** True where a line can be rewritten. */
  isTTY?: boolean;
}

/** What follows the topics. */
export interface Following {
  follow(handlers: Handlers): Pick<Follower, 'stop'>;
}

/** How often the line is rewritten, and when it is printed where it cannot be rewritten, ms. */
const times = { rewrite: 200, settled: 30_000 };

/**
 * Shows the progress until it is complete. On a terminal one line is rewritten in place. Elsewhere a line is printed
 * when the progress is complete, when no upstream can be reached, and once after 30 s if neither has happened.
 */
export function showProgress(
  chosen: Chosen,
  { bus, clock, output }: { bus: Following; clock: Clock; output: Output },
): { stop(): Promise<void> } {
  const since = clock.now();
  const progress = new Progress(chosen, since);
  const following = bus.follow({
    status: (_key, status) => progress.acceptStatus(status),
    marketIndicators: (_key, reading) => progress.acceptIndicator(reading, clock.now()),
  });
  const live = output.isTTY === true;
  let shown = '';
  const show = () => {
    const now = clock.now();
    const { complete } = progress;
    const [line, cutOff] = [progress.line(now), progress.cutOff(now)];
    const settled = complete || cutOff || now - since > times.settled;
    const repeated = line === shown || (!complete && !cutOff && shown !== '');
    if (live ? line === shown : !settled || repeated) return;
    output.write(live ? `\r\x1b[K${line}` : `${line}\n`);
    shown = line;
  };
  let cancel: Cancel | null = null;
  const stop = async () => {
    if (cancel === null) return;
    cancel();
    cancel = null;
    if (live && shown !== '') output.write('\n');
    await following.stop();
  };
  const look = () => {
    show();
    if (progress.complete) void stop();
  };
  cancel = every(clock, times.rewrite, look);
  look();
  return { stop };
}
