/** Trades of all exchanges out of a recording, and each book out of its second file alone, are those that the service had. */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { Normaliser } from '../../../actors/replay/normaliser.ts';
import { linesIn } from '../../../actors/replay/reader.ts';
import { tradePage } from '../../../actors/replay/trade-pages.ts';
import type { LiveBooks } from '../../../actors/sources/books/live-books.ts';
import type { LiveTrades } from '../../../actors/sources/streams/trade-tape.ts';
import type { Venue } from '../../../actors/sources/venue.ts';
import type { PublicTrade } from '../../../actors/topics/index.ts';
import { venues as registry } from '../../../actors/venues/registry.ts';
import type { LiveBook } from '../../../indicators/order-book/live-book.ts';
import { recordedStage } from '../../support/recorded-stage.ts';

const all: readonly Venue[] = Object.values(registry);
const venues = all.filter(({ books }) => books !== undefined);
/** Ten seconds before a file ends. */
const start = Date.parse('2026-11-29T12:09:50Z');

type Native = ReturnType<LiveBook['native']>;

/** The books that the streams of the exchanges keep now, by exchange, part and market. */
function booksOf(kept: LiveBooks): Map<string, Native> {
  const found = new Map<string, Native>();
  for (const { id } of venues)
    for (const key of kept.markets(id)) {
      const [part = '', ...market] = key.split('/');
      const book = kept.read(id, part, market.join('/'))?.book.book;
      if (book) found.set(`${id}/${key}`, book.native(1e9));
    }
  return found;
}

/** The last book of each market that a recording has. */
async function recorded(t: Test, folder: string, venue: Venue): Promise<Map<string, LiveBook>> {
  const books = new Map<string, LiveBook>();
  const normaliser = new Normaliser({
    venue,
    types: new Set(['book_change']),
    from: start,
    wants: () => true,
    emit(event) {
      if (event.type === 'book_change')
        books.set(`${venue.id}/${event.part}/${event.instrument.market}`, event.book);
    },
  });
  for await (const lines of linesIn(folder, venue.id, { from: start, to: start + 3_600_000 }))
    for (const line of lines) normaliser.take(line);
  t.equal(normaliser.unreadable, 0, `${venue.id}: all messages can be read`);
  return books;
}

/** Numbers to the twelve digits that are served. */
const near = ({ id, timestamp, price, quantity }: Omit<PublicTrade, 'bought'>, side: string) =>
  [id, timestamp, side, price.toPrecision(12), quantity.toPrecision(12)].join(' ');

/** The trades of each market that is heard are those of its pages. */
async function compareTrades(t: Test, folder: string, tapes: ReadonlyMap<string, PublicTrade[]>) {
  t.ok(tapes.size > 7, `${tapes.size} markets`);
  for (const [name, heard] of tapes) {
    const [id = '', part = '', ...market] = name.split('/');
    const venue = venues.find((one) => one.id === id);
    const range = { from: start, to: start + 3_600_000, limit: 5_000, cursor: null };
    // The same id is that of a spot market.
    const kind = part === 'linear' && tapes.has(`${id}/spot/${market}`) ? 'perpetual' : undefined;
    const page =
      venue &&
      (await tradePage(folder, venue, {
        ...range,
        market: market.join('/'),
        kind,
      }));
    t.strictSame(
      page?.trades.map((one) => near(one, one.side)),
      heard.map((one) => near(one, one.bought ? 'buy' : 'sell')),
      name,
    );
  }
}

/** What is heard of each market, by exchange, part and market. */
function heardIn(kept: LiveTrades): Map<string, PublicTrade[]> {
  const found = new Map<string, PublicTrade[]>();
  for (const { id } of venues)
    for (const key of kept.markets(id)) {
      const [part = '', ...market] = key.split('/');
      const tape = kept.find(id, part, market.join('/'));
      const trades = tape?.after(1).entries.flatMap((trade) => trade ?? []) ?? [];
      if (trades.length > 0) found.set(`${id}/${key}`, trades);
    }
  return found;
}

t.test('trades are those that were heard; books go on from the head of a file', async (t) => {
  const { folder, pass, stop, kept } = await recordedStage(t, venues, ['BTC'], { start });
  await pass(25_000);
  const live = booksOf(kept.books);
  const heard = heardIn(kept.trades);
  await stop();
  await compareTrades(t, folder, heard);
  t.ok(live.size > venues.length, `${live.size} books`);
  for (const venue of venues) {
    const day = join(folder, venue.id, '2026-11-29');
    const [first = '', ...others] = (await readdir(day)).sort();
    t.equal(others.length, 1, `${venue.id}: two files`);
    await rm(join(day, first));
    const books = await recorded(t, folder, venue);
    const own = [...live].filter(([name]) => name.startsWith(`${venue.id}/`));
    for (const [name, book] of own) t.strictSame(books.get(name)?.native(1e9), book, name);
  }
});
