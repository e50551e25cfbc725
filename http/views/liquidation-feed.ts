/** Keeps the view of liquidations up to date: the stored events of the history, then the log from there. */
import type { Bus, Follower } from '../../actors/bus/bus.ts';
import type { Cancel, Clock } from '../../actors/kernel/clock.ts';
import { historySource } from '../../actors/topics/index.ts';
import type { LiquidationsView } from './liquidations.ts';

/** Ms: before a question that failed is asked again, and the time over which the web workers spread. */
const pauses = { failed: 10_000, spread: 2_000 } as const;

interface FeedOptions {
  bus: Pick<Bus, 'follow'>;
  /** Fails at once while no process answers for the history. */
  answering: Pick<Bus, 'query'>;
  clock: Clock;
  /** Uniform in [0, 1). */
  random: () => number;
}

/** Until the history answers, the view is made of the entries that Redis still has. */
class LiquidationFeed {
  readonly #view: Pick<LiquidationsView, 'question' | 'restore' | 'accept' | 'restart'>;
  readonly #options: FeedOptions;
  #follower: Follower | null = null;
  #cancel: Cancel = () => {};
  #stopped = false;

  constructor(view: LiquidationsView, options: FeedOptions) {
    this.#view = view;
    this.#options = options;
  }

  /** Resolves when the view is filled: from the history, or from the log alone. */
  async fill(): Promise<void> {
    const { answering, clock, random } = this.#options;
    const params = this.#view.question(clock.now());
    const reply = await answering.query({
      source: historySource,
      name: 'liquidationState',
      params,
    });
    if (this.#stopped) return;
    if (reply.ok) {
      await this.#follower?.stop();
      const { value: state } = reply.value;
      this.#view.restore(state);
      this.#follow({ id: state.id, seq: state.seq });
    } else {
      if (this.#follower === null) this.#follow();
      this.#cancel = clock.after(pauses.failed + random() * pauses.spread, () => void this.fill());
    }
    await this.#follower?.ready;
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel();
  }

  #follow(from?: { id: string; seq: number }): void {
    if (this.#stopped) return;
    this.#follower = this.#options.bus.follow(
      { liquidations: (_key, entry) => this.#view.accept(entry) },
      {
        ...(from && { from: { liquidations: from } }),
        onRestart: () => this.#view.restart(),
      },
    );
  }
}

/** Begins at once; `filled` resolves when the view has the stored events. The bus stops the follower. */
export function followLiquidations(
  view: LiquidationsView,
  options: FeedOptions,
): { filled: Promise<void>; stop(): void } {
  const feed = new LiquidationFeed(view, options);
  return { filled: feed.fill(), stop: () => feed.stop() };
}
