import t from 'tap';
import { dydx } from '../../../../actors/venues/dydx/index.ts';
import { wholeVenue } from '../suite/index.ts';

// The server numbers an answer when it is asked for it, an error too:
// https://github.com/dydxprotocol/v4-chain/blob/main/indexer/services/socks/src/lib/subscription.ts
t.test('a subscription to a book that fails has a number, and is a refusal', async (t) => {
  const { answersWithin, parse } = dydx.books.perp;
  t.equal(answersWithin, 2_000);
  const message = 'Internal error, could not fetch data for subscription: v4_orderbook.';
  const context = { received: 0, instruments: new Map() };
  t.strictSame(parse({ type: 'error', message, message_id: 7 }, context), {
    updates: [],
    count: 7,
    refusal: `refused: ${message}`,
  });
});

wholeVenue(t, dydx);
