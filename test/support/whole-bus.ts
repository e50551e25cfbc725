/** A bus in memory for a whole service in one process: who follows gets what is published, and who serves is asked. */
import type { AnyAnswers, Bus, Handlers, LogPosition } from '../../actors/bus/bus.ts';
import { failed } from '../../actors/failure.ts';
import type { Topic, Topics } from '../../actors/topics/index.ts';
import type { FakeClock } from './clock.ts';
import { memoryBus } from './memory-bus.ts';
import { queryBus } from './queries.ts';

type Take<T extends Topic> = ((key: string, value: Topics[T], at: LogPosition) => void) | undefined;

/** `published` has all that was published, in its order. */
export function wholeBus(clock: FakeClock) {
  const published: { topic: string; key: string; value: object }[] = [];
  const followers = new Set<Handlers>();
  const served = new Map<string, AnyAnswers>();
  const numbers = new Map<Topic, number>();
  const bus: Partial<Bus> = {
    ...memoryBus(clock, (topic, key, value) => {
      published.push({ topic, key, value });
      const seq = (numbers.get(topic) ?? 0) + 1;
      numbers.set(topic, seq);
      for (const handlers of followers)
        (handlers[topic] as Take<typeof topic>)?.(key, structuredClone(value), {
          id: `${clock.now()}-${seq}`,
          seq,
        });
      return undefined;
    }),
    ...queryBus(async ({ source, name, params }, { account = '' }) => {
      const answer = served.get(source)?.[name];
      if (!answer) return failed('unanswered', `no answer is served for ${source} ${name}`);
      return answer(params as never, { deadline: clock.monotonic() + 10_000, account });
    }),
    follow(handlers) {
      followers.add(handlers);
      const stop = async () => void followers.delete(handlers);
      return { ready: Promise.resolve(), state: () => 'up', stop };
    },
    serve(source: string, answers: object) {
      served.set(source, answers as AnyAnswers);
      const stop = async () => void served.delete(source);
      return { ready: Promise.resolve(), stop } as never;
    },
  };
  return { bus: bus as Bus, published };
}
