import t, { type Test } from 'tap';
import { annualRate } from '../../../indicators/derivatives/funding.ts';
import {
  type Funding,
  fundingPairs,
  fundingSummary,
} from '../../../indicators/derivatives/funding-rates.ts';

const funding = (over: Partial<Funding>): Funding => ({
  exchange: 'a',
  contract: 'BTCUSDT',
  quote: 'USDT',
  asset_class: 'crypto',
  rate: 0.0001,
  predicted: null,
  hours: 8,
  next: null,
  mark: 100,
  index: 100,
  open_interest_usd: 1,
  volume_24h_usd: 1,
  received: 0,
  ...over,
});
const near = (t: Test, found: number | undefined, wanted: number) =>
  t.ok(Math.abs((found ?? Number.NaN) - wanted) < 1e-12, `${found} is ${wanted}`);

t.test('a rate per year: 8 hours three times a day, 1 hour 24 times', async (t) => {
  near(t, annualRate(0.0001, 8), 0.1095);
  near(t, annualRate(0.0001, 1), 0.876);
  near(t, annualRate(-0.0002, 4), -0.438);
});

t.test('the summary of an asset: an hourly rate counts eight times', async (t) => {
  const eight = funding({});
  const hourly = funding({ exchange: 'b', rate: 0.00005, hours: 1 });
  const low = funding({ contract: 'BTCUSDC', rate: -0.0002, hours: 8 });
  const pair = fundingSummary([eight, hourly]);
  near(t, pair?.mean8Hours, 0.00025);
  near(t, pair?.annual, 0.27375);
  const all = fundingSummary([eight, hourly, low]);
  near(t, all?.mean8Hours, 0.0001);
  near(t, all?.median8Hours, 0.0001);
  t.match(all, { exchanges: 2, highest: hourly, lowest: low });
  t.equal(fundingSummary([]), null);
});

t.test('a pair: long where the rate is lower, short on another exchange', async (t) => {
  const low = funding({});
  const high = funding({ exchange: 'b', hours: 1, mark: 101 });
  const own = funding({ contract: 'BTCUSDC', rate: 0.001 });
  const [best, ...others] = fundingPairs([high, low], 0.1);
  t.match(best, { long: low, short: high });
  near(t, best?.annual, 0.7665);
  near(t, best?.basis, 0.01);
  t.strictSame(others, []);
  t.equal(fundingPairs([high, low], best?.annual ?? 0).length, 1);
  const three = [funding({ exchange: 'c', rate: 0.0002 }), low, high];
  t.strictSame(
    fundingPairs(three, 0).map(({ long, short }) => `${long.exchange} ${short.exchange}`),
    ['a b', 'c b', 'a c'],
    'best first',
  );
  t.strictSame(fundingPairs([high, low], 0.77), [], 'below the least rate');
  t.strictSame(fundingPairs([low, own], 0), [], 'both on one exchange');
  t.strictSame(fundingPairs([low, funding({ exchange: 'b' })], 0), [], 'nothing to receive');
  const [day, third] = [0.0003, 0.0001].map((rate) => ({ rate, hours: rate * 80_000 }));
  const equal = [funding({ ...day }), funding({ exchange: 'b', ...third })];
  t.strictSame(fundingPairs(equal, 0), [], 'the same rate for another interval');
});

t.test('a pair whose marks differ is not one asset', async (t) => {
  const low = funding({});
  const of = (mark: number | null) => funding({ exchange: 'b', rate: 0.01, mark });
  t.equal(fundingPairs([low, of(104.9)], 0).length, 1);
  t.equal(fundingPairs([low, of(105)], 0).length, 1);
  for (const mark of [105.1, 94.9, null]) t.strictSame(fundingPairs([low, of(mark)], 0), []);
});
