import t from 'tap';
import { bitget } from '../../../scripts/simulator/venues/bitget.ts';
import { absent } from '../../support/recordings.ts';
import { sameShapes } from '../../support/shape.ts';

const stream = 'a WebSocket frame';
const unused = 'no feed asks for it';
const skipped = {
  'analytics-account-long-short': unused,
  'analytics-liquidation-ws': stream,
  'borrow-rate': unused,
  'funding-history': unused,
  'long-short-ratio': unused,
  'open-interest': unused,
  'v3-market-margin-loans': unused,
  'v3-open-interest': unused,
  'v3-perp-tickers': unused,
  'v3-spot-tickers': unused,
  'ws-liquidation': stream,
};

const newer = { 'perp-contracts': ['isRwa'], 'perp-coin-tickers': ['markPrice'] };

t.test('keys and types are those of the recordings', { skip: absent }, async (t) => {
  t.equal(await sameShapes(t, bitget, { skipped, newer }), 11);
});
