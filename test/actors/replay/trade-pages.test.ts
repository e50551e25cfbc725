/** Pages of recorded trades. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import t from 'tap';
import { tradePage } from '../../../actors/replay/trade-pages.ts';
import { binance } from '../../../actors/venues/binance/index.ts';
import { folderOf } from '../../support/recorder.ts';
import { listed } from '../venues/stream-suite.ts';

const noon = Date.parse('2026-11-29T12:00:00Z');
const hour = 3_600_000;

t.test('a page of a market that is not traded ends as well, and the next goes on', async (t) => {
  const folder = await folderOf(t);
  const day = join(folder, 'binance', '2026-11-29');
  await mkdir(day, { recursive: true });
  const rows = [...listed([{ market: 'BTCUSDT', symbol: 'BTC' }]).values()];
  const trade = { e: 'aggTrade', s: 'BTCUSDT', a: 7, p: '100', q: '2', T: noon, m: false };
  const put = (file: number, end: number, more: readonly unknown[] = []) => {
    const at = (noon + file * hour) * 1_000;
    const lines = [
      {
        kind: 'file',
        t: at,
        version: 1,
        exchange: 'binance',
        process: 'p',
        follows: null,
        types: [],
        symbols: [],
      },
      { kind: 'instruments', t: at, part: 'linear', rows },
      {
        kind: 'open',
        t: at,
        c: 1,
        stream: 'trades/linear',
        part: 'linear',
        url: 'wss://x.example',
      },
      ...more,
      [at + end, 1, { result: null, id: 1 }],
    ];
    const text = lines.map((line) => `${JSON.stringify(line)}\n`);
    const name = `${12 + file}0000000-p.jsonl.zst`;
    return writeFile(join(day, name), zstdCompressSync(Buffer.from(text.join(''))));
  };
  await put(0, 11);
  await put(1, 12);
  await put(2, 14, [[(noon + 2 * hour) * 1_000 + 13, 1, trade]]);
  const question = { market: 'BTCUSDT', from: noon, to: noon + 3 * hour, limit: 5 };
  const pageAfter = async (cursor: string | null) => {
    const page = await tradePage(folder, binance, { ...question, cursor }, 0);
    return [page?.trades.map(({ id }) => id), page?.next];
  };
  const ends = [11, 12, 14].map((end, file) => `${(noon + file * hour) * 1_000 + end}-0`);
  const [first = '', second = '', third = ''] = ends;
  t.strictSame(await pageAfter(null), [[], first]);
  t.strictSame(await pageAfter(first), [[], second]);
  t.strictSame(await pageAfter(second), [['7'], third]);
  t.strictSame(await pageAfter(third), [[], null]);
});

t.test('gaps are those of the market, and the time before the recording', async (t) => {
  const folder = await folderOf(t);
  const day = join(folder, 'binance', '2026-11-29');
  await mkdir(day, { recursive: true });
  const rows = [...listed([{ market: 'BTCUSDT', symbol: 'BTC' }]).values()];
  const at = noon * 1_000;
  const head = { kind: 'file', version: 1, exchange: 'binance', process: 'p', follows: null };
  const open = (c: number, part: string) => ({
    kind: 'open',
    t: at,
    c,
    stream: `trades/${part}`,
    part,
    url: 'wss://x.example',
  });
  const end = (c: number, ms: number) => ({ kind: 'end', t: at + ms * 1_000, c, why: 'reset' });
  const lines = [
    { ...head, t: at, types: [], symbols: [] },
    { kind: 'instruments', t: at, part: 'linear', rows },
    ...[open(1, 'linear'), open(2, 'spot'), end(2, 3), end(1, 7)],
  ];
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  await writeFile(join(day, '120000000-p.jsonl.zst'), zstdCompressSync(Buffer.from(text)));
  const gapsFrom = async (from: number) => {
    const question = { market: 'BTCUSDT', to: noon + hour, limit: 5, cursor: null };
    return (await tradePage(folder, binance, { ...question, from }))?.gaps;
  };
  t.strictSame(await gapsFrom(noon), [noon + 7]);
  t.strictSame(await gapsFrom(noon - 1), [noon, noon + 7]);
});
