/** The table of an answer is the one that a person means: for each path whose answer has several lists, the one that was chosen. */
import t from 'tap';
import { tableOf } from '../../../http/endpoints/csv-rows.ts';
import type { Route } from '../../../http/endpoints/route.ts';
import { allRoutes } from '../../../http/routes/index.ts';
import { rowsOf } from '../../support/route-stage.ts';

/** By path: the tables, then the lists beside them. A map of rows is a list, too; `data` is the answer itself. */
const chosen: Readonly<Record<string, readonly [tables: string, others: string]>> = {
  '/healthz': ['', 'clocks redis_servers'],
  '/v1/prices': ['items exchanges symbols', 'suspect missing'],
  '/v1/open-interest': ['items exchanges symbols', 'suspect missing'],
  '/v1/funding-rates': ['items rates symbols', 'missing'],
  '/v1/funding-rates/cumulative': ['points', 'exchanges'],
  '/v1/spot/netflow': ['points items', ''],
  '/v1/futures/netflow': ['points items', ''],
  '/v1/spot/cvd/aggregated': ['points', 'coverage_by_exchange'],
  '/v1/spot/taker-buysell/aggregated': ['points', 'coverage_by_exchange'],
  '/v1/futures/taker-buysell/aggregated': ['points', 'coverage_by_exchange'],
  '/v1/long-short-ratio/top-accounts': ['points', 'latest'],
  '/v1/long-short-ratio/top-positions': ['points', 'latest'],
  '/v1/open-interest/stablecoin-margin-history': ['points', 'coverage_by_exchange'],
  '/v1/open-interest/coin-margin-history': ['points', 'coverage_by_exchange'],
  '/v1/open-interest/aggregated-history': ['points', 'coverage_by_exchange'],
  '/v1/open-interest/exchange-history-chart': ['exchanges', 'coverage_by_exchange'],
  '/v1/open-interest/ohlc': ['points', 'coverage_by_exchange'],
  '/v1/hyperliquid/wallet': ['positions', 'orders fills spot'],
  '/v1/hyperliquid/distribution': ['value_groups', 'profit_groups'],
  '/v1/history/coverage': ['items', 'series'],
  '/v1/options/info': ['options expiries', ''],
  '/v1/options/exchange-oi': ['items', 'history'],
  '/v1/options/gamma-exposure': ['strikes', 'expiries'],
  '/v1/indicators/altcoin-season': ['history', 'coins'],
  '/v1/indicators/stablecoin-mcap': ['history', 'top'],
  '/v1/indicators/bitcoin-correlations': ['history', 'assets'],
  '/v1/indicators/options-futures-oi-ratio': ['history', 'by_asset'],
  '/v1/indicators/futures-spot-volume-ratio': ['history', 'by_asset by_exchange'],
  '/v1/indicators/pi-cycle': ['history', 'crosses'],
  '/v1/indicators/rainbow-chart': ['history', 'bands'],
  '/v1/indicators/exchange-transparency': ['exchanges', 'history'],
  '/v1/indicators/borrow-interest-rate': ['history', 'assets'],
  '/v1/indicators/borrow-rates': ['history', 'rates refused'],
  '/v1/indicators/bitfinex-margin': ['history', 'funding'],
  '/v1/reference-rate': ['items venues', ''],
  // No table: the sides of a book, and two lists of which none is the answer.
  '/v1/orderbook': ['', 'bids asks'],
  '/v2/orderbook': ['', 'bids asks'],
  '/v1/orderbook/deep': ['', 'bids asks'],
  '/v1/spot/orderbook/aggregated': ['', 'bids asks depth'],
  '/v1/analytics/kraken/depth': ['', 'bids asks'],
  '/v1/volatility': ['', 'realized implied'],
  '/v1/status': ['', 'sources processes budgets'],
};

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const formsOf = (schema: Json): Json[] =>
  Array.isArray(schema.anyOf) ? schema.anyOf.filter(isObject).flatMap(formsOf) : [schema];
const isRecord = (schema: unknown) =>
  isObject(schema) && formsOf(schema).some(({ properties }) => properties);

/** The names of the properties that are lists or maps of objects, or maps of lists. */
function listsIn({ answer }: Route): string[] {
  if (answer === null) return [];
  const properties = formsOf({ ...answer }).flatMap((form) =>
    Object.entries(Object(form.properties)),
  );
  const found = properties.filter(([, schema]) => {
    const { items, additionalProperties: each } = Object(schema);
    return isRecord(items) || isRecord(each) || (isObject(each) && each.type === 'array');
  });
  return [...new Set(found.map(([name]) => name))];
}

const words = (text: string) => text.split(' ').filter(Boolean);

t.test('each path with several lists in its answer', async (t) => {
  const routes = rowsOf([allRoutes]).filter(
    ({ noEnvelope, method }) => method === 'GET' && !noEnvelope,
  );
  const several = routes.filter((row) => listsIn(row).length > 1);
  const paths = several.map(({ path }) => path);
  t.strictSame(paths.toSorted(), Object.keys(chosen).toSorted(), 'a new one: which list is meant?');
  for (const row of several) {
    const [tables, others] = (chosen[row.path] ?? ['', '']).map(words);
    const own = (tableOf(row)?.lists ?? []).map((at) => at.replace(/^data\.?/, ''));
    t.strictSame([...new Set(own)].filter(Boolean), tables, row.path);
    t.strictSame(
      listsIn(row).toSorted(),
      [...(tables ?? []), ...(others ?? [])].toSorted(),
      row.path,
    );
  }
});
