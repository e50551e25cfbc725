/** Upstreams of Bitcoin's prices and of its chain, on bodies of our own. */

import t from 'tap';
import { venueDays } from '../../../actors/market/venue-days.ts';
import { blockchainInfo } from '../../../actors/providers/blockchain-info.ts';
import { coingecko } from '../../../actors/providers/coingecko.ts';
import { mempool } from '../../../actors/providers/mempool.ts';
import { readFault } from '../../../actors/upstream/faults.ts';
import { binance } from '../../../actors/venues/binance/index.ts';
import { bitfinex } from '../../../actors/venues/bitfinex/index.ts';
import { bitstamp } from '../../../actors/venues/bitstamp/index.ts';
import { dayLength, dayOf } from '../../../indicators/market/days.ts';
import { body, context, now } from '../market/fixtures.ts';

const june = (day: number) => dayOf(`2025-06-${day}`);

t.test('blockchain.com: prices, supply', async (t) => {
  const { bitcoinDays, supply } = blockchainInfo.polls;
  const prices = bitcoinDays.parse([body('blockchain-info/market-price')], context());
  t.same(prices.rows, [
    { day: dayOf('2010-08-17'), close: 0.0769 },
    { day: june(15), close: 105_000.5 },
  ]);
  t.same(
    prices.dropped,
    [{ key: '1750118400', code: 'bad_row' }],
    'no zero after there was a price',
  );
  const coins = supply.parse([body('blockchain-info/total-bitcoins')], context());
  t.same(coins.rows.at(-1), { at: june(16) + 61_000, value: 19_877_450 });
  t.equal(coins.dropped.length, 1, 'more than 21 million');
  const values = [21_000_000, 1, 0, -1].map((y, at) => ({ x: june(12 + at) / 1000, y }));
  t.same(
    supply.parse([{ values }], context()).rows.map(({ value }) => value),
    [21_000_000, 1],
  );
  const early = [dayOf('2010-08-17'), dayOf('2010-08-18')].map((day) => ({ x: day / 1000, y: 0 }));
  t.same(
    bitcoinDays.parse([{ values: early }], context()).dropped.map(({ key }) => key),
    [String(dayOf('2010-08-18') / 1000)],
    'before the first price there is none',
  );
  const sampled = [bitcoinDays, supply].map(({ requests }) => requests({ now })[0]?.query?.sampled);
  t.same(sampled, ['false', undefined], 'all supplies are one a block');
  t.equal(readFault(blockchainInfo.apis.rest, 200, { status: 'error' })?.code, 'refused');
  t.equal(readFault(blockchainInfo.apis.rest, 200, body('blockchain-info/market-price')), null);
});

t.test('CoinGecko: a point at midnight closes the day before', async (t) => {
  const found = coingecko.polls.bitcoinDays.parse([body('coingecko/bitcoin-days')], context());
  t.same(found.rows, [
    { day: june(13), close: 105_000.5 },
    { day: june(14), close: 105_500 },
  ]);
  t.equal(found.dropped.length, 1);
});

t.test('mempool.space: the last block of a day', async (t) => {
  const { height } = mempool.polls;
  const plan = { to: june(15) };
  const block = (height: unknown, timestamp: string) => [{ height, hash: '', timestamp }];
  const read = (bodies: unknown[]) => height.parse(bodies, context(plan)).rows;
  t.same(
    read([body('mempool/height')]),
    [{ day: june(15), height: 901_233 }],
    'the next day has it',
  );
  const heights = ['15T23:58:00', '16T00:00:00', '15T18:00:00', '16T06:00:00'].map(
    (time) => read(block(901_233, `2025-06-${time}.000Z`))[0]?.height,
  );
  t.same(heights, [901_233, 901_232, 901_233, 901_232], 'up to six hours away');
  for (const time of ['15T17:59:59.999Z', '16T06:00:00.001Z', '12T00:00:00.000Z']) {
    t.throws(() => read(block(901_233, `2025-06-${time}`)), { name: 'ShapeError' }, time);
  }
  t.throws(() => read(block(1.5, '2025-06-15T23:58:00.000Z')), { name: 'ShapeError' });
  t.throws(() => read([null]), { name: 'ShapeError' });
});

t.test('an exchange: pages back to the first day wanted, over the venue itself', async (t) => {
  const days = venueDays(binance, 'BTCUSDT');
  const requests = days.requests({ now, from: june(15) - 2500 * dayLength, to: june(14) });
  t.same(
    requests.map(({ query }) => [query?.limit, query?.endTime]),
    [
      [1000, june(15) - 1],
      [1000, june(15) - 1000 * dayLength - 1],
      [500, june(15) - 2000 * dayLength - 1],
    ],
  );
  const rest = [0, '1', 0, '0', '0', '0'];
  const row = (open: number, close: string) => [open, '1', '200000', '1', close, '1', ...rest];
  const pages = [[row(june(14), '105500'), row(june(15), '106000')], [row(june(13), '105000')]];
  t.same(days.parse(pages, context()).rows, [
    { day: june(13), close: 105_000 },
    { day: june(14), close: 105_500 },
  ]);
  t.equal(days.requests({ now }).length, 1, 'the last day that is over');
  const two = { now, from: june(15) - 2000 * dayLength, to: june(14) };
  t.same(
    days.requests(two).map(({ query }) => query?.limit),
    [1000, 1000],
    'no empty page',
  );
  t.equal(venueDays(bitstamp, 'btcusd').requests({ now, from: june(10) }).length, 1);
  const [long] = venueDays(bitfinex, 'tBTCUSD').requests({ now, from: dayOf('2013-04-01') });
  t.match(long?.path, /tBTCUSD/);
});
