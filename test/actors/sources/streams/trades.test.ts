/** What is special of the sink of trades, on a real WebSocket, with a clock that is moved by hand. */
import t from 'tap';
import { type Failure, failed, ShapeError } from '../../../../actors/failure.ts';
import { StatusRow } from '../../../../actors/sources/status/status.ts';
import { LiveTrades } from '../../../../actors/sources/streams/trade-tape.ts';
import { foldedTrades } from '../../../../actors/sources/streams/trades.ts';
import type { FeedStatus, RecordRow } from '../../../../actors/topics/index.ts';
import { settle } from '../../../support/clock.ts';
import { streamScene } from '../../../support/streaming.ts';
import { until } from '../../../support/until.ts';
import { listed } from '../../venues/stream-suite.ts';

const minute = 60_000;
const start = 1_750_000_020_000;

t.test('complete minutes are stored once the history accepts them', async (t) => {
  const { server, clock, supervisor } = await streamScene(t, start);
  const statuses: FeedStatus[] = [];
  const stored: RecordRow[] = [];
  let parsed = 0;
  const history = { refusal: null as Failure | null };
  const live = new LiveTrades();
  const behaviour = foldedTrades({
    ...{ source: 'x', part: 'all', gateway: `http://${server.host}`, random: () => 0 },
    stream: {
      url: 'wss://x.example/stream',
      channels: (markets) => [...markets.keys()],
      silence: 30 * minute,
      /** `[id, price]` is a purchase of one unit, now; one without a price cannot be used. */
      parse(message, { received: timestamp }) {
        parsed += 1;
        if (!Array.isArray(message)) throw new ShapeError('no list');
        const [id, price] = message;
        if (price === undefined) return { rows: [], dropped: [{ key: 'A', code: 'bad_row' }] };
        const trade = { market: 'A', id, price, quantity: 1, bought: true, timestamp };
        return { rows: [trade], dropped: [] };
      },
    },
    tracked: () => listed([{ market: 'A', symbol: 'A' }]),
    live,
    async record({ series, rows }) {
      if (history.refusal === null && series === 'footprint') stored.push(...rows);
      return history.refusal;
    },
    status: new StatusRow({ source: 'x', topic: 'trades', part: 'all' }, (one) =>
      statuses.push(one),
    ),
  });
  supervisor.spawn({ name: 'all', behaviour });
  await settle();
  await until(() => server.peers.length === 1, 'it is connected');
  /** Sends messages and waits until they are read; the status of the minute counts them. */
  const send = async (...texts: string[]) => {
    const peer = server.peers.at(-1);
    const before = parsed;
    for (const text of texts) peer?.send(text);
    await until(() => parsed === before + texts.length, 'they are read');
  };
  await send('[1,100]');
  await clock.advance(minute + 5_000);
  await send('[2,100]', 'nonsense', '[2]', '[3,101]', '[3,101]');
  history.refusal = failed('unavailable', 'there is no history').failure;
  await clock.advance(minute);
  t.same(stored, []);
  t.match(statuses.at(-1), { state: 'up', rows: 1 });
  t.strictSame(statuses.at(-1)?.dropped, { bad_message: 1, bad_row: 1 });
  history.refusal = null;
  await clock.advance(10_000);
  t.match(stored, [
    { key: 'x/A', time: start + minute, values: { open: 100, close: 101, buy_base_0: 1 } },
  ]);
  await send('[5,101]');
  await clock.advance(minute);
  t.match(statuses.at(-1), { dropped: { gap: 1 } });
  t.equal(stored.length, 1, 'a minute with a hole is not stored');
  await clock.advance(minute);
  t.equal(stored.length, 2, 'one without a trade is');
  server.peers.at(-1)?.reset();
  await until(async () => {
    await clock.advance(1_000);
    return server.peers.length === 2;
  }, 'it connects again');
  await send('[6,102]');
  await clock.advance(minute);
  t.equal(stored.length, 3, 'nothing was missed meanwhile');
  const { entries = [] } = live.find('x', 'all', 'A')?.after(0) ?? {};
  const heard = entries.map((one) => one && Number(one.id));
  t.same(heard, [1, 2, 3, null, 5, 6], 'the tape has each once, and a hole where 4 is missing');
});

t.test('rows that wait while others are handed over are handed over at the stop', async (t) => {
  const { server, clock, supervisor, peer } = await streamScene(t, start);
  const asked: number[][] = [];
  let answer = (_: Failure | null) => {};
  let parsed = 0;
  const behaviour = foldedTrades({
    ...{ source: 'x', part: 'all', gateway: `http://${server.host}`, random: () => 0 },
    stream: {
      url: 'wss://x.example/stream',
      channels: (markets) => [...markets.keys()],
      silence: 30 * minute,
      parse(id, { received: timestamp }) {
        parsed += 1;
        const trade = { market: 'A', id: Number(id), price: 100, quantity: 1, bought: true };
        return { rows: [{ ...trade, timestamp }], dropped: [] };
      },
    },
    tracked: () => listed([{ market: 'A', symbol: 'A' }]),
    record({ series, rows }) {
      if (series !== 'footprint') return Promise.resolve(null);
      asked.push(rows.map(({ time }) => (time - start) / minute));
      if (asked.length > 1) return Promise.resolve(null);
      return new Promise((resolve) => {
        answer = resolve;
      });
    },
    status: new StatusRow({ source: 'x', topic: 'trades', part: 'all' }, () => {}),
  });
  supervisor.spawn({ name: 'all', behaviour });
  const one = await peer(1);
  one.send('1');
  await until(() => parsed === 1, 'the first trade is read');
  await clock.advance(minute + 5_000);
  one.send('2');
  await until(() => parsed === 2, 'the second one is read');
  await clock.advance(2 * minute);
  t.strictSame(asked, [[1]], 'the history has not answered');
  const stopped = supervisor.stop();
  await settle();
  answer(null);
  await stopped;
  t.strictSame(asked, [[1], [2]], 'the row that was there already is not asked for again');
});

t.test(
  'trades without numbers: one connection at a time, and what cannot be read ends a minute',
  async (t) => {
    const { server, clock, supervisor, peer } = await streamScene(t, start);
    const stored: RecordRow[] = [];
    let parsed = 0;
    const behaviour = foldedTrades({
      ...{ source: 'x', part: 'all', gateway: `http://${server.host}`, random: () => 0 },
      stream: {
        url: 'wss://x.example/stream',
        channels: (all) => [...all.keys()],
        silence: 60 * minute,
        acknowledges: (message) => (message === 'yes' ? 1 : 0),
        ends: (message) => message === 'bye',
        /** A number is a purchase at that price, now. */
        parse(message, { received: timestamp }) {
          parsed += 1;
          if (message === 'yes' || message === 'bye') return null;
          if (message === '?') return { rows: [], dropped: [{ key: 'A', code: 'bad_row' }] };
          if (typeof message !== 'number') throw new ShapeError('no number');
          const trade = { market: 'A', id: null, price: message, quantity: 1, bought: true };
          return { rows: [{ ...trade, timestamp }], dropped: [] };
        },
      },
      tracked: () => listed([{ market: 'A', symbol: 'A', kind: 'spot' }]),
      async record({ series, rows }) {
        if (series === 'footprint') stored.push(...rows);
        return null;
      },
      status: new StatusRow({ source: 'x', topic: 'trades', part: 'all' }, () => {}),
    });
    supervisor.spawn({ name: 'all', behaviour });
    const first = await peer(1);
    const send = async (to: typeof first, ...texts: string[]) => {
      const before = parsed;
      for (const text of texts) to.send(text);
      await until(() => parsed === before + texts.length, 'they are read');
    };
    const minutes = () =>
      stored.map(({ key, time, values }) => [key, (time - start) / minute, values.buy_base_0]);
    // The first trade stands in minute 0: minute 1 is whole.
    await send(first, '"yes"', '100');
    await clock.advance(minute + 5_000);
    await send(first, '100', '100');
    await clock.advance(minute);
    t.strictSame(minutes(), [['x/spot/A', 1, 2]]);
    // Of minute 2 a row, of minute 3 a message cannot be read.
    await send(first, '100', '"?"', '100');
    await clock.advance(minute);
    await send(first, '100', '{}');
    await clock.advance(1_000);
    await send(first, '100');
    await clock.advance(minute - 1_000);
    t.equal(stored.length, 1);
    // Minute 4 is whole. In minute 5 another connection takes over and brings the trades again.
    await send(first, '100', '100', '100');
    await clock.advance(minute);
    t.strictSame(minutes().slice(1), [['x/spot/A', 4, 3]]);
    await clock.advance(minute);
    await send(first, '"bye"');
    const second = await peer(2);
    stored.length = 0;
    await send(first, '100');
    await send(second, '100');
    await send(second, '"yes"');
    await until(() => server.connections() === 1, 'the first one is closed');
    await send(second, '100');
    await clock.advance(minute);
    await send(second, '100', '100');
    await clock.advance(minute);
    // In minute 6 the first connection ended, and it is not known what followed; minute 7 has the two of the second one.
    t.strictSame(minutes(), [['x/spot/A', 7, 2]]);
  },
);

const five = start - 2 * minute;

t.test('each whole minute is a row of the taker flow', async (t) => {
  const { server, clock, supervisor, peer } = await streamScene(t, five - minute);
  const stored: [series: string, row: RecordRow][] = [];
  let parsed = 0;
  const behaviour = foldedTrades({
    ...{ source: 'x', part: 'all', gateway: `http://${server.host}`, random: () => 0 },
    stream: {
      url: 'wss://x.example/stream',
      channels: (all) => [...all.keys()],
      silence: 60 * minute,
      /** `[id, quantity]` is a purchase at 10, now; a sale where the quantity is negative. */
      parse(message, { received: timestamp }) {
        parsed += 1;
        const [id, units] = Array.isArray(message) ? message : [];
        const trade = { market: 'A', id, price: 10, quantity: Math.abs(units), bought: units > 0 };
        return { rows: [{ ...trade, timestamp }], dropped: [] };
      },
    },
    tracked: () => listed([{ market: 'A', symbol: 'BTC', kind: 'perpetual' }]),
    async record({ series, rows }) {
      stored.push(...rows.map((row): [string, RecordRow] => [series, row]));
      return null;
    },
    status: new StatusRow({ source: 'x', topic: 'trades', part: 'all' }, () => {}),
  });
  supervisor.spawn({ name: 'all', behaviour });
  const one = await peer(1);
  // The number that is missing may be of the fourth minute or the fifth.
  for (const [at, units] of [1, 2, -3, 4, 5, 6, 7].entries()) {
    const before = parsed;
    one.send(JSON.stringify([at < 4 ? at + 1 : at + 2, units]));
    await until(() => parsed === before + 1, 'it is read');
    await clock.advance(minute);
  }
  const flows = stored.filter(([series]) => series === 'taker-flow').map(([, row]) => row);
  // At 10; the first minute was under way when the stream began.
  t.strictSame(
    flows.map(({ key, time, values }) => [key, (time - five) / minute, values]),
    [
      ['x/perpetual/BTC', 0, { buy_usd: 20, sell_usd: 0, minutes: 1 }],
      ['x/perpetual/BTC', 1, { buy_usd: 0, sell_usd: 30, minutes: 1 }],
      ['x/perpetual/BTC', 4, { buy_usd: 60, sell_usd: 0, minutes: 1 }],
    ],
  );
});
