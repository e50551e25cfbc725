import t from 'tap';
import { binance } from '../../../../actors/venues/binance/index.ts';
import { bodiesOf, contextOf, ownPoll } from '../fixtures.ts';

t.test('funding hours: listed where they were ever adjusted, else 8; of perpetuals', async (t) => {
  const hours = (part: string) =>
    Object.fromEntries(
      [...contextOf(binance, part).instruments].map(([id, row]) => [id, row.funding_hours]),
    );
  t.match(hours('linear'), {
    BTCUSDT: 8,
    '1000PEPEUSDT': 4,
    BTCUSDC: null, // listed without a number: not the usual one
    BTCUSDT_250926: null,
    GONEUSDT: null,
  });
  t.strictSame(hours('inverse'), {
    BTCUSD_PERP: 8,
    SOLUSD_PERP: 4,
    BTCUSD_250926: null,
    LUNAUSD_PERP: null,
  });
  t.ok(Object.values(hours('spot')).every((value) => value === null));

  const info = { symbols: [{ symbol: 'A', baseAsset: 'A', quoteAsset: 'USDT', status: 'BREAK' }] };
  const linear = ownPoll(binance, 'instruments', 'linear');
  const context = { received: 0, instruments: new Map() };
  t.equal(linear.parse([info, []], context).rows.length, 1, 'none may have been adjusted');
  t.throws(() => linear.parse([info, { code: 0 }], context), { name: 'ShapeError' });
});

t.test('without funding info the hours are those known before, or unknown', async (t) => {
  const instruments = ownPoll(binance, 'instruments', 'linear');
  const [info] = bodiesOf(binance, 'linear-instruments');
  const known = contextOf(binance, 'linear');
  const hours = (context: typeof known) =>
    instruments
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

t.test('hours that changed since the list was read are those of the rates', async (t) => {
  const of = (part: string, market: string, funding?: object[]) => {
    const [index] = bodiesOf(binance, `${part}-derivatives`);
    const { rows } = ownPoll(binance, 'derivatives', part).parse(
      [index, funding],
      contextOf(binance, part),
    );
    const row = rows.find((one) => one.market === market);
    return [row?.funding_rate, row?.funding_hours, row?.funding_rate_8h];
  };
  const hourly = [{ symbol: 'BTCUSDT', fundingIntervalHours: 1 }];
  t.strictSame(of('linear', 'BTCUSDT'), [0.00012, 8, 0.00012], 'without a list as before');
  t.strictSame(of('linear', 'BTCUSDT', hourly), [0.00012, 1, 0.00096]);
  t.strictSame(of('linear', '1000PEPEUSDT', hourly).slice(1), [8, -0.00005], 'no longer adjusted');
  const [, hours] = of('inverse', 'BTCUSD_PERP', [
    { symbol: 'BTCUSD_PERP', fundingIntervalHours: 4 },
  ]);
  t.equal(hours, 4);
});

t.test('a premium index of one symbol is a lone object', async (t) => {
  const derivatives = ownPoll(binance, 'derivatives', 'linear');
  const [body] = bodiesOf(binance, 'linear-derivatives');
  const [row] = Array.isArray(body) ? body : [];
  const parse = (lone: unknown) => derivatives.parse([lone], contextOf(binance, 'linear'));
  t.strictSame(parse(row), parse([row]));
  t.equal(parse(row).rows.length, 1);
});

t.test('contracts that no list holds are no reason to ask for it again', async (t) => {
  for (const part of ['linear', 'inverse'] as const) {
    const [body] = bodiesOf(binance, `${part}-derivatives`);
    const rows = Array.isArray(body) ? body : [];
    const gone = { ...rows[0], symbol: 'GONEUSD_200925' };
    const { parse } = ownPoll(binance, 'derivatives', part);
    const given = contextOf(binance, part);
    t.strictSame(parse([[...rows, gone]], given), parse([rows], given), part);
    const dated = ownPoll(binance, 'futures', part).parse([[gone], [gone]], given);
    t.strictSame([dated.rows, dated.dropped], [[], []], part);
  }
});
