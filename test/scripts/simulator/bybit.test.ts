import t from 'tap';
import { bybit } from '../../../scripts/simulator/venues/bybit.ts';
import { absent } from '../../support/recordings.ts';
import { sameShapes } from '../../support/shape.ts';

const stream = 'a WebSocket frame';
const unused = 'no feed asks for it';
const skipped = {
  'analytics-account-ratio': unused,
  'analytics-all-liquidation-ws': stream,
  'analytics-funding-history': unused,
  'analytics-open-interest': unused,
  'borrow-rates': unused,
  'funding-history': unused,
  'long-short-ratio': unused,
  'open-interest-history': unused,
  'spot-margin-trade-data': unused,
  'trades-recent': unused,
  'ws-liquidation': stream,
  'ws-perp-linear-ticker': stream,
  error: 'of the older API: its result repeats every key of a ticker, today it is empty',
};

/** The recordings of instruments are shortened, the one of inverse tickers is older than the one-sided numbers. */
const newer = {
  'spot-instruments': ['category', 'symbolType'],
  'perp-linear-instruments': ['category', 'symbolType', 'isPreListing'],
  'perp-inverse-instruments': ['category', 'symbolType', 'isPreListing', 'minNotionalValue'],
  'perp-inverse-tickers': ['singleOpenInterest', 'singleOpenInterestValue'],
  'perp-orderbook': ['retExtInfo'],
};

t.test('keys and types are those of the recordings', { skip: absent }, async (t) => {
  t.equal(await sameShapes(t, bybit, { skipped, newer }), 9);
});
