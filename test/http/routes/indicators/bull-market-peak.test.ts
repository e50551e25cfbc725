import t from 'tap';
import type { IndicatorName } from '../../../../actors/topics/index.ts';
import { peakSignals } from '../../../../http/routes/bull-market-peak.ts';
import { MarketIndicatorsView } from '../../../../http/views/published-indicators.ts';

const now = 1_700_000_000_000;

function setUp() {
  const indicators = new MarketIndicatorsView();
  const signals = peakSignals(indicators);
  let changes = 0;
  signals.source.listen(undefined, () => {
    changes += 1;
  });
  const tell = (name: IndicatorName, fields: Record<string, unknown>) =>
    indicators.accept(
      name,
      {
        name,
        fields,
        lacks: null,
        source: 'binance',
        live: null,
        updated_at: now - 7,
        received_at: now,
        stale_after: 180_000,
      },
      now,
    );
  const of = (name: IndicatorName) =>
    signals.build({})?.find(({ indicator }) => indicator === name);
  return { indicators, signals, tell, of, changes: () => changes };
}

t.test('a signal is reached from its threshold on, and not below it', async (t) => {
  const { signals, tell, of, changes } = setUp();
  t.equal(signals.build({}), null, 'nothing is known');
  const cases: [IndicatorName, Record<string, unknown>, Record<string, unknown>][] = [
    // Below and at the threshold: the mean of 111 days against twice that of 350.
    [
      'pi-cycle',
      { ma_111d_usd: 90, ma_350d_x2_usd: 100 },
      { ma_111d_usd: 100, ma_350d_x2_usd: 100 },
    ],
    ['two-year-ma', { price: 499, two_year_ma: 100 }, { price: 500, two_year_ma: 100 }],
    ['golden-ratio', { price: 299, ma_350_day: 100 }, { price: 300, ma_350_day: 100 }],
    ['puell-multiple', { value: 3.9 }, { value: 4 }],
    ['ahr999', { value: 4.9 }, { value: 5 }],
    ['rainbow-chart', { band: 6 }, { band: 7 }],
    ['stock-to-flow', { deflection: 1.9 }, { deflection: 2 }],
    ['altcoin-season', { index: 74 }, { index: 75 }],
    ['fear-greed', { value: 74 }, { value: 75 }],
  ];
  for (const [name, below, at] of cases) {
    tell(name, below);
    const low = of(name);
    t.match(low, { reached: false, source: 'binance', updated_at: now - 7, stale: false }, name);
    t.ok((low?.progress ?? 0) > 0.8 && (low?.progress ?? 1) < 1, `${low?.progress}`);
    t.equal(low?.progress, (low?.value ?? 0) / (low?.threshold ?? 0));
    tell(name, at);
    t.match(of(name), { reached: true, progress: 1 }, name);
  }
  t.match(of('pi-cycle'), {
    inputs: [
      { field: 'ma_111d_usd', value: 100, power: 1 },
      { field: 'ma_350d_x2_usd', value: 100, power: -1 },
    ],
  });
  for (const { value, inputs = [] } of signals.build({}) ?? [])
    t.equal(
      value,
      inputs.reduce((all, one) => all * one.value ** one.power, 1),
    );
  t.equal(cases.length, signals.build({})?.length, 'each signal has a case');
  t.equal(changes(), 2 * cases.length, 'each reading is announced');
});

t.test('what is not known or stale has no state', async (t) => {
  const { indicators, signals, tell, of } = setUp();
  tell('ahr999', { value: 6 });
  t.match(of('puell-multiple'), {
    value: null,
    reached: null,
    progress: null,
    source: null,
    updated_at: null,
    stale: null,
    threshold: 4,
  });
  indicators.expire(now + 180_001);
  t.match(of('ahr999'), { value: 6, reached: null, progress: 1, stale: true });
  tell('ahr999', { price_usd: 1 });
  t.equal(signals.build({}), null, 'a reading without the value');
});
