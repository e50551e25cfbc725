import t from 'tap';
import { isRecord } from '../../../actors/read.ts';
import { htx } from '../../../scripts/simulator/venues/htx.ts';
import { absent } from '../../support/recordings.ts';
import { sameShapes } from '../../support/shape.ts';
import { simulated } from '../../support/simulated-venue.ts';

const unused = 'no feed asks for it';
const skipped = {
  'analytics-coin-swap-historical-funding': unused,
  'analytics-elite-account-ratio': unused,
  'analytics-elite-position-ratio': unused,
  'analytics-his-open-interest': unused,
  'analytics-liquidation-orders-ws': unused,
  'analytics-v5-funding-rate-history': unused,
  'analytics-v5-liquidation-orders': unused,
  'error-v5': 'the answer to a signed request',
  'liquidations-linear-v5': unused,
  'liquidations-v3': unused,
  'open-interest-history': unused,
  'perp-inverse-funding': 'the batch is asked instead',
  'perp-inverse-funding-history': unused,
  'perp-linear-funding-history-v5': unused,
  'perp-linear-open-interest-v1-retired': unused,
  'perp-orderbook': 'of a dated contract, which is not simulated; a swap answers below',
  'ws-liquidation': unused,
};

/** Newer answers state the turnover, and trade in contracts that older ones lack. */
const newer = { 'perp-linear-tickers': ['trade_turnover'] };

t.test('keys and types are those of the recordings', { skip: absent }, async (t) => {
  t.equal(await sameShapes(t, htx, { skipped, newer }), 14);
});

t.test('the order book of a swap has the keys of the recorded one', async (t) => {
  const { url, close } = await simulated(htx);
  t.teardown(close);
  const path = 'linear-swap-ex/market/depth?contract_code=BTC-USDT&type=step6';
  const body: unknown = await (await fetch(`${url}/api.hbdm.com/${path}`)).json();
  const [book, tick] = isRecord(body) && isRecord(body.tick) ? [body, body.tick] : [{}, {}];
  t.strictSame(Object.keys(book).sort(), ['ch', 'status', 'tick', 'ts']);
  const keys = ['asks', 'bids', 'ch', 'id', 'mrid', 'ts', 'version'];
  t.strictSame(Object.keys(tick).sort(), keys);
  t.ok(Array.isArray(tick.asks) && tick.asks.length === 20);
});
