/** The files for freqtrade, as its JSON handlers read them: gzip, a list of lists, by position. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import t from 'tap';
import type { DerivativeEvent, TradeEvent } from '../../../../actors/replay/events.ts';
import { FreqtradeFiles } from '../../../../cmd/process/normalise/freqtrade.ts';
import { listed } from '../../../actors/venues/stream-suite.ts';
import { folderOf } from '../../../support/recorder.ts';

const start = Date.parse('2026-11-28T08:00:00Z');
const [instrument] = listed([
  { market: 'BTCUSD', symbol: 'BTC', quote: 'USDT', kind: 'perpetual', contract: 10 },
]).values();
if (!instrument) throw new Error('there is no market');
const at = (seconds: number) => {
  const local = (start + seconds * 1_000) * 1_000;
  return { part: 'linear', instrument, local, timestamp: local };
};
const trade = (
  seconds: number,
  price: number,
  amount: number,
  id: string | null = null,
): TradeEvent => ({
  type: 'trade',
  ...at(seconds),
  id,
  side: 'sell',
  price,
  amount,
});
const state = (seconds: number, mark: number, rate: number, due: number): DerivativeEvent => ({
  type: 'derivative_ticker',
  ...at(seconds),
  mark,
  index: null,
  last: null,
  openInterest: null,
  fundingRate: rate,
  fundingTime: start + due * 1_000,
  predictedRate: null,
});

t.test('candles, trades, funding and marks', async (t) => {
  const folder = await folderOf(t);
  const files = new FreqtradeFiles(folder, { from: start, to: start + 7_200_000 });
  files.see(at(-600).local);
  const events = [
    ...[trade(1, 100, 1, '7'), trade(30, 120, 2), trade(30, 90, 3), trade(61, 95, 1)],
    ...[state(70, 101, 0.0001, 3_600), state(3_500, 99, 0.0002, 3_600), trade(130, 96, 1)],
    { type: 'disconnect' as const, part: 'linear', local: at(140).local },
    ...[trade(200, 97, 1), trade(245, 98, 2), state(3_602, 100, 0.0003, 7_200)],
    trade(400, 50, 1),
  ];
  for (const event of events) files.add(event);
  files.see(at(7_000).local);
  await files.close();
  const read = async (name: string): Promise<unknown> =>
    JSON.parse(
      gunzipSync(
        await readFile(join(folder, 'futures', `BTC_USDT_USDT-${name}.json.gz`)),
      ).toString(),
    );
  const minute = (number: number) => start + number * 60_000;
  t.strictSame(
    await read('1m-futures'),
    [
      [minute(0), 100, 120, 90, 90, 60],
      [minute(1), 95, 95, 95, 95, 10],
      [minute(4), 98, 98, 98, 98, 20],
      [minute(6), 50, 50, 50, 50, 10],
    ],
    'the minutes with the gap and after it are left out',
  );
  t.strictSame(await read('1h-futures'), [], 'so is the hour');
  t.strictSame(await read('1h-funding_rate'), [[start + 3_600_000, 0.0002, 0, 0, 0, 0]]);
  t.strictSame(await read('1h-mark'), [], 'an hour with a gap');
  const trades = await read('trades');
  t.ok(Array.isArray(trades) && trades.length === 8);
  t.match(trades, [
    [start + 1_000, '7', null, 'sell', 100, 10, 1_000],
    [start + 30_000, '1', null, 'sell', 120, 20, 2_400],
    [start + 30_000, '2', null, 'sell', 90, 30, 2_700],
  ]);
  t.strictSame((await readdir(folder)).sort(), ['futures'], 'spot has none');
});

t.test('the first candle of a recording that has just begun is not whole', async (t) => {
  const folder = await folderOf(t);
  const files = new FreqtradeFiles(folder, { from: start, to: start + 600_000 });
  files.see(at(-5).local);
  for (const event of [trade(1, 100, 1), trade(61, 101, 1), trade(121, 102, 1)]) files.add(event);
  files.see(at(150).local);
  await files.close();
  const name = join(folder, 'futures', 'BTC_USDT_USDT-1m-futures.json.gz');
  t.strictSame(JSON.parse(gunzipSync(await readFile(name)).toString()), [
    [start + 60_000, 101, 101, 101, 101, 10],
  ]);
});

t.test(
  'a trade that comes late is the open or the close of its candle only by its time',
  async (t) => {
    const folder = await folderOf(t);
    const files = new FreqtradeFiles(folder, { from: start, to: start + 600_000 });
    files.see(at(-600).local);
    const events = [trade(2, 100, 1), trade(50, 110, 1), trade(40, 105, 1), trade(1, 99, 1)];
    for (const event of [...events, trade(61, 120, 1)]) files.add(event);
    files.see(at(150).local);
    await files.close();
    const name = join(folder, 'futures', 'BTC_USDT_USDT-1m-futures.json.gz');
    t.strictSame(JSON.parse(gunzipSync(await readFile(name)).toString()), [
      [start, 99, 110, 99, 110, 40],
      [start + 60_000, 120, 120, 120, 120, 10],
    ]);
  },
);
