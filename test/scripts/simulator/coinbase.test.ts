import t from 'tap';
import { coinbase } from '../../../scripts/simulator/venues/coinbase.ts';
import { absent } from '../../support/recordings.ts';
import { sameShapes } from '../../support/shape.ts';

const unused = 'no feed asks for it';
const skipped = {
  'candles-advanced': unused,
  'exchange-book': unused,
  'exchange-products': unused,
  'exchange-stats': unused,
  'exchange-ticker': unused,
  'intx-error': 'the answer to an order',
  'intx-funding-history': unused,
  'intx-quote': unused,
  'products-future': unused,
};

t.test('keys and types are those of the recordings', { skip: absent }, async (t) => {
  t.equal(await sameShapes(t, coinbase, { skipped, newer: {} }), 5);
});
