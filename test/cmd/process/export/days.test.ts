/** Files of rows: of a service, whole or not there, not written twice, read by DuckDB. */

import { mkdtemp, readdir, readFile, rm, utimes } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import t, { type Test } from 'tap';
import { claim, daysIn, fileOf, isWhole } from '../../../../cmd/process/export/days.ts';
import { saveDay } from '../../../../cmd/process/export/download.ts';
import { optionsOf } from '../../../../cmd/process/export/options.ts';

const hour = 3_600_000;
const [first, second] = [Date.UTC(2026, 0, 1), Date.UTC(2026, 0, 2)];
const now = Date.UTC(2026, 0, 2, 6);

const args = (out: string, ...more: string[]) => [
  ...['--columns', 'close,funding_rate', '--from', '2026-01-01T12:00Z', '--out', out],
  ...more,
];
const key = { exportKey: 'tm_test' };

/** A service that gives a row each hour as CSV, whatever is asked for, and refuses what `refuse` says, or cuts the connection. */
async function service(
  t: Test,
  refuse: (count: number) => [number, object | string] | 'cut' | null = () => null,
) {
  const asked: URLSearchParams[] = [];
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://x');
    asked.push(searchParams);
    const refused = refuse(asked.length);
    if (refused === 'cut') {
      response.writeHead(200, { 'content-type': 'text/csv', 'content-length': '99' }).write('half');
      setImmediate(() => response.destroy());
      return;
    }
    if (refused) {
      const [status, body] = refused;
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      response.writeHead(status, { 'retry-after': '7' }).end(text);
      return;
    }
    const [from, to] = [Number(searchParams.get('from')), Number(searchParams.get('to'))];
    const lines = ['timestamp,exchange,symbol,close,funding_rate'];
    for (let time = Math.ceil(from / hour) * hour; time <= to; time += hour)
      lines.push(`${time},binance,BTC,${time / hour},`);
    const type = { 'content-type': 'text/csv; charset=utf-8' };
    response.writeHead(200, type).end(`${lines.join('\r\n')}\r\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { asked, url: `http://127.0.0.1:${port}` };
}

async function folderFor(t: Test): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'export-'));
  t.teardown(() => rm(folder, { recursive: true }));
  return folder;
}

const noWait = async () => {};

t.test('a file a day, which DuckDB reads as one table with its days', async (t) => {
  const { url, asked } = await service(t);
  const out = await folderFor(t);
  const options = optionsOf(args(out, '--url', url, '--format', 'csv'), key, now);
  const days = daysIn(options);
  t.strictSame(days, [
    { name: '2026-01-01', from: first + 12 * hour, to: second },
    { name: '2026-01-02', from: second, to: now },
  ]);
  for (const one of days) {
    const path = fileOf(out, one, options);
    const bytes = await saveDay(path, options, one, noWait);
    t.equal(bytes, (await readFile(path)).length);
  }
  t.match(Object.fromEntries(asked[0] ?? []), {
    columns: 'close,funding_rate',
    format: 'csv',
    from: `${first + 12 * hour}`,
    to: `${second - 1}`,
  });
  const database = await DuckDBInstance.create(':memory:');
  const connection = await database.connect();
  const result = await connection.runAndReadAll(
    `SELECT date::VARCHAR, count(*)::INTEGER, min(close)::DOUBLE, max(timestamp)::DOUBLE, count(funding_rate)::INTEGER
     FROM read_csv('${out}/*/rows.csv', hive_partitioning = true) GROUP BY date ORDER BY date`,
  );
  connection.closeSync();
  database.closeSync();
  t.strictSame(result.getRowsJS(), [
    ['2026-01-01', 12, first / hour + 12, second - hour, 0],
    ['2026-01-02', 6, second / hour, now - hour, 0],
  ]);
});

t.test(
  'what passes is tried again, what does not ends it and leaves the file before',
  async (t) => {
    const out = await folderFor(t);
    const waits: number[] = [];
    const sleep = async (ms: number) => void waits.push(ms);
    const of = (url: string) => optionsOf(args(out, '--url', url, '--format', 'csv'), key, now);
    const busy = await service(t, (count) =>
      count === 1 ? [429, {}] : count === 2 ? 'cut' : null,
    );
    const [one] = daysIn(of(busy.url));
    if (!one) throw new Error('no day');
    const path = fileOf(out, one, of(busy.url));
    await saveDay(path, of(busy.url), one, sleep);
    t.strictSame(waits, [7_000, 2_000], 'as the answer says, else twice as long each time');
    const before = await readFile(path, 'utf8');
    t.equal(before.split('\r\n').length, 14);
    const closed = await service(t, () => [401, { message: 'no such key' }]);
    await t.rejects(saveDay(path, of(closed.url), one, sleep), {
      message: /status 401: no such key/,
    });
    t.equal(closed.asked.length, 1, 'a refusal is not tried again');
    const page = await service(t, () => [404, '<html>']);
    await t.rejects(saveDay(path, of(page.url), one, sleep), { message: /status 404/ });
    t.equal(page.asked.length, 1);
    const other = optionsOf(args(out, '--url', busy.url, '--format', 'parquet'), key, now);
    await t.rejects(saveDay(path, other, one, sleep), { message: /is --url that of Tidemark/ });
    const down = await service(t, () => [503, {}]);
    await t.rejects(saveDay(path, of(down.url), one, sleep), { message: /status 503/ });
    t.equal(down.asked.length, 8);
    t.strictSame(await readFile(path, 'utf8'), before);
    t.strictSame(await readdir(join(path, '..')), ['rows.csv']);
  },
);

t.test('a whole day is not asked again, a part of one is', async (t) => {
  const { url } = await service(t);
  const out = await folderFor(t);
  const options = optionsOf(args(out, '--url', url, '--format', 'csv'), key, now);
  const whole = { name: '2026-01-01', from: first, to: second };
  const path = fileOf(out, whole, options);
  t.equal(await isWhole(path, whole), false);
  await saveDay(path, options, whole, noWait);
  const writtenAt = (time: number) => utimes(path, time / 1_000, time / 1_000);
  await writtenAt(second + 5 * 60_000);
  t.equal(await isWhole(path, whole), false, 'its last rows may have come later');
  await writtenAt(second + hour);
  t.equal(await isWhole(path, whole), true);
  t.equal(await isWhole(path, { ...whole, from: first + hour }), false, 'a part of a day');
});

t.test('a folder holds files of one request', async (t) => {
  const out = await folderFor(t);
  const options = optionsOf(args(out), key, now);
  await claim(out, options);
  await claim(out, options);
  await t.rejects(claim(out, { ...options, format: 'csv' }), { message: /another form/ });
});

t.test('a command line that cannot be carried out says what is wrong', async (t) => {
  const wrong: [string[], RegExp][] = [
    [['--columns', 'close', '--from', '2026-01-01'], /--out is missing/],
    [args('x', '--from', 'yesterday'), /--from must be a day such as/],
    [args('x', '--to', '2025-01-01'), /--from must be before --to/],
    [args('x', '--format', 'xls'), /--format must be one of csv, parquet|csv\|parquet/],
    [args('x', '--url', 'ftp://x'), /--url must be an http/],
    [args('x', '--nosuch'), /nosuch/],
  ];
  for (const [line, message] of wrong) t.throws(() => optionsOf(line, key, now), { message });
  t.throws(() => optionsOf(args('x'), { exportKey: null }, now), { message: /EXPORT_KEY/ });
});
