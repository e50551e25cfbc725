/** Recorded answers of Crypto.com, read by us and by ccxt. */
import t from 'tap';
import type { Instrument } from '../../../actors/topics.ts';
import { cryptocom } from '../../../actors/venues/cryptocom.ts';
import { absent } from '../../support/recordings.ts';
import { byPath, replayed } from './ccxt.ts';
import { handMade, near, recorded, sameBars } from './oracle.ts';

const skip = absent;
const body = (name: string) => recorded('cryptocom', name);

/** The markets of the other recordings, which the recorded list lacks. */
const more: readonly Instrument[] = [
  handMade('AVAXUSD-PERP', { kind: 'perpetual', symbol: 'AVAX', quote: 'USD' }),
  handMade('BTCUSD-PERP', { kind: 'perpetual', symbol: 'BTC', quote: 'USD' }),
  handMade('BTC_USD', { symbol: 'BTC', quote: 'USD' }),
];
const wire = ({ market, kind, symbol, quote }: Instrument) => ({
  symbol: market,
  inst_type: kind === 'spot' ? 'CCY_PAIR' : 'PERPETUAL_SWAP',
  base_ccy: symbol,
  quote_ccy: quote,
  tradable: true,
  contract_size: '1',
});
const instruments = (): Map<string, Instrument> => {
  const context = { received: 0, instruments: new Map() };
  const { rows, dropped } = cryptocom.feeds.instruments.parts.all.parse(
    [body('instruments')],
    context,
  );
  t.strictSame(dropped, []);
  return new Map([...rows, ...more].map((row) => [row.market, row]));
};
const context = () => ({ received: 1_687_892_400_000, instruments: instruments() });
const load = () => {
  const list = JSON.parse(JSON.stringify(body('instruments')));
  list.result.data.push(...more.map(wire));
  return replayed(
    'cryptocom',
    byPath({
      'public/get-instruments': list,
      'public/get-tickers': body('tickers'),
      'public/get-valuations': body('funding-current'),
      'public/get-book': body('order-book'),
      'public/get-candlestick': body('candles'),
    }),
  );
};
const ask = () => ({
  market: 'BTC_USD',
  part: 'all',
  instrument: instruments().get('BTC_USD') ?? null,
});

t.test('instruments', { skip }, async (t) => {
  const exchange = await load();
  const found = instruments();
  t.equal(found.size, 7);
  for (const ours of found.values()) {
    const theirs = exchange.safeMarket(ours.market);
    t.equal(ours.symbol, theirs.base, ours.market);
    t.equal(ours.quote, theirs.quote);
    // Dated futures and warrants are not followed.
    t.equal(ours.kind !== 'other', theirs.spot || theirs.swap);
    if (ours.kind === 'perpetual') t.equal(ours.contract, theirs.contractSize);
  }
});

t.test('tickers and open interest', { skip }, async (t) => {
  const exchange = await load();
  const theirs = (await exchange.fetchTickers())['AVAX/USD:USD'];
  const { prices, openInterest } = cryptocom.feeds;
  const [row] = prices.parts.all.parse([body('tickers')], context()).rows;
  near(t, row?.price, theirs?.last, 'last');
  near(t, row?.volume, theirs?.quoteVolume, 'quote volume');
  near(t, row?.stated, theirs?.timestamp, 'time');
  // ccxt takes the fraction for percent.
  near(t, row?.change, (theirs?.percentage ?? 0) * 100, 'change');
  const [interest] = openInterest.parts.all.parse([body('tickers')], context()).rows;
  t.strictSame([interest?.units, interest?.value], [10_888.9, 10_888.9 * 13.209], 'ccxt has none');
});

t.test('funding', { skip }, async (t) => {
  const exchange = await load();
  // ccxt asks for the estimate of the next hours, we for the rate of these; the answers have one form.
  const theirs = await exchange.fetchFundingRate('BTC/USD:USD');
  const [ours] = cryptocom.feeds.derivatives.parts.all.parse(
    [body('funding-current')],
    context(),
  ).rows;
  near(t, ours?.funding_rate, theirs.fundingRate, 'rate');
  near(t, ours?.stated, theirs.timestamp, 'time');
  near(t, ours?.funding_rate_8h, -0.000001884 * 8, 'rate of 8 hours');
});

t.test('the order book', { skip }, async (t) => {
  const exchange = await load();
  const ours = cryptocom.queries.orderBook.parse(body('order-book'), ask());
  const theirs = await exchange.fetchOrderBook('BTC/USD');
  near(t, ours.stated, theirs.timestamp, 'time');
  for (const side of ['bids', 'asks'] as const) {
    t.equal(ours[side].length, theirs[side].length);
    for (const [i, { price, quantity }] of ours[side].entries()) {
      near(t, price, theirs[side][i]?.[0], `${side} ${i}`);
      near(t, quantity, theirs[side][i]?.[1], `${side} ${i} quantity`);
    }
  }
});

t.test('candles', { skip }, async (t) => {
  const exchange = await load();
  const ours = cryptocom.queries.candles.parse(body('candles'), ask());
  sameBars(t, ours, await exchange.fetchOHLCV('BTC/USD', '1m'));
});

t.test('the refusals', { skip }, async (t) => {
  const { fault } = cryptocom.apis.rest;
  t.match(fault(400, body('error-invalid-instrument')), { code: 'unknown_instrument' });
  t.equal(fault(404, body('error-unknown-path')), null, 'none of its own');
});
