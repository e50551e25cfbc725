/** The past out of an archive: which files are read, in which order, and what is stored of them. */
import t from 'tap';
import { afterPause, dayFrom, periodBefore } from '../../../actors/history/archive-files.ts';
import { candle, stage, start } from '../../support/archive.ts';
import { priceRow } from '../../support/makers.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const today = Date.UTC(2027, 1, 3);

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
  t.same(names(today, 3), ['2027-02-02', '2027-02-01', '2027-01-31']);
  t.same(names(Date.UTC(2027, 0, 2), 3), ['2027-01-01', '2026-12', '2026-11']);
  t.same(names(today, 2, true), ['2026-12', '2026-11']);
  t.equal(periodBefore(today + 8 * day, start + 8 * day).name, '2027-02-10');
  t.equal(periodBefore(Date.UTC(2027, 1), Date.UTC(2027, 1, 9)).name, '2027-01');
  t.equal(dayFrom(today - day, start)?.name, '2027-02-02');
  t.equal(dayFrom(today, start), null, 'it has not ended');
  t.end();
});

t.test('rows before a pause of more than two days may be of another coin', (t) => {
  const after = (...days: number[]) => {
    const rows = days.map((one) => ({ time: one * day }));
    return afterPause(rows, 10 * day).map(({ time }) => time / day);
  };
  t.same(after(9, 1, 3, 5, 7), [1, 3, 5, 7, 9]);
  t.same(after(1, 2, 5, 7, 9), [5, 7, 9]);
  t.same(after(1, 3, 5), [], 'delisted since');
  t.end();
});

const spot = '/data/spot/daily/klines/BTCUSDT/1m/BTCUSDT-1m-';
const perpetual = '/data/futures/um/daily/klines/1000PEPEUSDT/1m/1000PEPEUSDT-1m-';
const funding = '/data/futures/um/monthly/fundingRate/1000PEPEUSDT/1000PEPEUSDT-fundingRate-';

t.test('minutes, hours and fundings of the archive are stored as back-filled ones', async (t) => {
  const first = Date.UTC(2027, 0, 31);
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
  const { begin, files, stored } = stage(t, {
    [`${spot}2027-01-31.zip`]: `${wholeHour.join('\n')}\n`,
    [`${perpetual}2027-01-31.zip`]: `${header}\n${candle(first, 4)}\n`,
    [`${funding}2026-12.zip`]: `calc_time,funding_interval_hours,last_funding_rate\n${fundings.join('\n')}`,
  });
  begin();
  await files(70);
  const minutes = await stored('price', minute, 'spot/BTC');
  t.equal(minutes.length, 60);
  t.same(minutes[59], ['2027-01-31T00:59', 60, null, true]);
  t.same(await stored('price', hour, 'spot/BTC'), [['2027-01-31T00:00', 60, null, true]]);
  t.same(await stored('taker-flow', hour, 'binance/spot/BTC'), [
    ['2027-01-31T00:00', 240, 360, 60, true],
  ]);
  t.same(await stored('price', minute, 'perpetual/PEPE'), [
    ['2027-01-31T00:00', 0.004, null, true],
  ]);
  t.same(await stored('price', hour, 'perpetual/PEPE'), [], 'an hour that is not whole');
  const settled = await stored('funding', hour, 'binance/stable/PEPE');
  t.equal(settled.length, 93);
  t.same(settled[1], ['2026-12-01T08:00', 2e-6, 8, true]);
});

t.test(
  'a restart goes on, a damaged file is asked again, and a missing month is the end',
  async (t) => {
    const path = `${spot}2027-01-31.zip`;
    const table = candle(Date.UTC(2027, 0, 31), 3);
    const tables = { [path]: table, [`${perpetual}2027-01-31.zip`]: table };
    const { begin, files, stored, asked, damaged, clock } = stage(t, tables);
    damaged.add(path);
    const one = begin();
    await files(1);
    t.same(await stored('price', minute, 'spot/BTC'), []);
    damaged.clear();
    await files(80);
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
    await files(4);
    t.strictSame(
      [...new Set(asked.slice(before))].toSorted(),
      [`${perpetual}2027-02-01.zip`, `${spot}2027-02-01.zip`],
      'nothing but the next days',
    );
  },
);

t.test('days are read when their files have come, and older ones meanwhile', async (t) => {
  const tables: Record<string, string> = {
    [`${spot}2027-01-31.zip`]: candle(Date.UTC(2027, 0, 31), 6),
    [`${spot}2027-01-30.zip`]: candle(Date.UTC(2027, 0, 30), 5),
    [`${spot}2027-02-02.zip`]: candle(Date.UTC(2027, 1, 2), 8),
    [`${spot}2027-02-03.zip`]: candle(today, 9),
  };
  const { clock, begin, files, stored, asked } = stage(t, tables);
  const prices = async () =>
    (await stored('price', minute, 'spot/BTC')).map(([time, price]) => [time, price]);
  const one = begin();
  await files(10);
  t.strictSame(await prices(), [
    ['2027-01-30T00:00', 5],
    ['2027-01-31T00:00', 6],
  ]);
  tables[`${spot}2027-02-01.zip`] = candle(Date.UTC(2027, 1, 1), 7);
  await files(280);
  t.equal(asked.filter((file) => file === `${spot}2027-02-01.zip`).length, 2, 'asked again');
  t.notOk(asked.includes(`${spot}2027-02-03.zip`), 'that day has not ended');
  await one.stop();
  begin();
  await clock.advance(16 * hour);
  await files(130);
  t.strictSame((await prices()).slice(2), [
    ['2027-02-01T00:00', 7],
    ['2027-02-02T00:00', 8],
    // The day of the start: its minutes before that are in no other place.
    ['2027-02-03T00:00', 9],
  ]);
});

t.test('a day whose file does not come in three days is left out', async (t) => {
  const tables = { [`${spot}2027-02-01.zip`]: candle(Date.UTC(2027, 1, 1), 7) };
  const { clock, begin, files, stored } = stage(t, tables);
  begin();
  await clock.advance(15 * hour);
  await files(10);
  t.same(await stored('price', minute, 'spot/BTC'), []);
  await clock.advance(2 * hour);
  await files(130);
  t.equal((await stored('price', minute, 'spot/BTC')).length, 1);
});

t.test('a month that comes late is asked again until it has come', async (t) => {
  const january = Date.UTC(2027, 0);
  const path = `${funding}2027-01.zip`;
  const tables: Record<string, string> = {
    [`${funding}2026-12.zip`]: `${january - 8 * hour},8,0.0002`,
  };
  // 2027-02-09T08:00Z: it is expected since midnight.
  const { begin, files, stored, asked } = stage(t, tables, { at: start + 6 * day });
  const fundings = async () =>
    (await stored('funding', hour, 'binance/stable/PEPE')).map(([time, rate]) => [time, rate]);
  begin();
  await files(2 * 60 * 3);
  t.ok(asked.filter((file) => file === path).length > 2);
  t.same(await fundings(), [], 'no older one before it');
  const times = Array.from({ length: 93 }, (_, i) => january + i * 8 * hour);
  tables[path] = times.map((time) => `${time},8,0.0001`).join('\n');
  await files(2 * 60 * 2);
  const found = await fundings();
  t.equal(found.length, 94);
  t.strictSame(found.slice(0, 2), [
    ['2026-12-31T16:00', 0.0002],
    ['2027-01-01T00:00', 0.0001],
  ]);
});

t.test('a month that has not come after sixteen days is before the first one', async (t) => {
  const tables = { [`${funding}2026-12.zip`]: `${Date.UTC(2027, 0) - 8 * hour},8,0.0002` };
  const { clock, begin, files, asked, stored } = stage(t, tables, { at: start + 13 * day });
  begin();
  await files(60);
  await clock.advance(17 * hour);
  await files(130);
  t.ok(asked.includes(`${funding}2027-01.zip`));
  t.notOk(asked.includes(`${funding}2026-12.zip`));
  t.same(await stored('funding', hour, 'binance/stable/PEPE'), []);
});

t.test('where the most traded market is younger, the past is that of the next one', async (t) => {
  const december = Date.UTC(2026, 11);
  const days = (from: number, to: number, close: number) =>
    Array.from({ length: to - from }, (_, i) => candle(december + (from + i) * day, close)).join(
      '\n',
    );
  const monthly = (market: string, month: string) =>
    `/data/spot/monthly/klines/${market}/1m/${market}-1m-${month}.zip`;
  const newest = '/data/spot/daily/klines/BTCFDUSD/1m/BTCFDUSD-1m-2027-01-31.zip';
  const tables = {
    [newest]: candle(Date.UTC(2027, 0, 31, 9), 7),
    [`${spot}2027-01-31.zip`]: `${candle(Date.UTC(2027, 0, 31), 6)}\n${candle(Date.UTC(2027, 0, 31, 9), 1)}`,
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
      .filter(([time]) => /-(01|20|30|31)T/.test(String(time)))
      .map(([time, price]) => [time, price]),
    [
      ['2026-11-01T00:00', 3],
      ['2026-11-20T00:00', 3],
      ['2026-11-30T00:00', 3],
      ['2026-12-01T00:00', 4],
      ['2026-12-20T00:00', 5],
      ['2026-12-30T00:00', 5],
      ['2026-12-31T00:00', 5],
      ['2027-01-31T00:00', 6],
      ['2027-01-31T09:00', 7],
    ],
  );
});

t.test('a file that was being stored when the process stopped is read again', async (t) => {
  const tables = { [`${spot}2027-01-31.zip`]: candle(Date.UTC(2027, 0, 31), 3) };
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
    ['2027-01-31T00:00', 4, 6, 1, true],
  ]);
});
