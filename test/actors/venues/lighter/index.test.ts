import t from 'tap';
import { lighter } from '../../../../actors/venues/lighter/index.ts';
import { sameRows } from '../../../support/table.ts';
import { instrumentOf, kindsOf, ownPoll } from '../fixtures.ts';
import { wholeVenue } from '../suite/index.ts';

const instruments = ownPoll(lighter, 'instruments', 'all');
const nothing = { received: 0, instruments: new Map() };

t.test('what is followed: active crypto markets in the open', async (t) => {
  t.strictSame(kindsOf(lighter, 'all'), {
    perpetual: '0 1 7 11',
    // 10: inactive, hidden, with trading hours
    other: '8 9 10',
    spot: '2048 2049',
  });
  sameRows(t, instrumentOf(lighter, 'all', '7'))`
    market name     kind      symbol quote scale contract inverse funding_hours tick
    ${'7'} 1000PEPE perpetual PEPE   USDC  1000  1        false   - 0.01/1000 // symbol: 1000PEPE
  `;
  t.match(instrumentOf(lighter, 'all', '2049'), { symbol: 'ETH', quote: 'BTC' });
  const odd = { order_book_details: [{ market_id: '', symbol: 'X' }, null, { market_id: 3 }] };
  t.strictSame(instruments.parse([odd], nothing).dropped, [
    { key: '', code: 'bad_row' },
    { key: '', code: 'bad_row' },
    { key: '3', code: 'bad_row' },
  ]);
});

wholeVenue(t, lighter);
