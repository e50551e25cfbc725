/** Trades that were missed while a connection was lost are asked for: its minutes are whole, the tape has no hole, and they are recorded. */
import t from 'tap';
import { Normaliser } from '../../../../actors/replay/normaliser.ts';
import { linesIn } from '../../../../actors/replay/reader.ts';
import { StatusRow } from '../../../../actors/sources/status/status.ts';
import type { TradeStream } from '../../../../actors/sources/streams/stream.ts';
import { LiveTrades } from '../../../../actors/sources/streams/trade-tape.ts';
import { foldedTrades } from '../../../../actors/sources/streams/trades.ts';
import type { PublicTrade, RecordRow } from '../../../../actors/topics/index.ts';
import { binance } from '../../../../actors/venues/binance/index.ts';
import { settle } from '../../../support/clock.ts';
import { recording } from '../../../support/recorder.ts';
import { streamScene } from '../../../support/streaming.ts';
import { until } from '../../../support/until.ts';
import { listed } from '../../venues/stream-suite.ts';

const minute = 60_000;
const start = 1_750_000_020_000;

/** `7` is a trade of that number, `"a"` one of that name: a purchase of one A, now. */
const stream: TradeStream = {
  url: 'wss://x.example/stream',
  channels: (markets) => [...markets.keys()],
  silence: 30 * minute,
  parse(message, { received: timestamp }) {
    const own = typeof message === 'number' ? { id: message } : { id: null, name: `${message}` };
    const trade = { market: 'A', ...own, price: 100, quantity: 1, bought: true, timestamp };
    return { rows: [trade], dropped: [] };
  },
};

async function scene(t: Parameters<typeof streamScene>[0], answer: readonly string[]) {
  const { server, clock, supervisor } = await streamScene(t, start);
  const { recorder, folder } = await recording(t, clock);
  const stored: RecordRow[] = [];
  const live = new LiveTrades();
  const status = new StatusRow({ source: 'x', topic: 'trades', part: 'spot' }, () => {});
  const behaviour = foldedTrades({
    source: 'x',
    part: 'spot',
    gateway: `http://${server.host}`,
    random: () => 0,
    stream,
    live,
    status,
    recording: recorder.stream('x', { name: 'trades/spot', part: 'spot', types: ['trades'] }),
    tracked: () => listed([{ market: 'A', symbol: 'A' }]),
    newest: async () =>
      answer.map((id): PublicTrade => {
        return { id, price: 90, quantity: 2, bought: false, timestamp: clock.now() - 2_000 };
      }),
    async record({ series, rows }) {
      if (series === 'footprint') stored.push(...rows);
      return null;
    },
  });
  supervisor.spawn({ name: 'all', behaviour });
  await settle();
  const heard = () =>
    live
      .find('x', 'spot', 'A')
      ?.after(1)
      .entries.map((one) => one?.id) ?? [];
  await until(() => server.peers.length === 1, 'it is connected');
  /** Sends trades, and waits until the last one is on the tape. */
  const send = async (...trades: (number | string)[]) => {
    for (const one of trades) server.peers.at(-1)?.send(JSON.stringify(one));
    await until(async () => {
      await clock.advance(250);
      return heard().at(-1) === `${trades.at(-1)}`;
    }, 'they are taken');
  };
  const reconnect = async () => {
    const before = server.peers.length;
    server.peers.at(-1)?.reset();
    await until(async () => {
      await clock.advance(1_000);
      return server.peers.length > before;
    }, 'it connects again');
  };
  return { clock, recorder, folder, stored, heard, send, reconnect };
}

/** What a recording has of trades and gaps: ids, those that were asked for with a star. */
async function recordedIn(folder: string): Promise<string[]> {
  const found: string[] = [];
  const normaliser = new Normaliser({
    venue: { ...binance, trades: { spot: stream } },
    types: new Set(['trade']),
    wants: () => true,
    from: 0,
    emit(event) {
      if (event.type === 'disconnect') found.push('gap');
      if (event.type === 'trade')
        found.push(`${event.id}${event.recovered ? ` * ${event.price} ${event.amount}` : ''}`);
    },
  });
  for await (const lines of linesIn(folder, 'x', { from: start, to: start + 60 * minute }))
    for (const line of lines) normaliser.take(line);
  return found;
}

t.test('by number', async (t) => {
  const { clock, recorder, folder, stored, heard, send, reconnect } = await scene(t, [
    ...['9', '8', '7', '6', '5', '4', '3'],
  ]);
  await send(1, 2, 3);
  await clock.advance(minute);
  await send(4, 5);
  await reconnect();
  await send(8, 9);
  t.strictSame(heard(), ['1', '2', '3', '4', '5', '6', '7', '8', '9']);
  await clock.advance(minute);
  await send(10);
  await clock.advance(minute);
  t.match(
    stored.map(({ values }) => [values.trades, values.low]),
    [[6, 90]],
    'the minute is whole',
  );
  await send(13);
  t.strictSame(heard().slice(-2), [undefined, '13'], 'what is not given stays a hole');
  await recorder.stop();
  t.strictSame(await recordedIn(folder), [
    ...['1', '2', '3', '4', '5', 'gap', '8', '9', '6 * 90 2', '7 * 90 2', '10', '13'],
  ]);
});

t.test('by name', async (t) => {
  const { clock, heard, send, reconnect } = await scene(t, ['e', 'd', 'c', 'b']);
  await send('a', 'b');
  await clock.advance(5_000);
  await reconnect();
  await send('d');
  t.strictSame(heard(), ['a', 'b', 'c', 'd']);
  await reconnect();
  await send('h', 'i');
  t.strictSame(heard().slice(-3), [undefined, 'h', 'i']);
});
