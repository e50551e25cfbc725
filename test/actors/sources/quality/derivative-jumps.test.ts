import t from 'tap';
import { VenueRows } from '../../../../actors/sources/market-rows.ts';
import { NewestRows } from '../../../../actors/state/newest-rows.ts';
import type { DerivativeRow } from '../../../../actors/topics/index.ts';
import { FakeClock } from '../../../support/clock.ts';
import { derivativeRow, priceRow } from '../../../support/makers.ts';

const now = 1_790_000_000_000;

const rates = derivativeRow();

const priceOf = (price: number) => priceRow({ kind: 'perpetual', price, volume: 1 });

const at = (source: string) => ({ source, part: 'linear', asked: now, received: now });

/** What is published of a row after `before`, where exchange `a` has it, with the prices of exchanges. */
function outcome(
  row: Partial<DerivativeRow>,
  { before, prices = {} }: { before?: DerivativeRow; prices?: Record<string, number> },
) {
  const newest = new NewestRows();
  for (const [source, price] of Object.entries(prices))
    newest.accept('prices', { ...at(source), rows: [priceOf(price)] });
  const clock = new FakeClock(now);
  const all = new VenueRows('a', { clock, newest }).of('derivatives', 'linear', 30_000);
  if (before) all.load({ ...at('a'), asked: now - 1, rows: [before] });
  const poll = { rows: [{ ...rates, ...row }], dropped: [], asked: now, received: now };
  const { rows, dropped } = all.polled({ ...poll, listed: null });
  const { mark, index, funding_rate, predicted_rate, premium } = rows[0] ?? rates;
  return [mark, index, funding_rate, predicted_rate, premium, ...dropped.map(({ code }) => code)];
}

const whole = [0.0001, undefined, undefined];

t.test('a mark or index price that nothing confirms is null and counted', async (t) => {
  const prices = { a: 99, b: 98 };
  t.strictSame(outcome({}, { prices }), [100, 101, ...whole]);
  t.strictSame(outcome({ mark: 100_000 }, { prices }), [null, 101, ...whole, 'bad_mark']);
  t.strictSame(outcome({ index: 0.1 }, { prices: { b: 98 } }), [100, null, ...whole, 'bad_mark']);
  t.strictSame(outcome({ mark: 1e5 }, { before: rates }), [null, 101, ...whole, 'bad_mark']);
  const one = { mark: 1e5, index: 1e5 };
  t.strictSame(outcome(one, { prices }), [null, null, ...whole, 'bad_mark'], 'one price for both');
  t.strictSame(outcome({ mark: 500 }, {}), [null, null, ...whole, 'bad_mark'], 'which is it?');
});

t.test('a mark that moved is used where something confirms it', async (t) => {
  const moved = { mark: 50, index: 51 };
  t.strictSame(outcome(moved, { before: rates }), [50, 51, ...whole], 'mark and index moved');
  const alone = { mark: 50, index: null };
  t.strictSame(outcome(alone, { before: rates, prices: { a: 49 } }), [50, null, ...whole]);
  t.strictSame(outcome(alone, { before: rates, prices: { b: 49 } }), [50, null, ...whole]);
  t.strictSame(outcome(alone, {}), [50, null, ...whole], 'the first one');
  const gone = { ...rates, mark: null, index: null };
  t.strictSame(outcome(alone, { before: gone }), [50, null, ...whole], 'held back for one poll');
});

t.test('rates that move by more than a percentage point are left out once', async (t) => {
  const before = { ...rates, predicted_rate: 0.0002, premium: -0.001 };
  const next = { predicted_rate: 0.0003, premium: 0.008 };
  t.strictSame(outcome(next, { before }), [100, 101, 0.0001, 0.0003, 0.008]);
  const jumped = { funding_rate: 0.0102, funding_rate_8h: 0.0204, ...next };
  t.strictSame(outcome(jumped, { before }), [100, 101, null, 0.0003, 0.008, 'bad_funding_rate']);
  t.strictSame(outcome({ ...next, premium: -0.012 }, { before }), [
    100,
    101,
    0.0001,
    0.0003,
    undefined,
    'bad_funding_rate',
  ]);
  const unknown = { ...before, funding_rate: null, funding_rate_8h: null };
  t.strictSame(outcome(jumped, { before: unknown }), [100, 101, 0.0102, 0.0003, 0.008]);
});
