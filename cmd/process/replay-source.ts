/** What was recorded on this machine, as a web process serves it. */
import { join, resolve } from 'node:path';
import { liveOptions, normalisedOptions, rawOptions } from '../../actors/replay/options.ts';
import { type Filter, type RawMessage, rawLine } from '../../actors/replay/raw.ts';
import { Recorded } from '../../actors/replay/recorded.ts';
import { Replay, ReplayError } from '../../actors/replay/replay.ts';
import { tradePage } from '../../actors/replay/trade-pages.ts';
import { channelsIn } from '../../actors/sources/streams/subscriptions.ts';
import type { Venue } from '../../actors/sources/venue.ts';
import type { Config } from '../../config/config.ts';
import type { ReplaySource, Texts } from '../../http/answers/replay.ts';
import { recordingsFolder } from './folder.ts';

async function* mapped<From>(
  some: AsyncGenerator<readonly From[]>,
  textOf: (one: From) => string | null,
): Texts {
  for await (const found of some) yield found.flatMap((one) => textOf(one) ?? []);
}

/** The texts of a channel as an exchange's own subscription names it: `btcusdt@depth`, or an object of texts. */
function filterOf(channel: string): Filter {
  const parsed: unknown = /^["{]/.test(channel) ? JSON.parse(channel) : channel;
  const words = typeof parsed === 'object' && parsed !== null ? Object.values(parsed) : [parsed];
  return { channel: words.filter((word) => typeof word === 'string').join(' ') };
}

export function replaySource(
  { dataDir }: Pick<Config, 'dataDir'>,
  venues: ReadonlyMap<string, Venue>,
): ReplaySource {
  const folder = resolve(join(dataDir, recordingsFolder));
  const replay = new Replay(folder, [...venues.values()]);
  const recorded = new Recorded(folder);
  return {
    days: (exchange, most) => recorded.days(exchange, most),
    async trades({ exchange, ...question }) {
      const venue = venues.get(exchange);
      return venue ? tradePage(folder, venue, question) : null;
    },
    lines(given) {
      const { withDisconnects, ...options } = rawOptions(given);
      replay.check(options);
      const textOf = (one: RawMessage) =>
        one.text === null && !withDisconnects ? null : rawLine(one);
      return mapped(replay.raw(options), textOf);
    },
    native(given, subscriptions) {
      const options = rawOptions(given);
      replay.check(options);
      const filters = subscriptions.flatMap(channelsIn).map(filterOf);
      if (filters.length === 0) throw new ReplayError('nothing was subscribed to in time');
      return mapped(replay.raw({ ...options, filters }), ({ text }) => text);
    },
    normalised(given) {
      const options = normalisedOptions(given);
      for (const one of options) replay.check(one);
      return mapped(replay.normalised(options), ({ text }) => text);
    },
    live(given, signal) {
      const options = liveOptions(given);
      for (const one of options) replay.check({ ...one, from: 0, to: 1 });
      return mapped(replay.live(options, signal), ({ text }) => text);
    },
  };
}
