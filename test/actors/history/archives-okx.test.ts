/** The past out of the archive of OKX, and beside that of Binance. */
import { strToU8, zipSync } from 'fflate';
import t from 'tap';
import { linesIn } from '../../../actors/history/archive-files.ts';
import { archives } from '../../../actors/history/archive-table.ts';
import { candle, stage, start } from '../../support/archive.ts';
import { priceRow } from '../../support/makers.ts';

const [, table] = archives;
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const spot = '/data/spot/daily/klines/BTCUSDT/1m/BTCUSDT-1m-';
const perpetual = '/data/futures/um/daily/klines/1000PEPEUSDT/1m/1000PEPEUSDT-1m-';

/** Markets of OKX: XRP has a spot market at Binance in some tests, PI in none. */
const onOkx = [
  priceRow({ market: 'PI-USDT', symbol: 'PI', kind: 'spot', quote: 'USDT' }),
  priceRow({ market: 'PI-USDT-SWAP', symbol: 'PI', kind: 'perpetual', quote: 'USDT' }),
  priceRow({ market: 'XRP-USDT', symbol: 'XRP', kind: 'spot', quote: 'USDT' }),
];
const okxCandles = (market: string, every: string, period: string) =>
  `/cdn/okex/traderecords/candlesticks/${every}/${period.replaceAll('-', '')}/${market}-candlesticks-${period}.zip`;
const okxHeader = 'instrument_name,open,high,low,close,vol,vol_ccy,vol_quote,open_time,confirm';
/** A candle of OKX of one minute; the volumes are those of all trades. */
const okxCandle = (market: string, time: number, close: number) =>
  `${market},1,2,0.5,${close},500,5,10,${time},0`;
const okxTable = (...lines: readonly string[]) => [okxHeader, ...lines, ''].join('\n');

t.test('candles of OKX: days of UTC+8, by the times of their rows, each once', async (t) => {
  const from = Date.UTC(2027, 0, 30, 16);
  const lines = Array.from({ length: 60 }, (_, i) =>
    okxCandle('PI-USDT', from + i * minute, i + 1),
  );
  const last = okxCandle('PI-USDT', Date.UTC(2027, 0, 31, 15, 59), 70);
  const { begin, files, stored } = stage(
    t,
    {
      [okxCandles('PI-USDT', 'daily', '2027-01-31')]: okxTable(
        last,
        ...lines,
        ...lines.slice(5, 7),
      ),
      [okxCandles('PI-USDT', 'daily', '2027-01-30')]: okxTable(
        okxCandle('PI-USDT', from - minute, 0.5),
      ),
      [okxCandles('PI-USDT-SWAP', 'daily', '2027-01-31')]: okxTable(
        okxCandle('PI-USDT-SWAP', from, 8),
      ),
    },
    { okx: onOkx },
  );
  begin();
  await files(20);
  const minutes = await stored('price', minute, 'spot/PI');
  t.equal(minutes.length, 62);
  t.strictSame(
    [minutes[0], minutes[1], minutes[60], minutes[61]],
    [
      ['2027-01-30T15:59', 0.5, null, true],
      ['2027-01-30T16:00', 1, null, true],
      ['2027-01-30T16:59', 60, null, true],
      ['2027-01-31T15:59', 70, null, true],
    ],
  );
  t.strictSame(await stored('price', hour, 'spot/PI'), [['2027-01-30T16:00', 60, null, true]]);
  t.strictSame(await stored('price', minute, 'perpetual/PI'), [
    ['2027-01-30T16:00', 8, null, true],
  ]);
  t.strictSame(await stored('taker-flow', minute, 'okx/spot/PI'), [], 'it does not state takers');
});

t.test('before the time of minutes hours are read, those of OKX out of its minutes', async (t) => {
  const from = Date.UTC(2024, 10, 30, 14);
  const lines = Array.from({ length: 60 }, (_, i) =>
    okxCandle('PI-USDT', from + i * minute, i + 1),
  );
  const path = okxCandles('PI-USDT', 'monthly', '2024-11');
  const { store, begin, files, stored, asked } = stage(
    t,
    { [path]: okxTable(...lines) },
    { okx: onOkx },
  );
  const to = `${Date.UTC(2024, 11)} ${start}`;
  const positions = ['PI', 'BTC'].map((symbol) => ({ name: `archive:candles:spot/${symbol}`, to }));
  await store.write({ writes: [], positions });
  begin();
  await files(250);
  t.ok(asked.includes('/data/spot/monthly/klines/BTCUSDT/1h/BTCUSDT-1h-2024-11.zip'));
  t.strictSame(await stored('price', hour, 'spot/PI'), [['2024-11-30T14:00', 60, null, true]]);
  t.strictSame(await stored('price', minute, 'spot/PI'), []);
});

t.test('what is not the table of a market is refused whole', (t) => {
  const read = (text: string) => linesIn(zipSync({ 'x.csv': strToU8(text) }), table.fundings, 'A');
  t.strictSame(read('instrument_name,funding_rate,funding_time\nA,0.1,5'), [
    { market: 'A', rate: '0.1', time: '5' },
  ]);
  t.throws(
    () => read('instrument_name,funding_rate,funding_time\nA,0.1,5\nB,0.1,5'),
    /not about A/,
  );
  const expected =
    'instrument_name/x,contract_type/x,funding_rate/x,real_funding_rate/x,funding_time/x';
  t.throws(() => read(`${expected}\nA,swap,0.1,0.2,5`), /no market,time,rate/);
  t.end();
});

t.test('fundings of OKX have the hours since the one before', async (t) => {
  const first = Date.UTC(2026, 10, 30, 16);
  // Every eight hours until midnight of the last day, then every four.
  const times = [
    ...Array.from({ length: 92 }, (_, i) => first + i * 8 * hour),
    ...[4, 8, 12].map((hours) => Date.UTC(2026, 11, 31, hours)),
  ];
  const lines = times.map((time, i) => `PI-USDT-SWAP,${(i + 1) / 1e6},${time + 4_000}`);
  const path =
    '/cdn/okex/traderecords/swaprates/monthly/202612/PI-USDT-SWAP-fundingrates-2026-12.zip';
  const text = ['instrument_name,funding_rate,funding_time', ...lines].join('\n');
  const { begin, files, stored } = stage(t, { [path]: text }, { okx: onOkx });
  begin();
  await files(200);
  const settled = await stored('funding', hour, 'okx/stable/PI');
  t.equal(settled.length, 95);
  t.strictSame(
    [settled[0], settled[91], settled[92], settled[94]],
    [
      ['2026-11-30T16:00', 1e-6, 8, true],
      ['2026-12-31T00:00', 9.2e-5, 8, true],
      ['2026-12-31T04:00', 9.3e-5, 4, true],
      ['2026-12-31T12:00', 9.5e-5, 4, true],
    ],
  );
});

t.test(
  'Binance is read before OKX, and OKX where Binance did not have the asset yet',
  async (t) => {
    const december = Date.UTC(2026, 11);
    const binance = '/data/spot/monthly/klines/XRPUSDT/1m/XRPUSDT-1m-';
    const daily = '/data/spot/daily/klines/XRPUSDT/1m/XRPUSDT-1m-2027-01-31.zip';
    const days = (from: number, to: number, line: (time: number) => string) =>
      Array.from({ length: to - from }, (_, i) => line(december + (from + i) * day));
    const okxLine = (time: number) => okxCandle('XRP-USDT', time, 3);
    const tables: Record<string, string> = {
      [okxCandles('XRP-USDT', 'daily', '2027-01-31')]: okxTable(okxLine(Date.UTC(2027, 0, 31))),
      [`${binance}2026-12.zip`]: days(19, 31, (time) => candle(time, 5)).join('\n'),
      [okxCandles('XRP-USDT', 'monthly', '2026-12')]: okxTable(...days(0, 31, okxLine)),
      [okxCandles('XRP-USDT', 'monthly', '2026-11')]: okxTable(...days(-30, 0, okxLine)),
    };
    const more = [priceRow({ market: 'XRPUSDT', symbol: 'XRP', kind: 'spot', quote: 'USDT' })];
    const { begin, files, stored } = stage(t, tables, { more, okx: onOkx });
    begin();
    await files(10);
    t.strictSame(
      await stored('price', minute, 'spot/XRP'),
      [],
      'the file of Binance may still come',
    );
    tables[daily] = candle(Date.UTC(2027, 0, 31), 7);
    await files(300);
    const found = await stored('price', minute, 'spot/XRP');
    t.strictSame(
      found
        .filter(([time]) => /(11-01|12-19|12-20|01-31)T/.test(String(time)))
        .map(([time, price]) => [time, price]),
      [
        ['2026-11-01T00:00', 3],
        ['2026-12-19T00:00', 3],
        ['2026-12-20T00:00', 5],
        ['2027-01-31T00:00', 7],
      ],
    );
  },
);

t.test('an archive that refuses does not hold up the others', async (t) => {
  const tables = { [`${spot}2027-01-31.zip`]: candle(Date.UTC(2027, 0, 31), 3) };
  const { begin, files, stored, refusing, damaged } = stage(t, tables, { okx: onOkx });
  refusing.add('okx');
  damaged.add(`${perpetual}2027-01-31.zip`);
  begin();
  await files(12);
  t.equal((await stored('price', minute, 'spot/BTC')).length, 1);
});
