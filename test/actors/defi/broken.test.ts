/** Whatever stands in whatever place of a body: no number that is none gets out, and no text without a bound. */
import t from 'tap';
import { ShapeError } from '../../../actors/failure.ts';
import { defillama } from '../../../actors/providers/defillama/index.ts';
import { dexscreener } from '../../../actors/providers/dexscreener.ts';
import { geckoterminal } from '../../../actors/providers/geckoterminal.ts';
import { orca } from '../../../actors/providers/orca.ts';
import { raydium } from '../../../actors/providers/raydium.ts';
import type { Parsed } from '../../../actors/sources/define.ts';
import type { DexPair } from '../../../actors/topics/defi.ts';
import { lendingOverview, lendingTvl, tvlOfPools } from '../../../indicators/defi/pools.ts';
import { places } from '../venues/suite/damage.ts';
import { body, context } from './bodies.ts';

type Parse = (bodies: readonly unknown[]) => Parsed<object>;

const [pools, borrow] = [body('llama-yields/pools'), body('llama-yields/lend-borrow')];
const alpha = `0x${'a1'.repeat(20)}`;
const { lending, uniswapPools } = defillama.polls;

/** Each parser with its bodies. */
const cases: Record<string, { bodies: readonly unknown[]; parse: Parse }> = {
  search: {
    bodies: [body('dexscreener/search')],
    parse: ([one]) => dexscreener.queries.search.parse(one, 'alpha'),
  },
  token: {
    bodies: [body('dexscreener/token')],
    parse: ([one]) => dexscreener.queries.token.parse(one, alpha),
  },
  geckoPools: {
    bodies: [body('geckoterminal/uniswap-pools')],
    parse: (all) => geckoterminal.polls.uniswapPools.parse(all, context),
  },
  geckoSearch: {
    bodies: [body('geckoterminal/uniswap-pools')],
    parse: ([one]) => geckoterminal.queries.search.parse(one, 'alpha'),
  },
  raydium: {
    bodies: [body('raydium/pools')],
    parse: (all) => raydium.polls.pools.parse(all, context),
  },
  orca: { bodies: [body('orca/pools')], parse: (all) => orca.polls.pools.parse(all, context) },
  orcaV1: {
    bodies: [body('orca/pools-v1')],
    parse: (all) => orca.polls.poolsV1.parse(all, context),
  },
  stablecoins: {
    bodies: [body('llama-stablecoins/stablecoins')],
    parse: (all) => defillama.polls.circulating.parse(all, context),
  },
  protocols: {
    bodies: [body('llama-protocols/protocols')],
    parse: (all) => defillama.polls.lendingTvl.parse(all, context),
  },
  uniswap: { bodies: [pools], parse: (all) => uniswapPools.parse(all, context) },
  lending: { bodies: [pools, borrow], parse: (all) => lending.parse(all, context) },
};

const garbage: readonly unknown[] = [
  null,
  '',
  'NaN',
  'Infinity',
  '-1',
  -1,
  1e308,
  '1e308',
  true,
  [],
  {},
  [null],
  '\u0000'.repeat(100_000),
  '\ud800',
];

/** What is wrong with a text, or null. */
function textFault(value: string): string | null {
  if (/\p{Cc}/u.test(value) || !value.isWellFormed()) return 'control characters';
  return value.length <= 320 ? null : `${value.length} characters`;
}

/** What must not be in any answer, or null. */
function fault(value: unknown): string | null {
  if (typeof value === 'number') return Number.isFinite(value) ? null : String(value);
  if (typeof value === 'string') return textFault(value);
  if (typeof value !== 'object') return typeof value === 'boolean' ? null : typeof value;
  return (
    Object.values(value ?? {})
      .map(fault)
      .find(Boolean) ?? null
  );
}

const signed = new Set(['price_change_5m', 'price_change_1h', 'price_change_24h']);

/** What is wrong with a row beside one that is good, or null. */
function rowFault(row: object, good: Readonly<Record<string, unknown>>): string | null {
  for (const [key, value] of Object.entries(row)) {
    if (!signed.has(key) && typeof value === 'number' && value < 0) return `${key}: ${value}`;
    if (value !== null && typeof value !== typeof good[key]) return `${key}: ${typeof value}`;
  }
  return fault(row);
}

/** The rows, or null where the body was refused. */
function rowsOf(parse: Parse, bodies: readonly unknown[]): object[] | null {
  try {
    return parse(bodies).rows;
  } catch (error) {
    if (error instanceof ShapeError) return null;
    throw error;
  }
}

/** The bodies, once for every place and every kind of garbage in it. */
function* broken(bodies: readonly unknown[]): Generator<readonly unknown[]> {
  for (const [which, one] of bodies.entries()) {
    const puts = [...places(one)].map(([, put]) => put);
    for (const put of [(other: unknown) => other, ...puts]) {
      for (const other of garbage) yield bodies.with(which, put(other));
    }
  }
}

for (const [name, { bodies, parse }] of Object.entries(cases)) {
  t.test(`${name}: garbage in every place`, async (t) => {
    const whole = rowsOf(parse, bodies) ?? [];
    // Every key that a row can have, with a value that is not null where there is one.
    const good = Object.assign({}, ...whole.toReversed(), { reward_apy: 0 });
    t.ok(whole.length >= 2, `${whole.length} rows of the whole body`);
    const faults = new Set<string | null>();
    let fewer = 0;
    for (const some of broken(bodies)) {
      const rows = rowsOf(parse, some) ?? [];
      if (rows.length < whole.length) fewer++;
      for (const row of rows) faults.add(rowFault(row, good));
    }
    t.strictSame([...faults], [null], 'no row is at fault');
    t.ok(fewer > 0, `${fewer} bodies cost rows`);
  });
}

t.test('sums of the largest numbers that are read are finite', async (t) => {
  const [huge, row] = [1e30, lending.parse([pools, borrow], context).rows[0]];
  if (!row) throw new Error('no pool');
  const rows = Array.from({ length: 5000 }, (_, at) => ({
    ...row,
    pool_id: `p${at}`,
    tvl_usd: huge,
    supply_apy: huge,
    borrow_apy: huge,
  }));
  t.equal(fault(lendingOverview(rows)), null);
  t.equal(fault(lendingTvl(tvlOfPools(rows))), null);
});

t.test('a search of any other shape is refused', async (t) => {
  const { search } = dexscreener.queries;
  const shapes: unknown[] = [null, [], {}, 'x', 1, undefined, { pairs: {} }, { pairs: 'x' }];
  for (const shape of shapes) {
    t.throws(() => search.parse(shape, 'x'), ShapeError, JSON.stringify(shape));
  }
  const none: DexPair[] = search.parse({ pairs: [] }, 'x').rows;
  t.strictSame(none, [], 'nothing found is no fault');
});
