/** What `npm run normalise` writes, against what the streams gave while they were recorded. */
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { binance } from '../../../actors/venues/binance/index.ts';
import { okx } from '../../../actors/venues/okx/index.ts';
import { runCommand } from '../../support/command.ts';
import { recordedStage } from '../../support/recorded-stage.ts';
import { folderOf } from '../../support/recorder.ts';

/** Runs the command; the files that it has written, by name. */
async function normalised(
  t: Test,
  recordings: string,
  { out: known, ...args }: Readonly<Record<string, string>>,
) {
  const out = known ?? (await folderOf(t));
  const given = Object.entries({ ...args, recordings, out }).flatMap(([name, value]) => [
    `--${name}`,
    value,
  ]);
  const run = async () => {
    const said = await runCommand('cmd/normalise.ts', given, {});
    t.equal(said.code, 0, said.err);
    return said;
  };
  const said = await run();
  const names = (await readdir(out)).filter((name) => name.endsWith('.gz'));
  const files = new Map<string, Record<string, string>[]>();
  for (const name of names)
    files.set(name, tableIn(gunzipSync(await readFile(join(out, name))).toString()));
  return { out, files, said, run };
}

function tableIn(text: string): Record<string, string>[] {
  const [head = '', ...lines] = text.split('\n');
  const columns = head.split(',');
  return lines.slice(0, -1).map((line) => {
    const cells = line.split(',');
    return Object.fromEntries(columns.map((name, at) => [name, cells[at] ?? '']));
  });
}

/** The book that the rows of `incremental_book_L2` leave, read as Tardis documents them. */
function bookOf(rows: readonly Record<string, string>[]) {
  const sides = { bid: new Map<number, number>(), ask: new Map<number, number>() };
  let wasSnapshot = false;
  for (const { is_snapshot, side, price, amount } of rows) {
    const isSnapshot = is_snapshot === 'true';
    if (isSnapshot && !wasSnapshot) for (const one of Object.values(sides)) one.clear();
    wasSnapshot = isSnapshot;
    const levels = side === 'bid' ? sides.bid : sides.ask;
    if (Number(amount) === 0) levels.delete(Number(price));
    else levels.set(Number(price), Number(amount));
  }
  const sorted = (levels: Map<number, number>, sign: number) =>
    [...levels].sort(([a], [b]) => sign * (a - b)).flat();
  return { bids: sorted(sides.bid, -1), asks: sorted(sides.ask, 1) };
}

const iso = (time: number) => new Date(time).toISOString().slice(0, 23);
const l2 = (rows: Map<string, Record<string, string>[]>, exchange: string, symbol: string) =>
  rows.get(`${exchange}_incremental_book_L2_2023-11-14_${symbol}.csv.gz`) ?? [];

t.test('what was recorded is what the streams gave', async (t) => {
  const { clock, folder, pass, stop, kept } = await recordedStage(t, [binance, okx], ['BTC']);
  const begin = clock.now();
  const bookNow = () => kept.books.read('okx', 'swap', 'BTC-USDT-SWAP')?.book.book.native(1e9);
  await pass(20_000);
  const middle = { at: clock.now(), book: bookNow() };
  await pass(20_000);
  const tape = kept.trades.find('binance', 'linear', 'BTCUSDT');
  const heard = tape?.after(1).entries.flatMap((trade) => trade ?? []) ?? [];
  const last = bookNow();
  await stop();
  const whole = { from: iso(begin), to: iso(begin + 3_600_000) };

  t.test('trades', async (t) => {
    const asked = { ...whole, exchange: 'binance-futures', types: 'trades', symbols: 'BTCUSDT' };
    const { files, run, out } = await normalised(t, folder, asked);
    t.strictSame([...files.keys()], ['binance-futures_trades_2023-11-14_BTCUSDT.csv.gz']);
    const [rows = []] = files.values();
    t.ok(heard.length > 10, `${heard.length} trades`);
    t.strictSame(
      rows.map(({ id, price, amount, side, timestamp }) => [
        ...[id, Number(price), Number(amount), side, Number(timestamp)],
      ]),
      heard.map(({ id, price, quantity, bought, timestamp }) => [
        ...[id, price, quantity, bought ? 'buy' : 'sell', timestamp * 1_000],
      ]),
    );
    const head = [
      'exchange',
      'symbol',
      'timestamp',
      'local_timestamp',
      'id',
      'side',
      'price',
      'amount',
    ];
    t.strictSame(Object.keys(rows[0] ?? {}), head);
    t.match((await run()).err, /is there/, 'a day that is written is not written again');
    const later = { ...asked, out, from: iso(middle.at) };
    const part = (await normalised(t, folder, later)).said.err;
    t.notMatch(part, `${rows.length} rows`);
    t.match((await run()).err, `${rows.length} rows`, 'others were written in their place');
    await rm(join(out, 'binance-futures_trades_2023-11-14_BTCUSDT.csv.gz'));
    t.match((await run()).err, `${rows.length} rows`, 'it is gone');
  });

  const swap = { exchange: 'okx', symbols: 'BTC-USDT-SWAP' };
  const types = 'incremental_book_L2,quotes,book_snapshot_5,derivative_ticker,liquidations';
  const { files } = await normalised(t, folder, { ...whole, ...swap, types });

  t.test('a book, from its first message and from the middle of a file', async (t) => {
    const rows = l2(files, 'okex-swap', 'BTC-USDT-SWAP');
    t.strictSame(bookOf(rows), last);
    const range = { from: iso(middle.at + 1), to: iso(middle.at + 10_001) };
    const part = l2(
      (await normalised(t, folder, { ...range, ...swap, types: 'incremental_book_L2' })).files,
      'okex-swap',
      'BTC-USDT-SWAP',
    );
    const times = part.map((row) => Number(row.local_timestamp) / 1_000);
    t.ok(
      times.every((time) => time >= middle.at + 1 && time < middle.at + 10_001),
      'ten seconds',
    );
    t.equal(part[0]?.is_snapshot, 'true', 'it begins with a whole book');
    const until = rows.filter((row) => Number(row.local_timestamp) < (middle.at + 10_001) * 1_000);
    t.strictSame(bookOf(part), bookOf(until));
  });

  t.test('quotes, tickers and liquidations', async (t) => {
    const rowsOf = (type: string) =>
      files.get(`okex-swap_${type}_2023-11-14_BTC-USDT-SWAP.csv.gz`) ?? [];
    const best = rowsOf('quotes').at(-1);
    t.strictSame([best?.bid_price, best?.bid_amount].map(Number), last?.bids.slice(0, 2));
    t.strictSame([best?.ask_price, best?.ask_amount].map(Number), last?.asks.slice(0, 2));
    const five = rowsOf('book_snapshot_5').at(-1);
    t.equal(Number(five?.['asks[4].price']), last?.asks[8]);
    t.match(Object.keys(five ?? {}).slice(4, 9), [
      ...['asks[0].price', 'asks[0].amount', 'bids[0].price', 'bids[0].amount', 'asks[1].price'],
    ]);
    const ticker = rowsOf('derivative_ticker').at(-1);
    for (const name of ['funding_rate', 'open_interest', 'last_price', 'mark_price'])
      t.not(ticker?.[name], '', name);
    t.ok(rowsOf('liquidations').every(({ side }) => side === 'buy' || side === 'sell'));
  });

  t.test('Parquet, as DuckDB reads it', async (t) => {
    const types = 'trades,incremental_book_L2';
    const asked = {
      ...whole,
      exchange: 'binance-futures',
      types,
      symbols: 'BTCUSDT',
      format: 'parquet',
    };
    const { out } = await normalised(t, folder, asked);
    const file = (type: string) =>
      `'${join(out, `binance-futures_${type}_2023-11-14_BTCUSDT.parquet`)}'`;
    const sql = `select count(*)::int as rows, min(typeof(timestamp)) as type, epoch_us(min(timestamp)) as first,
      (select string_agg(distinct is_snapshot, ' ' order by is_snapshot) from ${file('incremental_book_L2')}) as words
      from ${file('trades')}`;
    const { out: found } = await runCommand('test/support/duckdb.ts', ['-c', sql], {});
    t.strictSame(JSON.parse(found), {
      rows: heard.length,
      type: 'TIMESTAMP WITH TIME ZONE',
      first: `${(heard[0]?.timestamp ?? 0) * 1_000}`,
      words: 'false true',
    });
  });
});
