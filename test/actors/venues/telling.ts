/** What the simulated exchanges say in their streams of prices, funding and open interest. */

import { messageOf } from '../../../actors/read.ts';
import type { LatestStream } from '../../../actors/sources/streams/stream.ts';
import type { Kind } from '../../../actors/topics/index.ts';
import { Model } from '../../../scripts/simulator/model.ts';
import { venues as simulated } from '../../../scripts/simulator/registry.ts';
import { listed } from './stream-suite.ts';

/** The time of the world. */
export const now = 1_790_000_000_000;

export const model = new Model({
  seed: 1,
  symbols: 16,
  clock: { now: () => now },
  venues: Object.values(simulated),
});

/**
 * What the simulator says to those who subscribe to a stream, and the markets of its world. Where a spot market and a perpetual
 * have one id, `wants` says which of them is meant; `first` in answer to the subscription.
 */
export function tellings(
  id: string,
  stream: Pick<LatestStream<never>, 'url' | 'channels'>,
  { wants, first }: { wants: Kind; first: boolean },
) {
  const { channels, reply } = Object.values(simulated).find((venue) => venue.id === id) ?? {};
  const truths = model.truths(id).filter(({ state }) => state === 'live');
  const { hostname, pathname } = new URL(stream.url);
  const kinds = Map.groupBy(truths, ({ market }) => market);
  const own = [...kinds.values()].flatMap(
    (rows) => rows.find(({ kind }) => kind === wants) ?? rows[0] ?? [],
  );
  const instruments = listed(
    own.map(({ market, kind, symbol, quote, contract, inverse, scale }) => ({
      market,
      kind,
      symbol,
      quote,
      contract,
      inverse,
      scale,
      ...(id === 'hyperliquid' && market.includes(':') && { dex: market.split(':')[0] ?? '' }),
    })),
  );
  const address = { host: hostname, path: pathname };
  const asked = new Set(
    stream.channels(instruments).flatMap((frame) => channels?.named(frame, address) ?? []),
  );
  const messages = channels?.messages(asked, { now, model, first }) ?? [];
  const replies = stream.channels(instruments).flatMap((frame) => reply?.(frame) ?? []);
  const told = [...replies, ...messages.map((message) => JSON.stringify(message))];
  return { own, told: told.map(messageOf), instruments };
}
