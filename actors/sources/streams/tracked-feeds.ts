/** The actors of the streams that are about tracked markets alone: order books and public trades. */
import { historySource } from '../../topics/index.ts';
import type { RunContext } from '../context.ts';
import type { Venue } from '../venue.ts';
import type { NamedStream } from './actor.ts';
import { keptBooks } from './books.ts';
import type { BookStream, TradeStream } from './stream.ts';
import { foldedTrades } from './trades.ts';

/** The streams of an exchange; none where they are switched off. */
export function trackedFeeds(
  { id, books = {}, trades = {} }: Pick<Venue, 'id' | 'books' | 'trades'>,
  context: RunContext,
): NamedStream[] {
  if (context.live?.on(id) === false) return [];
  return [
    ...Object.entries(books).flatMap(([part, stream]) => bookFeed(id, part, stream, context)),
    ...Object.entries(trades).flatMap(([part, stream]) => tradeFeed(id, part, stream, context)),
  ];
}

function bookFeed(
  source: string,
  part: string,
  stream: BookStream | undefined,
  { gateway, random, status, client, bus, fence, books: keeping }: RunContext,
): NamedStream[] {
  if (keeping === undefined || stream === undefined) return [];
  const lease = { name: source, fence };
  const behaviour = keptBooks({
    source,
    part,
    stream,
    keeping,
    gateway,
    random,
    client: client(source),
    status: status.row('books', part),
    orders: {
      // A reading that was not published is followed by the next one.
      publish: (key, reading) => void bus.publish('largeOrders', key, reading, lease),
      last: (key) => bus.lastOf('largeOrders', key).catch(() => undefined),
    },
  });
  return [{ name: `books/${part}`, behaviour }];
}

function tradeFeed(
  source: string,
  part: string,
  stream: TradeStream | undefined,
  { gateway, random, status, bus, trades }: RunContext,
): NamedStream[] {
  if (trades === undefined || stream === undefined) return [];
  const behaviour = foldedTrades({
    source,
    stream,
    gateway,
    random,
    tracked: (now) => trades.tracked(source, part, now),
    status: status.row('trades', part),
    async record(rows) {
      const params = { series: 'footprint', rows } as const;
      const reply = await bus.query({ source: historySource, name: 'record', params });
      return reply.ok ? null : reply.failure;
    },
  });
  return [{ name: `trades/${part}`, behaviour }];
}
