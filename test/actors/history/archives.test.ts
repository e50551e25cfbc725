/** The past out of an archive: which files are read, in which order, and what is stored of them. */
import t from 'tap';
import { afterPause, periodBefore } from '../../../actors/history/archive-files.ts';
import { candle, stage, start } from '../../support/archive.ts';
import { priceRow } from '../../support/makers.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

t.test('the file before a time: days of a month whose file is not there yet, then months', (t) => {
  const names = (before: number, count: number, isMonthly = false) => {
    const found: string[] = [];
    for (let next = before; found.length < count; ) {
      const { name, from } = periodBefore(next, start, isMonthly);
      found.push(name);
      next = from;
    }
    return found;
  };
  t.same(names(start, 3), ['2027-02-02', '2027-02-01', '2027-01-31']);
  t.same(names(Date.UTC(2027, 0, 2), 3), ['2027-01-01', '2026-12', '2026-11']);
  t.same(names(start, 2, true), ['2026-12', '2026-11']);
  t.equal(periodBefore(start + 8 * day, start + 8 * day).name, '2027-02-10');
  t.equal(periodBefore(Date.UTC(2027, 1), Date.UTC(2027, 1, 9)).name, '2027-01');
  t.end();
});

t.test('rows before a pause of more than two days may be of another coin', (t) => {
  const period = { name: 'x', from: 0, to: 10 * day };
  const after = (...days: number[]) => {
    const { rows, isBegin } = afterPause(
      days.map((one) => ({ time: one * day })),
      period,
    );
    return [rows.map(({ time }) => time / day), isBegin];
  };
  t.same(after(9, 1, 3, 5, 7), [[1, 3, 5, 7, 9], false]);
  t.same(after(1, 2, 5, 7, 9), [[5, 7, 9], true]);
  t.same(after(3, 5, 7, 9), [[3, 5, 7, 9], true], 'listed within it');
  t.same(after(1, 3, 5), [[], true], 'delisted within it');
  t.end();
});

const spot = '/data/spot/daily/klines/BTCUSDT/1m/BTCUSDT-1m-';
const perpetual = '/data/futures/um/daily/klines/1000PEPEUSDT/1m/1000PEPEUSDT-1m-';
const funding = '/data/futures/um/monthly/fundingRate/1000PEPEUSDT/1000PEPEUSDT-fundingRate-';

t.test('minutes, hours and fundings of the archive are stored as back-filled ones', async (t) => {
  const first = Date.UTC(2027, 1, 2);
  const wholeHour = Array.from({ length: 60 }, (_, i) =>
    candle((first + i * minute) * 1_000, i + 1),
  );
  const header =
    'open_time,open,high,low,close,volume,close_time,quote_volume,count,taker_buy_volume,taker_buy_quote_volume,ignore';
  const december = Date.UTC(2026, 11);
  const fundings = Array.from(
    { length: 93 },
    (_, i) => `${december + i * 8 * hour + 3},8,${(i + 1) / 1e6}`,
  );
  const { begin, files, stored, asked } = stage(t, {
    [`${spot}2027-02-02.zip`]: `${wholeHour.join('\n')}\n`,
    [`${perpetual}2027-02-02.zip`]: `${header}\n${candle(first, 4)}\n`,
    [`${funding}2026-12.zip`]: `calc_time,funding_interval_hours,last_funding_rate\n${fundings.join('\n')}`,
  });
  begin();
  await files(3);
  t.same(asked.toSorted(), [
    `${perpetual}2027-02-02.zip`,
    `${funding}2026-12.zip`,
    `${spot}2027-02-02.zip`,
  ]);
  const minutes = await stored('price', minute, 'spot/BTC');
  t.equal(minutes.length, 60);
  t.same(minutes[59], ['2027-02-02T00:59', 60, null, true]);
  t.same(await stored('price', hour, 'spot/BTC'), [['2027-02-02T00:00', 60, null, true]]);
  t.same(await stored('taker-flow', hour, 'binance/spot/BTC'), [
    ['2027-02-02T00:00', 240, 360, 60, true],
  ]);
  t.same(await stored('price', minute, 'perpetual/PEPE'), [
    ['2027-02-02T00:00', 0.004, null, true],
  ]);
  t.same(await stored('price', hour, 'perpetual/PEPE'), [], 'an hour that is not whole');
  const settled = await stored('funding', hour, 'binance/stable/PEPE');
  t.equal(settled.length, 93);
  t.same(settled[1], ['2026-12-01T08:00', 2e-6, 8, true]);
});

t.test(
  'a restart goes on, a damaged file is asked again, and a missing month is the end',
  async (t) => {
    const path = `${spot}2027-02-02.zip`;
    const table = candle(Date.UTC(2027, 1, 2), 3);
    const tables = { [path]: table, [`${perpetual}2027-02-02.zip`]: table };
    const { begin, files, stored, asked, damaged, clock } = stage(t, tables);
    damaged.add(path);
    const one = begin();
    await files(1);
    t.same(await stored('price', minute, 'spot/BTC'), []);
    damaged.clear();
    await files(20);
    t.equal((await stored('price', minute, 'spot/BTC')).length, 1);
    t.equal(asked.filter((file) => file === path).length, 2);
    await files(90);
    t.ok(asked.includes('/data/spot/monthly/klines/BTCUSDT/1m/BTCUSDT-1m-2026-12.zip'));
    t.notOk(
      asked.some((file) => file.includes('2026-11')),
      'nothing is asked beyond it',
    );
    await one.stop();
    const before = asked.length;
    begin();
    await clock.advance(hour);
    await files(1);
    t.equal(asked.length, before);
  },
);

t.test('yesterday is read when its file has come, and not left out', async (t) => {
  const yesterday = `${spot}2027-02-02.zip`;
  const tables: Record<string, string> = {
    [`${spot}2027-02-01.zip`]: candle(Date.UTC(2027, 1, 1), 6),
  };
  const { begin, files, stored, asked } = stage(t, tables);
  begin();
  await files(10);
  tables[yesterday] = candle(Date.UTC(2027, 1, 2), 7);
  await files(140);
  t.strictSame(
    (await stored('price', minute, 'spot/BTC')).map(([time, price]) => [time, price]),
    [
      ['2027-02-01T00:00', 6],
      ['2027-02-02T00:00', 7],
    ],
  );
  t.equal(asked.filter((file) => file === yesterday).length, 2, 'asked again after an hour');
});

t.test('where the most traded market is younger, the past is that of the next one', async (t) => {
  const december = Date.UTC(2026, 11);
  const days = (from: number, to: number, close: number) =>
    Array.from({ length: to - from }, (_, i) => candle(december + (from + i) * day, close)).join(
      '\n',
    );
  const monthly = (market: string, month: string) =>
    `/data/spot/monthly/klines/${market}/1m/${market}-1m-${month}.zip`;
  const newest = '/data/spot/daily/klines/BTCFDUSD/1m/BTCFDUSD-1m-2027-02-02.zip';
  const tables = {
    [newest]: candle(Date.UTC(2027, 1, 2), 7),
    [`${spot}2027-02-01.zip`]: candle(Date.UTC(2027, 1, 1), 6),
    [monthly('BTCFDUSD', '2026-12')]: days(19, 31, 5),
    [monthly('BTCUSDT', '2026-12')]: days(0, 31, 4),
    [monthly('BTCUSDT', '2026-11')]: days(-30, 0, 3),
  };
  const younger = priceRow({ market: 'BTCFDUSD', symbol: 'BTC', kind: 'spot', quote: 'FDUSD' });
  const { begin, files, stored } = stage(t, tables, { more: [{ ...younger, volume: 1e9 }] });
  begin();
  await files(150);
  const found = await stored('price', minute, 'spot/BTC');
  t.same(
    found
      .filter(([time]) => /-(01|20|30)T/.test(String(time)))
      .map(([time, price]) => [time, price]),
    [
      ['2026-11-01T00:00', 3],
      ['2026-11-20T00:00', 3],
      ['2026-11-30T00:00', 3],
      ['2026-12-01T00:00', 4],
      ['2026-12-20T00:00', 5],
      ['2026-12-30T00:00', 5],
      ['2027-02-01T00:00', 6],
    ],
  );
});

t.test('a file that was being stored when the process stopped is read again', async (t) => {
  const tables = { [`${spot}2027-02-02.zip`]: candle(Date.UTC(2027, 1, 2), 3) };
  const { hooks, begin, files, stored } = stage(t, tables);
  const one = begin();
  hooks.written = () => void one.stop();
  await files(1);
  t.equal((await stored('price', minute, 'spot/BTC')).length, 1);
  t.strictSame(await stored('taker-flow', minute, 'binance/spot/BTC'), [], 'not all is stored');
  hooks.written = () => {};
  begin();
  await files(2);
  t.strictSame(await stored('taker-flow', minute, 'binance/spot/BTC'), [
    ['2027-02-02T00:00', 4, 6, 1, true],
  ]);
});
