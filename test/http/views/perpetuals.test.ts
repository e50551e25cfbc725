import t from 'tap';
import {
  type DerivativeRow,
  type PriceRow,
  type Reading,
  topics,
} from '../../../actors/topics/index.ts';
import { Snapshot } from '../../../http/answers/snapshots.ts';
import { PerpetualsView } from '../../../http/views/perpetuals.ts';
import * as make from '../../support/makers.ts';
import { derivativeRow, interestRow, now, priceRow, reading } from '../../support/makers.ts';
import { table } from '../../support/table.ts';

const market = 'BTC-P';
const derivative = (over: Partial<DerivativeRow> = {}): DerivativeRow =>
  derivativeRow({ market, funding_hours: 8, funding_rate_8h: 0.0001, ...over });
const interest = interestRow({ market });
const price = (kind: PriceRow['kind'], last: number): PriceRow =>
  priceRow({ market, kind, price: last, volume: 2_000, change: 1 });
const instrument = make.instrument({ market, funding_hours: 8, max_leverage: 50 });

const dollars = { rates: () => new Map([['USDT', 0.5]]) };

t.test('a perpetual is what all topics state of its market', async (t) => {
  const view = new PerpetualsView(dollars);
  t.equal(view.of('a'), undefined);
  view.accept('derivatives', reading([derivative()]), now);
  t.match(view.of('a')?.rows, [
    { contract: 'BTC-P', units: null, last: null, inverse: null, max_leverage: null },
  ]);
  view.accept('openInterest', reading([interest]), now);
  view.accept('prices', reading([price('perpetual', 99)]), now);
  // An exchange may use one id for two markets.
  view.accept('prices', reading([price('spot', 7)], { part: 'spot' }), now);
  view.accept('instruments', reading([instrument]), now);
  t.match(view.of('a'), {
    newest: now,
    rows: table`
      contract mark index rate   hours last change volume units value inverse max_leverage isolated_only predicted premium received
      BTC-P    100  101   0.0001 8     99   1      2_000  5     500   false   50           false         -         -       ${now}
    `,
  });
  t.match(view.fundings().get('BTC'), [
    { exchange: 'a', rate: 0.0001, open_interest_usd: 250, volume_24h_usd: 1_000 },
  ]);
});

t.test('an older reading changes nothing, and a frozen exchange is left out', async (t) => {
  const view = new PerpetualsView(dollars);
  view.accept('derivatives', reading([derivative()]), now);
  view.accept('derivatives', reading([derivative({ mark: 7 })], { received: now - 1 }), now);
  t.match(view.of('a')?.rows, [{ mark: 100 }]);
  view.accept('derivatives', reading([derivative()], { frozen: true }), now);
  t.match(view.of('a')?.rows, []);
  t.strictSame(view.staleOn('BTC'), ['a']);
  t.equal(view.fundings().size, 0);
  view.accept('derivatives', reading([]), now);
  t.equal(view.of('a'), undefined, 'an exchange without rows');
  const unknown = { funding_rate: null, funding_hours: 8 };
  const odd = [
    derivative({ ...unknown, market: 'A' }),
    derivative({ market: 'B', funding_hours: null }),
  ];
  view.accept('derivatives', reading([...odd, derivative({ quote: 'EUR' })]), now);
  view.accept('openInterest', reading([interest]), now);
  t.match(view.fundings().get('BTC'), [{ contract: 'BTC-P', open_interest_usd: null }]);
});

t.test('rows of a stream change the perpetuals of their exchange', async (t) => {
  const view = new PerpetualsView(dollars);
  const read = view.source.answers({
    build: () =>
      view.isEmpty()
        ? null
        : {
            marks: [...view.all()].flatMap(([, { rows }]) => rows.map(({ mark }) => mark)),
            updated_at: view.of('a')?.newest,
          },
  });
  const marks = () => {
    const answer = read('');
    return answer instanceof Snapshot
      ? [answer.asOf, JSON.parse(`${answer.at(now)}`).data.marks]
      : [];
  };
  const change = (over: Partial<Reading<DerivativeRow>>, at = now + 2) =>
    view.change('derivatives', reading([derivative({ mark: 7 })], { received: at, ...over }), at);
  change({});
  t.strictSame(marks(), [], 'there is no reading to change');
  view.accept('derivatives', reading([derivative()]), now);
  view.accept('derivatives', reading([derivative()], { source: 'b' }), now);
  change({ source: 'c' });
  change({ part: 'other' });
  t.strictSame(marks(), [now, [100, 100]]);
  const told: string[] = [];
  for (const symbol of ['BTC', 'ETH']) view.source.listen([symbol], () => told.push(symbol));
  change({});
  t.strictSame(told, ['BTC'], 'those of its symbol alone');
  t.strictSame(marks(), [now + 2, [7, 100]]);
  t.strictSame([view.staleOn('BTC'), view.fundings().get('BTC')?.length], [[], 2]);
  view.accept('derivatives', reading([derivative()], { received: now + 1 }), now + 3);
  t.strictSame(marks(), [now + 2, [7, 100]], 'a poll does not take a newer row back');
  view.accept('derivatives', reading([derivative()], { received: now + 3 }), now + 3);
  t.strictSame(marks(), [now + 3, [100, 100]]);
});

t.test('what is beside the rate has an age of its own', async (t) => {
  const view = new PerpetualsView(dollars);
  view.accept('prices', reading([price('perpetual', 99)]), now);
  const later = now + topics.prices.maxAge;
  view.accept('derivatives', reading([derivative()], { received: later }), later);
  t.match(view.of('a')?.rows, [{ last: 99, mark: 100 }]);
  view.expire(later + 1);
  t.match(view.of('a')?.rows, [{ last: null, mark: 100 }]);
});

t.test('the perpetual of an asset with the largest turnover, of each margin', async (t) => {
  const view = new PerpetualsView(dollars);
  t.equal(view.leading('a', 'BTC', 'stable'), undefined);
  const markets = ['coin', 'small', 'large', 'none'];
  view.accept('derivatives', reading(markets.map((market) => derivative({ market }))), now);
  const volumes = [9_000, 1_000, 2_000, null];
  const prices = markets.map((market, i) => ({
    ...price('perpetual', 100),
    market,
    volume: volumes[i] ?? null,
  }));
  view.accept('prices', reading(prices), now);
  view.accept('instruments', reading([{ ...instrument, market: 'coin', inverse: true }]), now);
  t.match(view.leading('a', 'BTC', 'stable'), { contract: 'large' });
  t.match(view.leading('a', 'BTC', 'coin'), { contract: 'coin' });
  t.equal(view.leading('a', 'ETH', 'stable'), undefined);
});

t.test('dollars follow the rate of their quote within a second, once it has moved', (t) => {
  let rate = 0.5;
  const view = new PerpetualsView({ rates: () => new Map([['USDT', rate]]) });
  view.accept('derivatives', reading([derivative()]), now);
  view.accept('openInterest', reading([interest]), now);
  view.expire(now);
  const read = view.source.answers({
    build: (symbol: string) => ({ usd: view.fundingsOf(symbol)[0]?.open_interest_usd }),
    keysOf: (symbol) => [symbol],
  });
  const told: string[] = [];
  view.source.listen(['BTC'], () => told.push('BTC'));
  view.source.listen(undefined, () => told.push('any'));
  const usd = () => {
    const answer = read('BTC');
    return [
      answer instanceof Snapshot && answer.dataText,
      view.fundings().get('BTC')?.[0]?.open_interest_usd,
    ];
  };
  t.same(usd(), ['{"usd":250}', 250]);
  rate = 0.50004;
  view.expire(now + 1_000);
  t.same(usd(), ['{"usd":250}', 250], 'by less than 0.01 %');
  rate = 0.6;
  view.expire(now + 2_000);
  t.same(usd(), ['{"usd":300}', 300]);
  t.same(told, ['BTC', 'any']);
  t.end();
});
