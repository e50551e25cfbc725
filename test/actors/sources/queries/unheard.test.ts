/** Order books say since when their exchange is not heard. */
import t from 'tap';
import { orderBookQuery } from '../../../../actors/sources/queries/order-book.ts';
import { FollowedBook } from '../../../../indicators/order-book/followed-book.ts';
import { instrument, now } from '../../../support/makers.ts';

const week = 7 * 86_400_000;

/** The answers of an exchange that states this time, asked at `now`. */
function stage(stated: number | null) {
  const query = orderBookQuery({
    cap: 20,
    most: 10,
    request: () => ({ api: 'rest', path: '/', cost: 1 }),
    parse: () => ({ bids: [], asks: [], stated }),
  });
  const asked = { market: 'A', part: 'spot', instrument: instrument(), depth: 5, now };
  return {
    requested: () => query.parse([{}], asked, now)?.unheard_since,
    live(received: number) {
      const book = new FollowedBook({ rule: 'none', most: 5, window: false, asked: false });
      book.take({ kind: 'snapshot', bids: [99, 1], asks: [101, 1], stated });
      const kept = { book, instrument: asked.instrument, received };
      return query.live?.(kept, asked).unheard_since;
    },
  };
}

t.test('a book says since when its exchange is not heard, live or asked for', async (t) => {
  const fresh = stage(now - 2_000);
  t.equal(fresh.requested(), undefined);
  t.equal(fresh.live(now), undefined);
  t.equal(stage(null).live(now - 10_000), undefined, 'ten seconds are usual');
  t.equal(stage(null).live(now - 10_001), now - 10_001, 'the stream brings nothing but pings');
  t.equal(stage(now).live(now - 30_000), now - 30_000, 'whatever the clock of the exchange is');
  t.equal(stage(now - week).live(now), now - week, 'messages of now with times of last week');
  t.equal(stage(now - week).requested(), now - week, 'an answer with a time of last week');
});
