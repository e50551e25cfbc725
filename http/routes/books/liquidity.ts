/** Spread, depth and slippage of order books, as they were sampled last and over time. */
import { type Recorded, recordedKey } from '../../../actors/topics/index.ts';
import { rowsIn } from '../../../indicators/market/recorded.ts';
import * as liquidities from '../../../indicators/order-book/liquidity.ts';
import type { BookKind } from '../../views/books.ts';
import { meaningsOf } from '../../views/markets.ts';
import { apiError, kit, params, s } from '../kit.ts';
import { type BooksContext, bookMarkets, exchangesOf } from './asset-books.ts';
import * as explained from './liquidity-explained.ts';

const kinds = ['spot', 'perpetual'] as const;
const kindParam = params.word(kinds, 'Kind of the market.');
const kindOfMarket = s.oneOf(kinds, 'Kind of the market.');
const both = 'Spot markets or perpetuals; both when absent.';

/** The exchanges with order books. */
const allOf = (context: BooksContext) => [
  ...new Set(kinds.flatMap((kind) => exchangesOf(context, kind))),
];

const thin = 'null where the known book is too thin or ends before it.';
const side = s.object({
  bid_usd: s.numberOrNull(`Bids within that distance of the mid price; ${thin}`),
  ask_usd: s.numberOrNull(`Asks within it; ${thin}`),
});

const depthSchema = s.mapOf(side, 'distance from the mid price, percent of it');
const slippageSchema = s.list(
  s.object({
    usd: s.number('Size of the order, US dollars.'),
    buy: s.numberOrNull(`Mean price of a purchase above the mid price, a fraction; ${thin}`),
    sell: s.numberOrNull(`Mean price of a sale below the mid price, a fraction; ${thin}`),
  }),
  'Smallest order first.',
);

/** A book that was sampled. */
interface Sampled
  extends liquidities.Liquidity,
    Pick<explained.ExplainedBook, 'exchange' | 'market' | 'kind'> {
  received: number;
  explanation?: explained.ExplainedBook['explanation'];
}

const item = kit.columns<Sampled>()({
  exchange: s.exchange,
  market: s.ownId,
  kind: kindOfMarket,
  mid_price: s.number('Between the best bid and ask, in quote, a dollar or a dollar stablecoin.'),
  spread_percent: s.number('Ask less bid, percent of the mid.'),
  depth: [
    depthSchema,
    ({ depth }) =>
      Object.fromEntries(
        liquidities.depthDistances.map((percent, i) => [
          percent,
          depth[i] ?? { bid_usd: null, ask_usd: null },
        ]),
      ),
  ],
  slippage: slippageSchema,
  as_of: [s.unixMs('When the book was received.'), 'received'],
  explanation: s.optional(explained.levelsOfBook),
});

interface Place {
  exchange: string;
  kind: BookKind;
}

const itemAt = kit.columns<kit.Sample<Place>>()({
  exchange: s.exchange,
  kind: kindOfMarket,
  ...kit.sampledCells,
  spread_percent: [s.numberOrNull('Ask less bid, percent of the mid.'), kit.recordedAs('spread')],
  depth: [
    depthSchema,
    ({ value }) =>
      Object.fromEntries(
        liquidities.depthDistances.map((percent) => [
          percent,
          { bid_usd: value(`bid_${percent * 100}`), ask_usd: value(`ask_${percent * 100}`) },
        ]),
      ),
  ],
  slippage: [
    slippageSchema,
    ({ value }) =>
      liquidities.orderSizes.map((usd) => ({
        usd,
        buy: value(`buy_${usd}`),
        sell: value(`sell_${usd}`),
      })),
  ],
});

/** The keys of the recorded books of an asset that are asked for. */
const keysOf = (context: BooksContext, symbol: string, asked: kit.CheckedValues) =>
  kinds
    .filter((kind) => (asked.kind ?? kind) === kind)
    .flatMap((kind) =>
      exchangesOf(context, kind)
        .filter((exchange) => (asked.exchange ?? exchange) === exchange)
        .map((exchange) => ({
          key: recordedKey(exchange, kind, symbol),
          labels: { exchange, kind },
        })),
    );

/** The sampled books of an asset, by exchange. */
const sampledOf = ({ books, clock }: BooksContext, symbol: string): Sampled[] =>
  kinds
    .flatMap((kind) =>
      books.samples({ kind, symbol }, clock.now()).flatMap(({ liquidity, ...row }) => {
        return liquidity === undefined ? [] : [{ ...row, ...liquidity, kind }];
      }),
    )
    .sort((a, b) => (a.exchange < b.exchange ? -1 : 1));

function liquidityRoute(context: BooksContext) {
  const { books, prices, clock } = context;
  const row = kit.table({
    path: '/v1/liquidity',
    summary: 'Spread, depth and slippage of the order books of an asset, by exchange',
    params: {
      symbol: params.assetIn(params.symbolOrBitcoin, (name) => prices.has(name)),
      kind: { ...kindParam, description: both },
      exchange: params.exchange(allOf(context)),
      explain: {
        ...params.explain,
        description:
          '1 asks for the book of `exchange` (of `kind`, spot when absent) now, and adds its levels, from which all numbers can be computed again.',
      },
    },
    fails: ['warming_up', 'upstream_failed'],
    columns: item,
    fields: { symbol: s.symbol },
    order: 'By exchange.',
    source: books.source,
    keysOf: ({ symbol }) => meaningsOf(symbol),
    find({ symbol, exchange, kind, explain }) {
      if (explain === '1') return explained.explainedAlone;
      const all = sampledOf(context, symbol);
      if (all.length > 0) {
        const rows = all.filter(
          (row) => (kind ?? row.kind) === row.kind && (exchange ?? row.exchange) === row.exchange,
        );
        return { symbol, rows, asOf: Math.max(...all.map(({ received }) => received)) };
      }
      if (books.isEmpty() && (prices.has(symbol) || prices.isEmpty())) return null;
      return apiError('unknown_symbol', `the order books of ${symbol} are not sampled`);
    },
  });
  const keys = (symbol: string, asked: kit.CheckedValues) => keysOf(context, symbol, asked);
  const known = kit.withPast(
    row,
    { series: 'liquidity', keys, columns: itemAt },
    {
      now: 'LiquidityOfBooks',
      title: 'LiquidityAt',
      what: 'the liquidity',
      choice: 'With `at`, what was recorded of the books, by kind and exchange.',
      view: prices,
      clock,
    },
  );
  return explained.withExplained(context, known, (symbol, one) => ({
    symbol,
    count: 1,
    items: item.all([one]),
  }));
}

/** The columns of the series, at one distance and one size. */
const pointsOf = ({ rows: [row] }: Recorded, distance: number, size: number) =>
  rowsIn(
    row,
    {},
    {
      spread_percent: 'spread',
      bid_depth_usd: `bid_${distance * 100}`,
      ask_depth_usd: `ask_${distance * 100}`,
      slippage_buy: `buy_${size}`,
      slippage_sell: `sell_${size}`,
    },
  );

const point = kit.columns<ReturnType<typeof pointsOf>[number]>()({
  timestamp: [s.unixMs('Start of the interval; values are those of its last minute.'), 'time'],
  spread_percent: s.numberOrNull('Ask less bid, percent of the mid.'),
  bid_depth_usd: s.numberOrNull(`Bids within \`depth_percent\` of the mid price; ${thin}`),
  ask_depth_usd: s.numberOrNull(`Asks within it; ${thin}`),
  slippage_buy: s.numberOrNull(`Slippage of a purchase of \`order_usd\`, a fraction; ${thin}`),
  slippage_sell: s.numberOrNull(`Slippage of a sale of it, a fraction; ${thin}`),
});

const asked = kit.repeated({
  exchange: s.exchange,
  kind: kindOfMarket,
  depth_percent: s.number('Distance from the mid price.'),
  order_usd: s.number('Size of the order.'),
});

/** One of some numbers, of which `what` says what they are. */
const oneOf = <const D extends number>(
  name: string,
  what: string,
  numbers: readonly number[],
  fallback: D,
) => params.numberOf(name, numbers, { fallback, description: `${what}: ${numbers.join(', ')}.` });

const liquidityHistoryRoutes = (context: BooksContext) =>
  kit.recorded({
    path: '/v1/liquidity/history',
    summary: 'Spread, depth and slippage of an order book over time, recorded each minute',
    params: {
      ...params.seriesParams(params.sixIntervals, 100, 1_000),
      symbol: {
        ...params.symbolOrBitcoin,
        resolve: ({ symbol, exchange, kind }: kit.CheckedValues) =>
          bookMarkets(context, {
            kind: kind === 'perpetual' ? kind : 'spot',
            symbol: String(symbol),
            exchange: String(exchange),
          }),
      },
      exchange: params.exchangeOrUsual(allOf(context), 'binance'),
      kind: { ...kindParam, default: 'spot' },
      depth_percent: oneOf(
        'depth_percent',
        'Distance from the mid price in percent',
        liquidities.depthDistances,
        1,
      ),
      order_usd: oneOf(
        'order_usd',
        'Size of the order in US dollars',
        liquidities.orderSizes,
        100_000,
      ),
    },
    series: 'liquidity',
    what: 'the recorded liquidity',
    keys: ({ exchange, kind, symbol }) => [recordedKey(exchange, kind, symbol)],
    range: kit.recordedSteps,
    head: asked,
    fold: (reply, { values: { depth_percent, order_usd, limit } }) =>
      pointsOf(reply, depth_percent, order_usd).slice(-limit),
    points: kit.points(point),
  });

/** The liquidity of sampled books: now, and as it was recorded. */
export const liquidityRoutes = (context: BooksContext) => [
  liquidityRoute(context),
  ...liquidityHistoryRoutes(context),
];
