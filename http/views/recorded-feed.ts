/** Keeps the view of the recorded series up to date: asks the history when a step has been written. */
import type { Bus } from '../../actors/bus/bus.ts';
import type { Cancel, Clock } from '../../actors/kernel/clock.ts';
import { historySource } from '../../actors/topics/index.ts';
import type { RecordedView } from './recorded-values.ts';

/** Ms: before a question that failed is asked again, and the time over which the web workers spread. */
const pauses = { failed: 10_000, spread: 2_000 } as const;

interface FeedOptions {
  bus: Pick<Bus, 'query'>;
  clock: Clock;
  /** Uniform in [0, 1). */
  random: () => number;
}

/** Asks each question of the view at once, and again when its answer ends, until stopped. */
export function followRecorded(
  view: Pick<RecordedView, 'questions'>,
  { bus, clock, random }: FeedOptions,
): { stop(): void } {
  const cancels = new Map<number, Cancel>();
  let stopped = false;
  const follow = (question: ReturnType<RecordedView['questions']>[number], at: number) => {
    const ask = async () => {
      const { params, accept } = question(clock.now());
      const reply = await bus.query({ source: historySource, name: 'seriesAt', params });
      if (stopped) return;
      if (reply.ok) accept(reply.value.value, reply.value.received);
      const rest = reply.ok ? reply.value.until - clock.now() : pauses.failed;
      const wait = Math.max(0, rest) + random() * pauses.spread;
      cancels.set(
        at,
        clock.after(wait, () => void ask()),
      );
    };
    void ask();
  };
  for (const [at, question] of view.questions().entries()) follow(question, at);
  return {
    stop() {
      stopped = true;
      for (const cancel of cancels.values()) cancel();
    },
  };
}
