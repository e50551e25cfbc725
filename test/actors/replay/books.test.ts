/** Each book of each exchange out of its second file alone is the book that the service had. */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { Normaliser } from '../../../actors/replay/normaliser.ts';
import { linesIn } from '../../../actors/replay/reader.ts';
import type { LiveBooks } from '../../../actors/sources/books/live-books.ts';
import type { Venue } from '../../../actors/sources/venue.ts';
import { venues as registry } from '../../../actors/venues/registry.ts';
import type { LiveBook } from '../../../indicators/order-book/live-book.ts';
import { recordedStage } from '../../support/recorded-stage.ts';

const all: readonly Venue[] = Object.values(registry);
const venues = all.filter(({ books }) => books !== undefined);
/** Ten seconds before a file ends. */
const start = Date.parse('2026-11-29T12:09:45Z');

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

t.test('books go on from the head of a file', async (t) => {
  const { folder, pass, stop, kept } = await recordedStage(t, venues, ['BTC'], start);
  await pass(40_000);
  const live = booksOf(kept.books);
  await stop();
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
