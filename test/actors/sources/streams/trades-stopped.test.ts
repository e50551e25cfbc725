/** Trades that stop while their connection goes on, on a real WebSocket, with a clock that is moved by hand. */
import t from 'tap';
import { StatusRow } from '../../../../actors/sources/status/status.ts';
import { foldedTrades } from '../../../../actors/sources/streams/trades.ts';
import type { RecordRow } from '../../../../actors/topics/index.ts';
import { streamScene } from '../../../support/streaming.ts';
import { until } from '../../../support/until.ts';
import { listed } from '../../venues/stream-suite.ts';

const minute = 60_000;
const start = 1_750_000_020_000;

t.test('a channel that stops is no quiet market, and its connection is opened again', async (t) => {
  const { server, clock, supervisor, peer } = await streamScene(t, start);
  const stored: RecordRow[] = [];
  const status = new StatusRow({ source: 'x', topic: 'trades', part: 'all' }, () => {});
  let parsed = 0;
  const behaviour = foldedTrades({
    ...{ source: 'x', part: 'all', gateway: `http://${server.host}`, random: () => 0 },
    stream: {
      url: 'wss://x.example/stream',
      silence: minute,
      channels: (all) => [...all.keys()],
      /** `"A"` is a purchase of one A, now; Bybit, Bitfinex and Bitstamp do not number the trades of a market. */
      parse(message, { received: timestamp }) {
        parsed += 1;
        if (message === 'pong') return null;
        const trade = { market: `${message}`, id: null, price: 100, quantity: 1, bought: true };
        return { rows: [{ ...trade, timestamp }], dropped: [] };
      },
    },
    tracked: () => listed(['A', 'B'].map((market) => ({ market, symbol: market, kind: 'spot' }))),
    async record({ series, rows }) {
      if (series === 'footprint') stored.push(...rows);
      return null;
    },
    status,
  });
  supervisor.spawn({ name: 'all', behaviour });
  await peer(1, 2);
  const pass = async (turns: number, ...texts: string[]) => {
    for (let left = turns; left > 0; left--) {
      const before = parsed;
      for (const text of texts) server.peers.at(-1)?.send(text);
      await until(() => parsed === before + texts.length, 'they are read');
      await clock.advance(2_000);
      if (status.values.last_error === null || server.peers.length > 1) continue;
      await clock.advance(1_000);
      await peer(2, 2);
    }
  };
  const minutesOf = (market: string) =>
    stored
      .filter(({ key }) => key.endsWith(market))
      .map(({ time, values }) => [(time - start) / minute, values.trades]);
  await pass(75, 'A', 'B');
  t.strictSame(minutesOf('A'), [[1, 30]]);
  // In the middle of minute 2 the trades of A stop.
  await pass(20, 'pong', 'B');
  t.equal(server.attempts, 1);
  await pass(20, 'pong', 'B');
  const again = await peer(2, 2);
  t.strictSame(again.received, ['A', 'B']);
  t.match(status.values.last_error ?? {}, { message: /no data for \d+ ms$/ });
  await pass(120, 'A', 'B');
  t.strictSame(
    minutesOf('A').filter(([at]) => Number(at) < 4),
    [[1, 30]],
    'neither half of a minute nor minutes without trades are recorded',
  );
  t.ok(minutesOf('A').length > 2, 'those after it are');
});
