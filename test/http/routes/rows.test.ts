/**
 * What holds for every row that answers data: its answers fit its own schema and are as long and in the order that it
 * states, and what it refuses is refused with the parameter's name. The markets are those of the fixtures of all venues,
 * the replies of sources those of `test/support/replies.ts`.
 */
import t, { type Test } from 'tap';
import { type Interval, intervals } from '../../../actors/topics/index.ts';
import { indicatorNames } from '../../../actors/topics/indicator-names.ts';
import { Snapshot } from '../../../http/answers/snapshots.ts';
import type { Route } from '../../../http/endpoints/route.ts';
import { pathNames } from '../../../http/endpoints/validate.ts';
import { errorsOf } from '../../../http/openapi/failures.ts';
import { allRoutes } from '../../../http/routes/index.ts';
import { type ApiError, isApiError, kindOf } from '../../../http/wire/errors.ts';
import { routes as documented } from '../../../scripts/docs/routes.ts';
import { FakeClock } from '../../support/clock.ts';
import { ajv, closed, isSorted, orderedLists } from '../../support/fitting.ts';
import { replyTo } from '../../support/replies.ts';
import { cold, now, rowsOf, usualOf, views } from '../../support/route-stage.ts';
import { answerTo } from '../../support/row-reader.ts';

const routes = rowsOf([allRoutes]).filter(({ from }) => 'view' in from || 'query' in from);

/** Which of the replies come, by their place among those of an answer, and whether they have any rows. */
interface Weather {
  isAway?(place: number): boolean;
  isBare?: boolean;
}

type Given = Readonly<Record<string, string>>;

/** What a row answers to parameters as they stand in a URL; those that it needs have their usual values where not given. */
async function answerOf(row: Route, given: Given, { isAway, isBare = false }: Weather = {}) {
  const usual = usualOf(row);
  const needed = Object.entries(row.params).filter(([, { required }]) => required);
  const all = { ...Object.fromEntries(needed.map(([name]) => [name, `${usual[name]}`])), ...given };
  const inPath = pathNames(row.path);
  const query = Object.entries(all).filter(([name]) => !inPath.includes(name));
  const text = query.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
  let place = 0;
  return answerTo(row, [text, inPath.map((name) => all[name] ?? '')], {
    reply: (asked) => (isAway?.(place++) ? null : replyTo(asked, now, isBare)),
    clock: new FakeClock(now),
  });
}

const dataOf = (answer: Snapshot) => JSON.parse(answer.dataText);

/** Whether the description of the row has this error. */
const states = (row: Route, { error }: ApiError): boolean =>
  errorsOf(row).has(error) || (row.errorsAs200 === true && error === 'portfolio_failed');

const weathers: Readonly<Record<string, Weather>> = {
  usual: {},
  'the first is away': { isAway: (place) => place === 0 },
  'the others are away': { isAway: (place) => place > 0 },
  'all are away': { isAway: () => true },
  'nothing in it': { isBare: true },
};

t.test('an answer fits the schema of its row, whatever its sources reply', async (t) => {
  for (const row of routes)
    for (const [name, weather] of Object.entries(weathers)) {
      const answer = await answerOf(row, {}, weather);
      if (answer instanceof Snapshot) continue;
      t.ok(states(row, answer), `${row.path} ${name} ${answer.error} ${answer.message}`);
    }
});

/** The recorded state at a time is asked of the history. */
const isFromMemory = ([, name]: [number, string | null]): boolean => name !== 'at';

t.test('the parameter that chooses among the forms of an answer gives its own', async (t) => {
  let found = 0;
  for (const row of routes) {
    const { anyOf = [], 'x-chosen-by': names = [] } = Object(row.answer);
    const forms = names.map((_: unknown, at: number) => ajv.compile(Object(closed(anyOf[at]))));
    for (const [place, name] of [...names.entries()].filter(isFromMemory)) {
      if (name !== null) {
        t.match(row.params[name], { required: undefined, default: undefined }, row.path);
      }
      const answer = await answerOf(row, name === null ? {} : { [name]: 'BTC' });
      if (!(answer instanceof Snapshot)) {
        t.equal(
          answer.error,
          'warming_up',
          `${row.path}: the fixtures have too few assets to rank`,
        );
        continue;
      }
      const data = dataOf(answer);
      const fitting = [...forms.keys()].filter((at) => forms[at](data));
      t.strictSame(fitting, [place], `${row.path} ${name}`);
      found += 1;
    }
  }
  t.ok(found >= 13, `${found} forms`);
});

t.test('before any reading a view has no data, and says so', async (t) => {
  const own =
    /exchanges$|columns$|catalogue$|status$|healthz$|liquidations|options\/trades$|ping$|time$|config$/;
  for (const row of rowsOf([allRoutes], cold)) {
    if (!('view' in row.from) || own.test(row.path)) continue;
    const answer = row.from.view(usualOf(row));
    t.match(isApiError(answer) && kindOf(answer).status, /502|503/, row.path);
  }
});

t.test('an exchange of a list of names that has no such data is refused by its name', async (t) => {
  const several = routes.filter(({ params: { exchange, exchanges } }) => {
    const { pattern } = exchange ?? exchanges ?? {};
    return pattern !== undefined;
  });
  t.ok(several.length > 8, `${several.length} rows`);
  for (const row of several) {
    const name = 'exchange' in row.params ? 'exchange' : 'exchanges';
    const refused = { error: 'bad_parameter', message: /'nosuch' is none of/ };
    t.match(await answerOf(row, { [name]: 'nosuch' }), refused, row.path);
  }
});

t.test('every moment is read by the one parser, ISO 8601 too', async (t) => {
  const moments = routes.flatMap(({ path, params }) =>
    Object.entries(params).flatMap(([name, param]) =>
      param.type === 'integer' && /\bUnix\b/.test(param.description) ? [{ path, name, param }] : [],
    ),
  );
  t.ok(moments.length > 80, `${moments.length} times`);
  const others = moments.filter(({ param }) => param.time === undefined);
  t.strictSame(
    others.map(({ path, name }) => `${path} ${name}`),
    [],
  );
});

t.test('a range must not end before it begins', async (t) => {
  const turned = { error: 'bad_parameter', message: /from/ };
  // In the protocol of charts a number of bars stands above the start of the range.
  for (const row of routes.filter(({ params: { from } }) => from?.time === 'ms'))
    t.match(await answerOf(row, { from: '9', to: '8' }), turned, row.path);
});

/** Rows whose source is asked for what is not listed, and those over indicators of which no reading is here. */
const unlisted = [
  ...['/v1/orderbook', '/v1/orderbook/deep', '/v2/orderbook'],
  ...['/v1/trades', '/v1/bars', '/v1/indicators'],
];

t.test('an asset that no exchange lists is unknown', async (t) => {
  for (const row of routes) {
    if (!('symbol' in row.params)) continue;
    if (unlisted.includes(row.path) || row.path.startsWith('/v1/indicators/')) continue;
    const answer = await answerOf(row, { symbol: 'NOSUCHCOIN' });
    t.match(answer, { error: 'unknown_symbol' }, row.path);
  }
});

/** The lists of rows of an answer; the newest points of other exchanges are beside those that were asked for. */
const rowsIn = (data: object): [string, unknown[]][] =>
  Object.entries(data).filter(
    ([name, list]) => Array.isArray(list) && typeof list[0] === 'object' && name !== 'latest',
  );

t.test('a limit holds, and the count is that of the rows', async (t) => {
  let found = 0;
  // The cells of a heatmap are those of two minutes.
  for (const row of routes.filter(({ path, params }) => params.limit && !/heatmap$/.test(path))) {
    const answer = await answerOf(row, { limit: '2' });
    const data = answer instanceof Snapshot ? dataOf(answer) : {};
    for (const [name, { length }] of rowsIn(data)) {
      found += length === 2 ? 1 : 0;
      t.ok(length <= 2, `${row.path} ${name} ${length}`);
      t.equal(data.count ?? length, length, row.path);
    }
  }
  t.ok(found > 40, `${found} lists of two rows`);
});

const isInterval = (word: string): word is Interval => word in intervals;

/** The fields by which tables are sorted, largest first; what is not known is last. */
const largestFirst: Readonly<Record<string, string>> = {
  '/v1/funding-rates/vol-weighted': 'volume_24h_usd',
  '/v1/funding-rates/cumulative': 'cumulative_range',
  '/v1/funding-arbitrage': 'apr_percent',
  '/v1/liquidations/coin-list': 'liquidation_usd_24h',
  '/v1/liquidations/exchange-list': 'liquidation_usd',
  '/v1/overview': 'open_interest_usd',
  '/v1/spot/coins-markets': 'volume_24h_usd',
  '/v1/spot/pairs-markets': 'volume_24h_usd',
  '/v1/spot/volume': 'volume_24h_usd',
  '/v1/spot/gainers': 'price_change_24h_percent',
  '/v1/futures/coins-markets': 'open_interest_usd',
  '/v1/futures/pairs-markets': 'volume_24h_usd',
  '/v1/futures/exchange-rank': 'open_interest_usd',
  '/v1/futures/gainers': 'price_change_24h_percent',
  '/v1/futures/coins-price-change': 'price_change_percent_24h',
  '/v1/spot/large-orders': 'value_usd',
  '/v1/futures/large-orders': 'value_usd',
  '/v1/analytics/kraken/open-interest': 'open_interest_usd',
  '/v1/analytics/hyperliquid/clearinghouse': 'open_interest_usd',
  '/v1/options/exchange-oi': 'open_interest_usd',
};

t.test('lists of many rows state their order', async (t) => {
  let found = 0;
  for (const row of routes) {
    const answer = await answerOf(row, {});
    if (answer instanceof Snapshot) found += orderedLists(row, dataOf(answer)).length;
  }
  t.ok(found > 48, `${found} lists of two rows or more`);
});

t.test('a table is sorted by the field of its name, largest first', async (t) => {
  for (const [path, field] of Object.entries(largestFirst)) {
    const row = routes.find((one) => one.path === path);
    const answer = row && (await answerOf(row, {}));
    if (!(answer instanceof Snapshot)) throw new Error(`${path} has no answer`);
    const [list] = rowsIn(dataOf(answer)).filter(([name]) => /items|exchanges|assets/.test(name));
    // The sum over all exchanges is before its parts.
    const rows = (list?.[1] ?? []).map(Object).filter(({ exchange }) => exchange !== 'all');
    t.ok(rows.length > 1, `${path} has rows`);
    t.ok(isSorted(rows, [(one) => Number(one[field] ?? Number.NEGATIVE_INFINITY), -1]), path);
  }
});

const times = { from: now - 9e7, to: now - 5e7 };

/** What a question has of the request for `word`, seven rows and `times`. */
function askedFor({ path, params }: Route, word: Interval) {
  // Changes of net positions are since the row before the first one.
  const before = path.endsWith('net-position') ? 1 : 0;
  const range = { from: times.from - before * intervals[word], to: times.to };
  return { limit: 7 + before, ...('from' in params ? range : {}) };
}

/**
 * Rows with an interval and a limit. Those with tests of their own are left out: footprints and bars of samples are made of shorter
 * steps, a screen of the newest candles, and rows with a cursor ask for whole intervals.
 */
const histories = routes.filter(
  ({ path, params: { interval, limit, cursor } }) =>
    interval?.enum && limit && !cursor && !/(footprint|ohlc|screener)$/.test(path),
);

/** The parameters of the question to `word`, and of those beside it. */
function paramsOf(row: Route, word: Interval): object[] {
  const values = { ...usualOf(row), ...times, interval: word, limit: 7 };
  const found = 'query' in row.from ? row.from.query(values) : null;
  if (found === null || isApiError(found) || !('source' in found)) return [];
  return [found.params, ...(found.sameQueryElsewhere ?? []).map(({ params }) => params)];
}

function asks(t: Test, row: Route, word: Interval): void {
  const wanted = askedFor(row, word);
  // Of the other exchanges the newest row alone is shown.
  const isAlone = /top-(accounts|positions)$/.test(row.path);
  for (const [i, params] of paramsOf(row, word).entries()) {
    const step = 'step' in params ? { step: word } : { interval: word };
    t.match(params, { ...(isAlone && i > 0 ? { limit: 1 } : wanted), ...step }, row.path);
  }
}

t.test('a question has the interval, the limit and the times of its request', async (t) => {
  for (const row of histories)
    for (const word of row.params.interval?.enum?.filter(isInterval) ?? []) asks(t, row, word);
});

/** The questions of a row to its sources, as of one market each. */
function* marketsOf(row: Route): Generator<{ source: string; market: string; kind: string }> {
  const found = 'query' in row.from ? row.from.query(usualOf(row)) : null;
  if (found === null || isApiError(found) || !('source' in found)) return;
  for (const { source, params } of [found, ...(found.sameQueryElsewhere ?? [])]) {
    const { market, kind } = Object(params);
    if (typeof market === 'string' && typeof kind === 'string') yield { source, market, kind };
  }
}

t.test(
  'a question names a market that its source lists, by the kind that it has there',
  async (t) => {
    const listed = new Set(
      [...views.instruments.all()].flatMap(([source, rows]) =>
        rows.map(({ market, kind }) => `${source} ${kind} ${market}`),
      ),
    );
    let found = 0;
    for (const row of routes.filter(({ path }) => !unlisted.includes(path)))
      for (const { source, market, kind } of marketsOf(row)) {
        found += 1;
        t.ok(listed.has(`${source} ${kind} ${market}`), `${row.path} ${source} ${kind} ${market}`);
      }
    t.ok(found > 40, `${found} markets`);
  },
);

const pathsOf = (is: (row: Route) => unknown) => documented.filter(is).map(({ path }) => path);

t.test('who may ask, and what counts', async (t) => {
  const files = ['/docs/{file}', '/clients/{file}', '/app/{file}'];
  const pages = ['/', '/app', '/docs', '/llms.txt', '/.well-known/security.txt', ...files];
  // POST, and GET and DELETE, which count nowhere.
  const sessions = Array.from({ length: 3 }, () => '/v1/auth/session');
  const probes = ['/openapi.json', '/metrics', '/healthz', '/readyz'];
  const pulses = ['api/v3/ping', 'api/v3/time', 'fapi/v1/ping', 'fapi/v1/time'].map(
    (path) => `/compat/binance/${path}`,
  );
  const widgets = ['/widgets.json', '/openbb/widgets.json'];
  const foreign = [...pulses, '/udf/config', '/udf/time', ...widgets];
  const lists = ['/v1/exchanges', '/v2/exchanges', '/v1/indicators/catalogue', '/v1/status'];
  const open = pathsOf(({ access }) => access === 'open');
  const beyond: readonly string[] = [
    'two-year-ma',
    '200-week-ma',
    'golden-ratio',
    'profitable-days',
    'network-metrics',
  ];
  const indicators = indicatorNames
    .filter((name) => !beyond.includes(name))
    .map((name) => `/v1/indicators/${name}`);
  t.strictSame(
    open.toSorted(),
    [...pages, ...sessions, ...probes, ...foreign, ...lists, ...indicators].toSorted(),
  );
  const rotate = '/v1/auth/keys/{id}/rotate';
  const keys = [
    ...['/v1/auth/me', '/v1/auth/keys', '/v1/auth/keys', rotate, '/v1/auth/keys/{id}'],
    '/v1/auth/session/token',
  ];
  t.strictSame(
    pathsOf(({ access }) => access === 'bearer'),
    keys,
  );
  t.strictSame(
    pathsOf(({ free }) => free).toSorted(),
    [
      ...[...pages, ...sessions.slice(1), ...probes, ...foreign],
      ...['/v1/usage', '/v1/auth/keys/{id}'],
    ].toSorted(),
  );
  t.strictSame(
    pathsOf(({ local }) => local),
    ['/metrics'],
  );
});
