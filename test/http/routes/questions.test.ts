/**
 * What each endpoint asks of which source, by the values that its parameters may have: equal to a table, which changes on
 * purpose only. The markets are those of the fixtures of all venues.
 */
import t from 'tap';
import { failed } from '../../../actors/failure.ts';
import { isApiError } from '../../../http/errors.ts';
import { orderFlowRoutes } from '../../../http/routes/analytics/order-flow.ts';
import { bookRoutes } from '../../../http/routes/books/index.ts';
import { largeOrderRoutes } from '../../../http/routes/books/large-orders.ts';
import { settledRoutes } from '../../../http/routes/funding/history.ts';
import { fundingRoutes } from '../../../http/routes/funding/index.ts';
import { allRoutes } from '../../../http/routes/index.ts';
import { indicatorRoutes } from '../../../http/routes/indicators.ts';
import { liquidationRoutes } from '../../../http/routes/liquidations/index.ts';
import { mapRoutes } from '../../../http/routes/liquidations/map.ts';
import { marketRoutes } from '../../../http/routes/market.ts';
import { marketTables } from '../../../http/routes/markets/index.ts';
import { moversRoutes } from '../../../http/routes/markets/movers.ts';
import { optionsRoutes } from '../../../http/routes/options/index.ts';
import type { Route } from '../../../http/routes/route.ts';
import { Snapshot } from '../../../http/snapshots.ts';
import { routes as documented } from '../../../scripts/docs/routes.ts';
import { FakeClock } from '../../support/clock.ts';
import { grouped, sameAsDeclared } from '../../support/declared.ts';
import { askRow, fresh, frontQueries, queryBus } from '../../support/queries.ts';
import {
  cold,
  contextFor,
  now,
  rowsOf,
  usualOf,
  type Values,
  views,
} from '../../support/route-stage.ts';

/** Those of some modules, of the folders, and all. */
const makers = [
  ...[largeOrderRoutes, settledRoutes, mapRoutes, orderFlowRoutes, moversRoutes, bookRoutes],
  ...[
    fundingRoutes,
    liquidationRoutes,
    marketTables,
    optionsRoutes,
    marketRoutes,
    indicatorRoutes,
    allRoutes,
  ],
];
const routes = rowsOf(makers);

function asked({ from }: Route, values: Values): string[] {
  if (!('query' in from)) return [];
  const found = from.query(values);
  if (isApiError(found)) return [`${found.error}: ${found.message}`];
  if (!('source' in found)) return ['an answer without a question'];
  const { source, name, params, also = [], beside, what, form, refresh } = found;
  return [
    `${name} of ${source} ${JSON.stringify(params)} for ${what}`,
    ...also.map((one) => `also ${one.source} ${JSON.stringify(one.params)}`),
    ...(beside === undefined ? [] : [`beside ${JSON.stringify(beside)}`]),
    ...(form === undefined ? [] : [`form ${form}`]),
    ...(refresh === undefined ? [] : [`refreshed before ${refresh} ms`]),
  ];
}

/** The usual values, and for each parameter the others that it may have, or its largest. */
function questionsOf(row: Route): [string, string[]][] {
  const params = Object.entries(row.params);
  const values = usualOf(row);
  const others = params.flatMap(([name, { enum: words, maximum }]) =>
    (words ?? (maximum === undefined ? [] : [maximum])).map((value): [string, string[]] => [
      `${name}=${value}`,
      asked(row, { ...values, [name]: value }),
    ]),
  );
  return [['usual', asked(row, values)], ...others];
}

const questions = Object.fromEntries(
  routes
    .filter(({ from }) => 'query' in from)
    .map((row) => [row.path, Object.fromEntries(questionsOf(row))]),
);
t.test('questions', async (t) => sameAsDeclared(t, 'questions', questions));

/** What a view answers before any reading has come. */
function coldAnswer(row: Route): [string, string][] {
  if (!('view' in row.from)) return [];
  const found = row.from.view(usualOf(row));
  return [
    [isApiError(found) ? found.error : found instanceof Snapshot ? 'data' : 'none', row.path],
  ];
}

/** Bounds and words of the fields of a schema. */
const ruled = (schema: unknown, name = ''): (readonly [string, string])[] => {
  if (typeof schema !== 'object' || schema === null) return [];
  const { minimum, maximum, const: word, enum: words = [word] } = Object(schema);
  const isBound = typeof minimum === 'number' || typeof maximum === 'number';
  const bounds = isBound ? [`${minimum} to ${maximum}`] : [];
  const text =
    Array.isArray(words) && words.some((one) => typeof one === 'string') ? [words.join()] : [];
  return [
    ...[...bounds, ...text].map((rule) => [rule, name] as const),
    ...Object.entries(schema).flatMap(([key, part]) =>
      ruled(part, /^(properties|anyOf|items|[0-9]+)$/.test(key) ? name : key),
    ),
  ];
};

t.test('what is in answers, and views before any reading', async (t) =>
  sameAsDeclared(t, 'answers', {
    cold: grouped(rowsOf(makers, cold).flatMap(coldAnswer)),
    rules: grouped(routes.flatMap(({ answer }) => ruled(answer))),
  }),
);

/** What a client may meet at an endpoint besides its parameters and its answer. */
const endpoints = Object.fromEntries(
  documented.map((row) => {
    const { access, budget, bodyCap, fails = [], produces, soft, creates } = row;
    const { free, undated, local, followEvery } = row;
    const flags = Object.entries({ soft, creates, free, undated, local });
    const words = [
      access,
      ...flags.flatMap(([name, is]) => (is ? [name] : [])),
      ...fails.map((status) => `fails with ${status}`),
      ...(budget === undefined ? [] : [`budget ${budget}`]),
      ...(bodyCap === undefined ? [] : [`body to ${bodyCap} bytes`]),
      ...(produces === undefined ? [] : [produces]),
      ...(followEvery === undefined ? [] : ['states how soon it is followed']),
    ];
    return [`${row.method} ${row.path}`, words.join(', ')];
  }),
);
t.test('endpoints', async (t) => sameAsDeclared(t, 'endpoints', endpoints));

const recorded = (series: string, columns: Record<string, (number | null)[]>) => {
  const times = [now - 120_000, now - 60_000];
  const found = { expected: 2, present: 2, complete: true, backfilled: false };
  const coverage = { from: times[0], to: times[1], ...found };
  return { series, step: 60_000, rows: [{ key: 'k', times, columns, coverage, recorded_from: 1 }] };
};
const side = (...levels: [number, number][]) =>
  levels.map(([price, quantity]) => ({ price, quantity }));
const bookOf: Record<string, object> = {
  binance: { bids: side([99, 1], [95, 2]), asks: side([101, 1]), timestamp: now - 5 },
  okx: { bids: side([99.5, 2]), asks: side([100.5, 4]), timestamp: now - 9 },
};

t.test('order books of several exchanges, now and as they are recorded', async (t) => {
  const series: Record<string, Record<string, (number | null)[]>> = {
    'order-book': {
      mid: [100, null],
      bids_usd_100: [7, 8],
      asks_usd_100: [14, 9],
      bids_base_100: [1, 2],
    },
    'order-book-levels': { mid: [100, 100], bid_0: [3, null], ask_49: [null, 5] },
  };
  const clock = new FakeClock(now);
  const bus = queryBus(({ source, params }) => {
    if ('series' in params && typeof params.series === 'string')
      return fresh(recorded(params.series, series[params.series] ?? {}), clock);
    const book = bookOf[source];
    return book ? fresh({ market: 'M', ...book }, clock) : failed('timeout', 'no answer');
  });
  const rows = bookRoutes(contextFor(views));
  const ask = async (path: string, values: Values) => {
    const row = rows.find((one) => one.path === path);
    const answer =
      row && (await askRow(row, { symbol: 'BTC', ...values }, frontQueries(bus, clock)));
    return answer instanceof Snapshot ? JSON.parse(answer.at(now).toString()).data : answer;
  };
  t.match(
    await ask('/v1/spot/orderbook/aggregated', { exchange: 'kraken,binance,okx', limit: 2 }),
    {
      ...{ mid_price: 100, best_bid: 99.5, best_ask: 100.5, crossed: false, step: 0.01 },
      ...{ exchanges: ['okx', 'binance'], failed_exchanges: ['kraken'], timestamp: now - 5 },
      bids: [
        { price: 99.5, value_usd: 199 },
        { price: 99, exchanges: { binance: 1 } },
      ],
      depth: { 0.25: { bids_usd: 0 }, 1: { bids_usd: 298, asks_usd: 503 }, 5: { bids_usd: 488 } },
      depth_limited: ['okx', 'binance'],
    },
  );
  const history = { exchange: 'aggregated', interval: '1m', limit: 2 };
  const path = '/v1/spot/orderbook/history';
  t.match(await ask(path, { ...history, range_percent: 1 }), {
    ...{ count: 1, coverage: { expected: 2, complete: true } },
    points: [{ bids_usd: 7, asks_usd: 14, bids_base: 1, asks_base: 0, bid_ask_ratio: 0.5 }],
  });
  t.match(await ask(path, { ...history, range_percent: 3 }), { error: 'bad_parameter' });
  t.match(await ask(path, { ...history, range_percent: 2 }), { count: 0, points: [] });
  const minute = now - (now % 60_000);
  const heatmap = () => ask('/v1/futures/orderbook-heatmap', { exchange: 'aggregated', limit: 3 });
  t.match(await heatmap(), {
    ...{ bucket_size: 0.1, max_value_usd: 402, mid_prices: [100], note: 'not tracked' },
    ...{
      bids: [
        [0, 44, 199],
        [0, 39, 99],
      ],
      asks: [
        [0, 55, 402],
        [0, 60, 101],
      ],
    },
    coverage: { from: minute - 120_000, to: minute, expected: 3, present: 0, complete: false },
  });
  const row = { market: 'M', symbol: 'BTC', mid: 1, bands: [], bids: [], asks: [], reach: 1 };
  const about = { source: 'binance', part: 'perpetual', asked: now, received: now };
  views.books.acceptSamples('x', { ...about, rows: [{ ...row, received: now }] });
  t.match(await heatmap(), { bids: [[0, 49, 3]], asks: [[1, 99, 5]], mid_prices: [100, 100] });
});
