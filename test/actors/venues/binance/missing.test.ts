import t from 'tap';
import { binance } from '../../../../actors/venues/binance/index.ts';
import { bodiesOf, contextOf } from '../fixtures.ts';

t.test('without funding info the hours are those known before, or unknown', async (t) => {
  const { instruments } = binance.feeds;
  const [info] = bodiesOf(binance, 'linear-instruments');
  const known = contextOf(binance, 'linear');
  const hours = (context: typeof known) =>
    instruments.parts.linear
      .parse([info, undefined], context)
      .rows.map(({ market, funding_hours }) => [market, funding_hours]);
  const before = [...known.instruments.values()].map((row) => [row.market, row.funding_hours]);
  t.strictSame(hours(known), before);
  t.ok(before.some(([, stated]) => stated === 8));
  const first = hours({ ...known, instruments: new Map() });
  t.ok(
    first.every(([, stated]) => stated === null),
    'never the usual ones by guess',
  );
});

t.test('a premium index of one symbol is a lone object', async (t) => {
  const { derivatives } = binance.feeds;
  const [body] = bodiesOf(binance, 'linear-derivatives');
  const [row] = Array.isArray(body) ? body : [];
  const parse = (lone: unknown) =>
    derivatives.parts.linear.parse([lone], contextOf(binance, 'linear'));
  t.strictSame(parse(row), parse([row]));
  t.equal(parse(row).rows.length, 1);
});
