/**
 * What each endpoint answers to replies of its sources: equal to a table, which changes on purpose only. The replies are those of
 * `test/support/replies.ts`.
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
import { marketTables } from '../../../http/routes/markets/index.ts';
import { moversRoutes } from '../../../http/routes/markets/movers.ts';
import { optionsRoutes } from '../../../http/routes/options/index.ts';
import type { Route } from '../../../http/routes/route.ts';
import { createCheck, pathNames } from '../../../http/validate.ts';
import { FakeClock } from '../../support/clock.ts';
import { sameAsDeclared } from '../../support/declared.ts';
import { askRow, fresh, frontQueries, queryBus } from '../../support/queries.ts';
import { replyTo } from '../../support/replies.ts';
import { now, rowsOf, usualOf, views } from '../../support/route-stage.ts';

/** Long lists by their ends. */
const cut = (_: string, value: unknown) =>
  Array.isArray(value) && value.length > 4
    ? [...value.slice(0, 3), `${value.length} in all`, value.at(-1)]
    : value;

interface Case {
  /** What the client asks for besides what it must. */
  given?: string;
  /** Replies that do not come, by their place among those of the answer. */
  isAway?(place: number): boolean;
  isBare?: boolean;
}

/** The checked values of requests to a row. */
function valuesOf(row: Route) {
  const check = createCheck(row);
  return (given: string) => {
    const named = given.split('=')[0] ?? '';
    const must = Object.entries(row.params).filter(
      ([name, { required }]) => required && name !== named,
    );
    const usual = usualOf(row);
    const query = [...must.map(([name]) => `${name}=${usual[name]}`), given].join('&');
    return check(
      query,
      pathNames(row.path).map((name) => `${usual[name]}`),
    );
  };
}

async function answered(
  row: Route,
  valuesFor: ReturnType<typeof valuesOf>,
  { given = '', isAway, isBare = false }: Case,
) {
  const clock = new FakeClock(now);
  let place = 0;
  const bus = queryBus((query) => {
    const reply = isAway?.(place++) ? null : replyTo(query, now, isBare);
    return reply ? fresh(reply, clock) : failed('timeout', 'no answer');
  });
  const asked = valuesFor(given);
  const answer = isApiError(asked)
    ? asked
    : await askRow(row, asked.values, frontQueries(bus, clock));
  if (isApiError(answer)) return `${answer.error}: ${answer.message}`;
  const { as_of, data } = JSON.parse(answer.at(now).toString());
  const again = row.followEvery
    ? ` followed after ${row.followEvery(JSON.stringify(data))} ms`
    : '';
  return `${JSON.stringify(data, cut)} as of ${as_of - now} ms${again}`;
}

const cases: Readonly<Record<string, Case>> = {
  usual: {},
  'the first is away': { isAway: (place) => place === 0 },
  'the others are away': { isAway: (place) => place > 0 },
  'all are away': { isAway: () => true },
  'nothing in it': { isBare: true },
  ...Object.fromEntries(
    `limit=2 exchange=okx,binance exchange=nosuch exchange=OKX exchange=bybit symbol=BTC
    symbol=btc-usdt symbol=NOSUCH order=asc sort=5m min_usd=2000000 step=2 step=0 range=1d
    range_percent=2 range_percent=3 kind=Perpetual interval=1m interval=1m&from=7 interval=1m&to=9
    from=9&to=8 from=8&to=8 from=-1`
      .split(/\s+/)
      .map((given) => [given, { given }]),
  ),
};
const isFor =
  (row: Route) =>
  ([, { given }]: [string, Case]) =>
    given === undefined || (given.split('=')[0] ?? '') in row.params;

/** The answers of a row, each once. */
async function answersOf(row: Route) {
  const [found, valuesFor] = [new Map<string, string>(), valuesOf(row)];
  for (const [name, one] of Object.entries(cases).filter(isFor(row))) {
    const answer = await answered(row, valuesFor, one);
    if (![...found.values()].includes(answer)) found.set(name, answer);
  }
  return [row.path, Object.fromEntries(found)] as const;
}

/** Those of some modules, of the folders, and all. */
const makers = [
  ...[largeOrderRoutes, settledRoutes, mapRoutes, orderFlowRoutes, moversRoutes, bookRoutes],
  ...[fundingRoutes, liquidationRoutes, marketTables, optionsRoutes, indicatorRoutes, allRoutes],
];

const answersOfAll = async (rows: readonly Route[]) => {
  const answers = [];
  for (const row of rows) if ('query' in row.from) answers.push(await answersOf(row));
  return Object.fromEntries(answers);
};

t.test('answers to replies', async (t) =>
  sameAsDeclared(t, 'replies', await answersOfAll(rowsOf(makers))),
);

t.test('answers about order books that are sampled', async (t) => {
  const sample = { market: 'M', symbol: 'BTC', mid: 100, bands: [], reach: 1, received: now - 5 };
  const order = {
    ...{ market: 'M', symbol: 'BTC', side: 'bid' as const, quantity: 20, distance_percent: -1 },
    ...{ initial_value_usd: 9, state: 'active' as const, first_seen: now - 9, last_seen: now - 7 },
  };
  for (const part of ['spot', 'perpetual']) {
    const about = { source: 'binance', part, asked: now, received: now };
    views.books.acceptSamples(part, { ...about, rows: [{ ...sample, bids: [3], asks: [0, 5] }] });
    const orders = [2e6, 4e6, 3e6].map((value_usd, price) => ({ ...order, price, value_usd }));
    views.books.acceptOrders(part, { ...about, rows: orders });
  }
  sameAsDeclared(t, 'replies-sampled', await answersOfAll(rowsOf([bookRoutes])));
});
