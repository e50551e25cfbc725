/** What every stream of an exchange is made with: what its part has, and the markets of that. */
import type { HolderContext } from '../context.ts';
import type { InstrumentMap } from '../define.ts';
import type { InstrumentBook } from '../instruments.ts';
import { typeOf } from '../recording/recorder.ts';
import type { MarketChoice } from './actor.ts';

/** What every stream of a part has, recorded under its name, as far as its topics are recorded. */
export const around = (
  { gateway, random, lease, pace, shared, recorder }: HolderContext,
  {
    source,
    topics,
    ...stream
  }: { source: string; part: string; name: string; topics: readonly string[] },
) => {
  const types = topics.flatMap((topic) => typeOf[topic] ?? []);
  return {
    source,
    part: stream.part,
    gateway,
    shared,
    random,
    lease,
    pace,
    recording: recorder?.stream(source, { ...stream, types }, lease) ?? null,
  };
};

/** The markets of the newest list of a part; `choose` gives those to subscribe to, out of all and of the last ones. */
export const listedMarkets = (
  { book, source, part }: { book: InstrumentBook; source: string; part: string },
  choose: (all: InstrumentMap, before: InstrumentMap) => InstrumentMap = (all) => all,
): MarketChoice => ({
  listed: () => book.part(source, part),
  choose: (before) => choose(book.part(source, part), before),
  onChange: (wake) => book.onChange(source, part, wake),
});
