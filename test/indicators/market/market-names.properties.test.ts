/** Names of markets that are written in any usual form and read again. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import {
  MarketNames,
  type NamedMarket,
  settlementOf,
  unifiedName,
} from '../../../indicators/market/market-names.ts';
import { property } from '../../support/property.ts';

// Words of contracts (`BTC-PERP`) are no quotes.
const word = fc.string({
  unit: fc.constantFrom(...'ABCXYZ019'),
  minLength: 1,
  maxLength: 4,
});
const market = fc.record({
  kind: fc.constantFrom('spot' as const, 'perpetual' as const, 'other' as const),
  symbol: word,
  quote: word,
  inverse: fc.boolean(),
});
/** One market of each kind and settlement a pair, of spot none that is inverse; their ids say nothing. */
const settled = market.map((one) => ({ ...one, inverse: one.inverse && one.kind !== 'spot' }));
const markets = fc
  .uniqueArray(settled, {
    selector: (one) => `${one.kind} ${one.symbol}/${one.quote}:${settlementOf(one)}`,
    minLength: 1,
  })
  .map((all) => all.map((one, at): NamedMarket => ({ ...one, market: `id#${at}` })));

/** A pair and a contract as clients write them. */
const spellings: readonly ((market: NamedMarket) => string | null)[] = [
  (one) => unifiedName(one),
  (one) => unifiedName(one)?.toLowerCase() ?? null,
  ({ kind, symbol, quote }) => (kind === 'spot' ? `${symbol}-${quote}` : null),
  ({ kind, symbol, quote }) => (kind === 'spot' ? `${symbol}_${quote}` : null),
  ({ market }) => market,
  ({ market }) => market.toUpperCase(),
];

t.test('a market is found by each of its names', async (t) => {
  await property(t, markets, (markets) => {
    const names = new MarketNames(markets);
    for (const one of markets) {
      const written = spellings.flatMap((spell) => spell(one) ?? []);
      for (const name of written) assert.equal(names.named(name, one.kind), one, name);
    }
  });
});

t.test('a contract is found by the ending that says so, where a pair has one', async (t) => {
  const endings = fc.constantFrom('-SWAP', '_PERP', '-perpetual');
  await property(t, fc.tuple(markets, endings), ([markets, ending]) => {
    const names = new MarketNames(markets);
    for (const { symbol, quote } of markets) {
      const found = names.named(`${symbol}-${quote}${ending}`);
      const all = markets.filter((one) => one.symbol === symbol && one.quote === quote);
      const contracts = all.filter(({ kind }) => kind === 'perpetual');
      assert.deepEqual(found, contracts[0] ?? null);
    }
  });
});

t.test('any text is a name of a listed market or of none, and gets a suggestion', async (t) => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 80 }),
    fc.string({ unit: fc.constantFrom(...'ABX0-_/:. ') }),
  );
  await property(t, fc.tuple(markets, text), ([markets, text]) => {
    const names = new MarketNames(markets);
    const listed: readonly unknown[] = [...markets, null];
    assert.ok(listed.includes(names.named(text)));
    assert.equal(names.named(text), names.named(text), 'the same when it is asked for again');
    assert.ok(listed.includes(names.nearest(text)));
    assert.ok(names.matching(text).every((one) => markets.includes(one)));
  });
});
