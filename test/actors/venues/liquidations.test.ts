/** Every stream of liquidations in the registry: genuine recordings where there are any, and the simulator. `suite/streams.ts` has their fixtures. */
import t from 'tap';
import { Counter } from '../../../actors/sources/status/status.ts';
import { Connections } from '../../../actors/sources/streams/connections.ts';
import { EachFold } from '../../../actors/sources/streams/events.ts';
import type { Venue } from '../../../actors/sources/venue.ts';
import type { Liquidation } from '../../../actors/topics/index.ts';
import { liquidationKey } from '../../../actors/topics/liquidations.ts';
import { pieces } from '../../../actors/venues/cells.ts';
import {
  closedBy,
  type LiquidationColumns,
  liquidationOf,
  liquidationStream,
  liquidationsOf,
  openedBy,
  perpetualsOf,
} from '../../../actors/venues/liquidations.ts';
import { venues } from '../../../actors/venues/registry.ts';
import { startSimulator } from '../../../scripts/simulator/main.ts';
import { FakeClock } from '../../support/clock.ts';
import { absent, recording } from '../../support/recordings.ts';
import { tableOf, wordIn } from '../../support/table.ts';
import { until } from '../../support/until.ts';
import { context, instrumentIn, listed, rounded } from './stream-suite.ts';

const streams = Object.values<Venue>(venues).flatMap(({ id, events }) =>
  Object.entries(events?.liquidations ?? {}).map(([part, stream]) => ({
    name: `${id}/${part}`,
    id,
    stream,
  })),
);

const [plain] = listed([
  { market: 'BTCUSDT', symbol: 'BTC', contract: 0.01, scale: 1000 },
]).values();
const forced = { s: 'A', price: '50', quantity: '200', at: 1_750_000_000_000, side: 'sell' };
const columns: LiquidationColumns = {
  market: 's',
  price: 'price',
  kind: 'fill',
  quantity: 'quantity',
  at: 'at',
  side: ({ side }) => closedBy(side),
};
const stated: LiquidationColumns = { ...columns, value: 'value', id: 'id' };

t.test('a liquidation in canonical units', async (t) => {
  if (!plain) throw new Error('no instrument');
  const usual = { symbol: 'BTC', contract: 'BTCUSDT', side: 'long', price_kind: 'fill' };
  const event = { ...usual, price: 0.05, timestamp: 1_750_000_000_000 };
  t.strictSame(liquidationOf(forced, plain, columns), {
    ...event,
    quantity_base: 2_000,
    value_usd: 100,
  });
  const read = (row: object) => liquidationOf({ ...forced, ...row }, plain, stated);
  t.match(read({ value: 99, id: '7' }), { value_usd: 99, id: '7' });
  t.match(read({ value: 99, id: '' }), { value_usd: 99, id: undefined });
  const inverse = { ...plain, inverse: true, contract: 100 };
  t.match(liquidationOf(forced, inverse, columns), { quantity_base: 400_000, value_usd: 20_000 });
  t.match(read({ value: 1e10 }), { value_usd: 1e10 });
  const small = { price: 0.5, quantity: 0.02, value: 0.1 };
  t.match(read(small), { price: 0.0005, quantity_base: 0.2, value_usd: 0.1 });
  const more: LiquidationColumns = {
    ...columns,
    kind: () => 'average',
    more(found, { sz }) {
      found.quantity_contracts = Number(sz);
    },
  };
  t.match(liquidationOf({ ...forced, sz: 3 }, plain, more), {
    price_kind: 'average',
    quantity_contracts: 3,
  });
  const bad = [
    { side: null },
    { at: null },
    { price: 0 },
    { price: 'x' },
    { quantity: 0 },
    { quantity: 1e308, value: 1 },
    { value: 0 },
    { value: 1.01e10 },
  ];
  for (const one of bad) t.equal(read({ value: 99, ...one }), null, JSON.stringify(one));
});

t.test('rows of wanted markets: those that are followed, and their dated contracts', async (t) => {
  const instruments = listed([
    { market: 'A', symbol: 'BTC' },
    { market: 'DATED', symbol: 'BTC', kind: 'other' },
    { market: 'SHARE', symbol: 'TSLA', kind: 'other' },
    { market: 'CROSS', symbol: 'ETH', quote: 'BTC' },
    { market: 'S', symbol: 'ETH', kind: 'spot' },
  ]);
  t.strictSame(perpetualsOf(instruments), ['A', 'CROSS']);
  const markets = ['A', 'DATED', 'SHARE', 'CROSS', 'S', 'GONE'].map((name) => ({
    ...forced,
    s: name,
  }));
  const rows = [...markets, { ...forced, side: 'both' }, 7];
  const parsed = liquidationsOf(rows, instruments, columns);
  t.strictSame(
    parsed.rows.map(({ contract }) => contract),
    ['A', 'DATED', 'S'],
  );
  t.strictSame(parsed.dropped, [
    { key: 'GONE', code: 'unknown_instrument' },
    { key: 'A', code: 'bad_row' },
    { key: '', code: 'bad_row' },
  ]);
  t.strictSame(liquidationsOf(rows, instruments, columns), parsed, 'and again');
  const made = liquidationStream({
    url: 'wss://x.example/stream',
    silence: 60_000,
    channels: () => [],
    rows: (message) => (Array.isArray(message) ? message : null),
    columns,
  });
  t.equal(made.keyOf, liquidationKey);
  t.equal(made.parse('pong', { received: 1, instruments }), null, 'no data');
  t.strictSame(made.parse(rows, { received: 1, instruments }), parsed);
});

t.test('sides of orders and positions, pieces, and the keys of events', async (t) => {
  const words = ['sell', 'Sell', 'SELL', 'buy', 'Buy', 'BUY', 'hold', null];
  const [long, short] = [Array(3).fill('long'), Array(3).fill('short')];
  t.strictSame(words.map(closedBy), [...long, ...short, null, null]);
  t.strictSame(words.map(openedBy), [...short, ...long, null, null]);
  t.strictSame(pieces([1, 2, 3], 2), [[1, 2], [3]]);
  t.strictSame(pieces([], 2), []);
  if (!plain) throw new Error('no instrument');
  const market = plain;
  const [event, other] = ['sell', 'buy'].map((side) =>
    liquidationOf({ ...forced, side }, market, columns),
  );
  if (!event || !other) throw new Error('no event');
  const [at, price, base] = [1_750_000_000_000, 0.05, 2_000];
  t.equal(liquidationKey(event), `BTCUSDT|${at}|long|${price}|${base}`);
  t.equal(liquidationKey(other), `BTCUSDT|${at}|short|${price}|${base}`);
  t.equal(liquidationKey({ ...event, id: '7' }), 'BTCUSDT|7');
});

/** Recorded frames: the stream, the market of an event, and its side, base quantity and dollars; frames without events have no side. */
const recorded = tableOf('recorded/liquidations');

t.test('recorded frames', { skip: absent }, async (t) => {
  for (const row of recorded) {
    const [venue = '', frame = ''] = wordIn(row.file).split('/');
    const message = recording(venue, frame)?.response;
    const stream = streams.find((one) => one.name === row.stream)?.stream;
    const events = stream?.parse(message, context([instrumentIn(row)]))?.rows ?? [];
    t.strictSame(
      rounded(events.map((event) => [event.side, event.quantity_base, event.value_usd])),
      rounded(row.side === undefined ? [] : [[row.side, row.base, row.usd]]),
      `${row.file}`,
    );
  }
  const lone = recording('lighter', 'ws-liquidation-trade')?.response;
  const message = { type: 'update/trade', trades: [], liquidation_trades: [lone] };
  const lighter = streams.find(({ name }) => name === 'lighter/all')?.stream;
  const rows = [{ market: '0', symbol: 'ETH', quote: 'USDC' }];
  t.match(lighter?.parse(message, context(rows))?.rows, [
    { side: 'long', quantity_base: 0.0346, value_usd: 104.79821, price: 3_028.85 },
  ]);
});

t.test('the simulator sends the liquidations of its world', async (t) => {
  const clock = new FakeClock(1_790_000_000_000);
  const simulator = await startSimulator({ symbols: 16, clock });
  const open: Connections[] = [];
  t.teardown(async () => {
    await Promise.all(open.map((connections) => connections.close()));
    await simulator.close();
  });
  for (const { name, id, stream } of streams) {
    const truths = simulator.model.truths(id);
    const instruments = listed(
      truths.map(({ market, kind, symbol, quote, contract, inverse, scale }) => ({
        market,
        kind,
        symbol,
        quote,
        contract,
        inverse,
        scale,
      })),
    );
    const part = name.split('/')[1] ?? '';
    const groups: Readonly<Record<string, string>> = {
      'binance/linear': 'fapi',
      'binance/inverse': 'dapi',
      'okx/swap': 'SWAP FUTURES',
    };
    const group = groups[name] ?? part;
    const inPart = simulator.model
      .markets(id, clock.now())
      .filter((market) => group.split(' ').includes(market.group));
    const ids = new Set(inPart.map((market) => market.id));
    const own = new Map([...instruments].filter(([market]) => ids.has(market)));
    const counter = new Counter();
    const fold = new EachFold<Liquidation>(stream.keyOf, counter);
    const connections = new Connections({
      stream,
      clock,
      gateway: simulator.url,
      random: () => 0,
      onMessage(message) {
        const found = stream.parse(message, { received: clock.now(), instruments: own });
        if (found) fold.accept(found, clock.now());
        return found !== null;
      },
      expects: 'nothing',
      onEnd() {},
      onReady() {},
      onError: (error) => t.fail(`${error}`),
    });
    open.push(connections);
    connections.subscribe(own);
    await until(async () => {
      await clock.advance(1_000);
      const isWhole = connections.open.every(({ subscriptions }) => !subscriptions.isPartial);
      return isWhole && fold.waiting.length > 0;
    }, `${name}: all is acknowledged, and there is one`);
    t.strictSame(counter.counts, {}, `${name}: every message and row is readable`);
    for (const { contract, price, quantity_base, value_usd } of fold.waiting) {
      t.ok(value_usd > 30 && value_usd < 400_000, `${name} ${contract}: ${value_usd} dollars`);
      const worth = value_usd / (price * quantity_base);
      t.ok(Math.abs(worth - 1) < 0.01, `${name} ${contract}: ${worth} of price times quantity`);
    }
    connections.close();
  }
});
