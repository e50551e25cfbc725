/** A recording that is lived again through the gateway gives the lists, prices, trades, events and books that were there the first time. */
import t, { type Test } from 'tap';
import type { Venue } from '../../../actors/sources/venue.ts';
import type { PublicTrade } from '../../../actors/topics/index.ts';
import { venues as registry } from '../../../actors/venues/registry.ts';
import { recordedStage, replayedStage } from '../../support/recorded-stage.ts';

/** Books that are asked for beside the stream, with checksums, and counted by connection. */
const venues: readonly Venue[] = [registry.binance, registry.okx, registry.coinbase];
const symbols = ['BTC', 'ETH'];
/** A file ends four seconds later. */
const start = Date.parse('2026-11-29T12:09:56Z');
const lasting = 10_000;
/** When a second replay begins, ms after that. */
const later = 6_500;

type Stage = Pick<Awaited<ReturnType<typeof replayedStage>>, 'kept' | 'published'>;

const entriesOf = <Found>(
  offers: { markets(source: string): readonly string[] },
  find: (source: string, part: string, market: string) => Found,
): Map<string, Found> =>
  new Map(
    venues.flatMap(({ id }) =>
      offers.markets(id).map((key): [string, Found] => {
        const [part = '', ...market] = key.split('/');
        return [`${id}/${key}`, find(id, part, market.join('/'))];
      }),
    ),
  );

/** The book of each market that is followed, with its last change. */
const booksIn = ({ kept: { books } }: Stage) =>
  entriesOf(books, (...of) => {
    const book = books.read(...of)?.book;
    return [book?.sequence, book?.book.native(1e9)];
  });

/** The trades that were heard of each market, and holes. */
const tradesIn = ({ kept: { trades } }: Stage): Map<string, (PublicTrade | null)[]> =>
  entriesOf(trades, (...of) => trades.find(...of)?.after(1).entries ?? []);

interface Row {
  market: string;
  price?: number;
  stated: number | null;
}

/** The prices of each market by the time that its exchange states. */
function pricesIn({ published }: Stage): Map<string, number> {
  const found = new Map<string, number>();
  for (const { topic, key, value } of published)
    if (topic.startsWith('price') && 'rows' in value && Array.isArray(value.rows))
      for (const { market, price, stated } of value.rows satisfies Row[])
        if (stated !== null) found.set(`${key}/${market} ${stated}`, price ?? Number.NaN);
  return found;
}

/** The newest list of each part. */
const listsIn = ({ published }: Stage): Map<string, unknown> =>
  new Map(
    published.flatMap(({ topic, key, value }) =>
      topic === 'instruments' && 'rows' in value ? [[key, value.rows]] : [],
    ),
  );

/** Each liquidation. */
const eventsIn = ({ published }: Stage): string[] =>
  published.flatMap(({ topic, value }) =>
    topic === 'liquidations' && 'events' in value && Array.isArray(value.events)
      ? value.events.map((event) => JSON.stringify(event))
      : [],
  );

const answersOf = (stage: Stage) => ({
  books: booksIn(stage),
  trades: tradesIn(stage),
  prices: pricesIn(stage),
  lists: listsIn(stage),
  events: eventsIn(stage),
});
type Answers = ReturnType<typeof answersOf>;

/** A replay begins to listen a little later: what it has from then on is what there was. */
function compare(t: Test, live: Answers, again: Answers): void {
  t.ok(live.books.size > 20 && live.trades.size > 20, `${live.books.size} books`);
  for (const [name, book] of live.books) t.strictSame(again.books.get(name), book, `book ${name}`);
  for (const [name, trades] of live.trades) {
    const all = again.trades.get(name) ?? [];
    const heard = all.slice(all.lastIndexOf(null) + 1);
    t.strictSame(heard, trades.slice(-heard.length), `${heard.length} trades ${name}`);
  }
  const both = [...again.prices].filter(([name]) => live.prices.has(name));
  t.ok(both.length > 100, `${both.length} prices`);
  const others = both.filter(([name, price]) => live.prices.get(name) !== price);
  t.strictSame(others, [], 'prices are those of their time');
  t.strictSame(again.lists, live.lists, 'lists');
  t.ok(again.events.length > 0, 'liquidations');
  const unknown = again.events.filter((event) => !live.events.includes(event));
  t.strictSame(unknown, [], 'no other liquidation');
}

t.test('what was recorded is there again', async (t) => {
  const first = await recordedStage(t, venues, symbols, start);
  await first.pass(lasting);
  const live = answersOf(first);
  await first.stop();
  const to = start + lasting + 1;
  for (const from of [start, start + later]) {
    const again = await replayedStage(t, {
      venues,
      symbols,
      folder: first.folder,
      range: { from, to },
    });
    // What there was at the end stays: a busy machine may come to it later.
    const isComplete = () => booksIn(again).size >= live.books.size;
    for (let at = from; at < to || (at < to + 10_000 && !isComplete()); at += 1_000)
      await again.pass(1_000);
    await again.pass(1_000);
    compare(t, live, answersOf(again));
    await again.stop();
  }
});
