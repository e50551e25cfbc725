/** Parameters that a client takes from one path of a group to another: they filter there too, or a stated reason is why not. */
import t from 'tap';
import { Snapshot } from '../../../http/answers/snapshots.ts';
import type { Route } from '../../../http/endpoints/route.ts';
import { pathNames } from '../../../http/endpoints/validate.ts';
import { allRoutes } from '../../../http/routes/index.ts';
import { rowsOf } from '../../support/route-stage.ts';
import { answerTo } from '../../support/row-reader.ts';

const rows = rowsOf([allRoutes]).filter(
  ({ from, answer, noEnvelope }) => ('view' in from || 'query' in from) && answer && !noEnvelope,
);

/** Why a path does not take a parameter by which its rows could be told apart. */
const reasons: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'its numbers are over all exchanges; those of one are at /v2 and /v1/exchanges/{exchange}': {
    '/v1/prices': 'exchange kind',
    '/v1/open-interest': 'exchange',
    '/v1/reference-rate': 'exchange',
    '/v1/funding-rates': 'exchange',
    '/v1/funding-rates/vol-weighted': 'exchange',
    '/v1/futures/term-structure': 'exchange',
    '/v1/long-short-ratio': 'exchange',
    '/v1/options/exchange-oi': 'exchange',
  },
  'its rows are the parts of one answer about all': {
    '/v1/options/max-pain': 'expiry',
    '/v1/options/surface': 'expiry',
    '/v1/options/info': 'type',
    '/v1/liquidations/map': 'side',
    '/v1/liquidations/aggregated-map': 'side',
    '/v1/hyperliquid/liquidation-map': 'side',
    '/v1/hyperliquid/wallet': 'symbol side',
    '/v1/screener': 'symbol',
    '/v1/analytics/hyperliquid/clearinghouse': 'symbol',
    '/v1/indicators/altcoin-season': 'symbol',
    '/v1/indicators/stablecoin-mcap': 'symbol',
    '/v1/indicators/options-futures-oi-ratio': 'symbol',
    '/v1/indicators/futures-spot-volume-ratio': 'symbol exchange',
    '/v1/indicators/exchange-transparency': 'exchange',
    '/v1/onchain/wallet': 'token',
    '/v1/volatility': 'days',
    '/v2/dex/orca/pools': 'address',
  },
};
const excepted = new Set(
  Object.values(reasons).flatMap((paths) =>
    Object.entries(paths).flatMap(([path, names]) =>
      names.split(' ').map((name) => `${path} ${name}`),
    ),
  ),
);

const partsOf = (schema: unknown): object[] => {
  const { anyOf = [], properties = {}, items, additionalProperties } = Object(schema);
  return [...anyOf, ...Object.values(properties), items, additionalProperties].filter(
    (part) => typeof part === 'object',
  );
};

/** The properties of the rows in an answer. */
function cellsIn(answer: unknown): Set<string> {
  const lists = [answer, ...partsOf(answer), ...partsOf(answer).flatMap(partsOf)];
  const rows = lists.flatMap((one) => {
    const { items, additionalProperties } = Object(one);
    return [items, additionalProperties].flatMap((row) => [row, ...(Object(row).anyOf ?? [])]);
  });
  return new Set(rows.flatMap((row) => Object.keys(Object(row).properties ?? {})));
}

/** The parameters of other paths of its group by which the rows of a path could be told apart, and which it does not take. */
function missingOf({ path, group, params, answer }: Route): string[] {
  const others = rows
    .filter((row) => row.group === group)
    .flatMap((row) => Object.keys(row.params));
  const cells = cellsIn(answer);
  const taken = new Set([...Object.keys(params), ...pathNames(path)]);
  return [...new Set(others)].filter((name) => cells.has(name) && !taken.has(name));
}

t.test(
  'a parameter that another path of the group takes filters, or has a reason not to',
  async (t) => {
    const missing = rows.flatMap((row) => missingOf(row).map((name) => `${row.path} ${name}`));
    t.strictSame(new Set(missing), excepted);
  },
);

const rowAt = (path: string): Route => {
  const row = rows.find((one) => one.path === path);
  if (!row) throw new Error(`no ${path}`);
  return row;
};

const listIn = (data: unknown): object[] => {
  const list = Array.isArray(data) ? data : Object.values(Object(data)).find(Array.isArray);
  return list ?? [];
};

async function read(path: string, query: string): Promise<object[] | string> {
  const answer = await answerTo(rowAt(path), [query]);
  return answer instanceof Snapshot ? listIn(JSON.parse(answer.dataText)) : answer.error;
}

/** Paths with the parameters that filter their rows by the property of the same name. */
const filters: Readonly<Record<string, readonly string[]>> = {
  '/v1/spot/supported-coins': ['symbol'],
  '/v1/spot/volume': ['symbol'],
  '/v1/spot/gainers': ['symbol'],
  '/v1/futures/gainers': ['symbol'],
  '/v1/futures/exchange-rank': ['exchange'],
};

for (const [path, names] of Object.entries(filters)) {
  t.test(path, async (t) => {
    const { limit } = rowAt(path).params;
    const most = limit === undefined ? '' : `limit=${limit.maximum}`;
    const all = await read(path, most);
    if (typeof all === 'string') throw new Error(`${path}: ${all}`);
    t.ok(all.length > 1, `${all.length} rows`);
    for (const name of names) {
      const cellOf = (row: object): unknown => new Map(Object.entries(row)).get(name);
      const last = all.findLast((row) => cellOf(row) !== 'all') ?? {};
      const value = String(cellOf(last));
      const expected = all.filter((row) => cellOf(row) === value);
      const found = await read(path, `${most}&${name}=${value.toLowerCase()}`);
      t.strictSame(found, expected, `${name}=${value} of ${all.length} rows`);
    }
  });
}

t.test('what there is not is an error', async (t) => {
  t.equal(await read('/v1/spot/supported-coins', 'symbol=NOSUCH'), 'unknown_symbol');
});
