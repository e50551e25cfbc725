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

/**
 * Begins at once; `filled` resolves when the view is filled, from the history or from the log alone: until the history answers, it is
 * made of the entries that Redis still has. The bus stops the follower.
 */
export function followLiquidations(
  view: LiquidationsView,
  { bus, answering, clock, random }: FeedOptions,
): { filled: Promise<void>; stop(): void } {
  let follower: Follower | null = null;
  let cancel: Cancel = () => {};
  let stopped = false;
  const follow = (from?: { id: string; seq: number }) =>
    bus.follow(
      { liquidations: (_key, entry) => view.accept(entry) },
      { ...(from && { from: { liquidations: from } }), onRestart: () => view.restart() },
    );
  const fill = async (): Promise<void> => {
    const params = view.question(clock.now());
    const reply = await answering.query({
      source: historySource,
      name: 'liquidationState',
      params,
    });
    if (stopped) return;
    if (reply.ok) {
      await follower?.stop();
      const { value: state } = reply.value;
      view.restore(state);
      if (stopped) return;
      follower = follow({ id: state.id, seq: state.seq });
    } else {
      follower ??= follow();
      cancel = clock.after(pauses.failed + random() * pauses.spread, () => void fill());
    }
    await follower.ready;
  };
  const stop = () => {
    stopped = true;
    cancel();
  };
  return { filled: fill(), stop };
}
