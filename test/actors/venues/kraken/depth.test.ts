import t from 'tap';
import { kraken } from '../../../../actors/venues/kraken/index.ts';
import { levels } from '../../../support/makers.ts';
import { absent, recording } from '../../../support/recordings.ts';
import { fixture, instrumentOf } from '../fixtures.ts';

const { depth } = kraken.queries;
const now = 1_700_000_000_000;
const asked = (market: string) => ({
  market,
  part: 'futures',
  instrument: instrumentOf(kraken, 'futures', market),
  now,
  limit: 200,
});

t.test('a linear book, as recorded: contracts are base units', { skip: absent }, async (t) => {
  const body = recording('kraken', 'analytics-futures-orderbook')?.response;
  t.strictSame(depth.parse([body], asked('PF_XBTUSD'), now), {
    market: 'PF_XBTUSD',
    bids: levels([4213, 2000], [4210, 4000]),
    asks: levels([4218, 4000], [4220, 5000]),
    bidsNear: 4213 * 2000 + 4210 * 4000,
    asksNear: 4218 * 4000 + 4220 * 5000,
    timestamp: Date.parse('2016-02-25T09:45:53.818Z'),
  });
});

t.test('an inverse book: contracts of one USD', async (t) => {
  const found = depth.parse([fixture(kraken, 'futures-order-book')], asked('PI_XBTUSD'), now);
  t.strictSame(found.bids[0], { price: 100_000, quantity: 0.2 }, '20,000 USD / 100,000');
  const one = depth.slice?.(found, { market: 'PI_XBTUSD', limit: 1 });
  t.strictSame([one?.bids.length, one?.asks.length], [1, 1]);
  t.equal(one?.bidsNear, found.bidsNear, 'of all levels');
});

t.test('one page answers every limit, of futures only', async (t) => {
  t.match(depth.page?.(asked('PF_XBTUSD')), { limit: 200 });
  t.equal(depth.page?.({ ...asked('PF_XBTUSD'), part: 'spot' }), null);
});
