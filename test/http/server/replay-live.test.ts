/** Messages of one form as they are recorded. */
import { once } from 'node:events';
import { join } from 'node:path';
import t from 'tap';
import { WebSocket } from 'ws';
import { systemClock as clock } from '../../../actors/kernel/clock.ts';
import { Recorder } from '../../../actors/sources/recording/recorder.ts';
import type { Venue } from '../../../actors/sources/venue.ts';
import { binance } from '../../../actors/venues/binance/index.ts';
import { okx } from '../../../actors/venues/okx/index.ts';
import { replaySource } from '../../../cmd/process/replay-source.ts';
import { listed } from '../../actors/venues/stream-suite.ts';
import { startServer } from '../../support/http.ts';
import { alice, gateOf } from '../../support/quota.ts';
import { folderOf } from '../../support/recorder.ts';
import { until } from '../../support/until.ts';

const markets = listed([{ market: 'BTCUSDT', symbol: 'BTC' }]);
const trade = (a: number) =>
  JSON.stringify({ e: 'aggTrade', s: 'BTCUSDT', a, p: '100', q: '2', T: Date.now(), m: false });

t.test('a client follows a recording from file to file', async (t) => {
  const dataDir = await folderOf(t);
  const recording = (process: string) => {
    const recorder = new Recorder({
      folder: join(dataDir, 'recordings'),
      types: new Set(['trades'] as const),
      exchanges: [],
      symbols: [],
      keepDays: 1,
      mostBytes: 1e12,
      process,
      clock,
      log: { error: () => {} },
      listed: () => markets,
      publish: () => {},
      free: async () => 1e12,
    });
    const stream = { name: 'trades/linear', part: 'linear', types: ['trades'] as const };
    const one = recorder.stream('binance', stream)?.connection('wss://x.example');
    one?.opened();
    return { hear: (a: number) => one?.hear(trade(a), () => true), stop: () => recorder.stop() };
  };
  const first = recording('1');
  t.teardown(first.stop);
  first.hear(1);
  const venues = new Map<string, Venue>([
    ['binance', binance],
    ['okx', okx],
  ]);
  let isValid = true;
  const server = await startServer(t, [], {
    replay: replaySource({ dataDir }, venues),
    gate: { ...gateOf({ good: alice }), holds: () => isValid },
  });
  const options = {
    exchange: 'binance-futures',
    dataTypes: ['trade'],
    withDisconnectMessages: true,
  };
  // Of the second nothing is recorded.
  const both = [options, { ...options, exchange: 'okx' }];
  const query = `options=${encodeURIComponent(JSON.stringify(both))}`;
  const socket = new WebSocket(
    `${server.url.replace('http', 'ws')}/ws-stream-normalized?${query}`,
    {
      headers: { 'x-api-key': 'good' },
    },
  );
  t.teardown(() => socket.terminate());
  const found: { type: string; id?: string }[] = [];
  socket.on('message', (data) => found.push(JSON.parse(`${data}`)));
  await once(socket, 'open');
  let sent = 1;
  await until(
    () => {
      first.hear(++sent);
      return found.length > 0;
    },
    'trades come',
    30_000,
    50,
  );
  t.not(found[0]?.id, '1', 'what was before is not sent');
  t.match(found[0], { type: 'trade', symbol: 'BTCUSDT', exchange: 'binance-futures', price: 100 });
  await first.stop();
  const second = recording('2');
  t.teardown(second.stop);
  second.hear(sent + 1);
  await until(() => found.at(-1)?.id === `${sent + 1}`, 'the next file is read');
  const ids = found.flatMap(({ id }) => (id === undefined ? [] : [Number(id)]));
  const begin = ids[0] ?? 0;
  t.strictSame(
    ids,
    ids.map((_, at) => begin + at),
    'each once',
  );
  t.ok(
    found.some(({ type }) => type === 'disconnect'),
    'the gap is told',
  );
  const closed = once(socket, 'close');
  const count = found.length;
  isValid = false;
  second.hear(sent + 2);
  t.equal((await closed)[0], 4401, 'a key that was revoked');
  t.equal(found.length, count, 'nothing more is sent for it');
});
