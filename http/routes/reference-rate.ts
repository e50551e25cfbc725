import { meaningsOf } from '../views/markets.ts';
import { referenceRateAnswer } from '../views/reference-rate.ts';
import { apiError, kit, params, s } from './kit.ts';

type Context = kit.Needs<'referenceRates' | 'prices' | 'clock'>;

const rateAt = kit.columns<kit.Sample>()({
  ...kit.sampledCells,
  rate: [s.numberOrNull('US dollars; null with fewer than three markets.'), kit.recordedAs('rate')],
  used: [s.integerOrNull('Markets that it was made of.'), kit.recordedAs('used')],
});

/** A reference price of a tracked asset, with all that it is made of; it is computed anew each second. */
export function referenceRateRoute({ referenceRates, prices, clock }: Context) {
  const isListed = (name: string) => referenceRates.has(name) || prices.has(name);
  const row = kit.document({
    path: '/v1/reference-rate',
    summary: 'Reference price that no single exchange can move far: weighted median of last trades',
    params: { symbol: params.assetIn(params.symbolOrBitcoin, isListed), explain: params.explain },
    answer: referenceRateAnswer,
    source: referenceRates.source,
    keysOf: ({ symbol }) => meaningsOf(symbol),
    build({ symbol, explain }) {
      const isEarly = referenceRates.isEmpty() && (prices.isEmpty() || isListed(symbol));
      if (referenceRates.has(symbol) || isEarly) {
        return explain === '1' ? referenceRates.explained(symbol) : referenceRates.one(symbol);
      }
      return apiError('unknown_symbol', `${symbol} is not one of the assets with a reference rate`);
    },
  });
  const past = { keys: (symbol: string) => [{ key: symbol, labels: {} }], columns: rateAt };
  return kit.withPast(
    row,
    { series: 'reference-rate', ...past },
    {
      now: 'ReferenceRate',
      title: 'ReferenceRateAt',
      what: 'the reference rate',
      choice: 'With `at`, the recorded rate, without what it was made of.',
      view: referenceRates,
      clock,
    },
  );
}
