/** The words of the simulator's tables, each against the fact that it names. */
import t from 'tap';
import { bookOf } from '../../../scripts/simulator/book.ts';
import { sortOf } from '../../../scripts/simulator/listing.ts';
import { Model } from '../../../scripts/simulator/model.ts';
import { Parameters, pageOf } from '../../../scripts/simulator/pages.ts';
import { absent, rowsWith, whileLive } from '../../../scripts/simulator/rows.ts';
import { gate } from '../../../scripts/simulator/venues/gate.ts';

const now = Date.UTC(2026, 7, 14, 13, 37, 21);
const model = new Model({ seed: 7, symbols: 16, clock: { now: () => now }, venues: [gate] });
const at = { model, now };
const market = model.market('gate', 'usdt', 'BTC_USDT', now);
const halted = model.markets('gate', now).find(({ state }) => state === 'halted');

t.test('members', async (t) => {
  if (!market || !halted) throw new Error('the simulator lists both');
  const { row, list } = rowsWith({
    one: () => 1.23456,
    none: () => undefined,
    gone: () => absent,
  });
  const [bid] = bookOf(market, now, 1).bids;
  const day = model.last24h(market, now);
  const made = row(`
    id m=symbol a=one.2 b=one.7f c=#one.3 d=@one e=$now f='two words' g=-3 h=null i=[1,"x"]
    in{ last=@last } of[ @bid { n=now } ] absent=none gone`);
  t.strictSame(made(market, at), {
    id: 'BTC_USDT',
    m: 'BTC',
    a: '1.23',
    b: '1.2345600',
    c: 1.235,
    d: 1.23456,
    e: `${now}`,
    f: 'two words',
    g: -3,
    h: null,
    i: [1, 'x'],
    in: { last: market.price(now) },
    of: [bid?.price, { n: now }],
    absent: '',
  });
  const chosen = list('isLive:on/off #isLive:1/0 state:live/stopped/soon');
  t.strictSame(
    [chosen(market, at), chosen(halted, at)],
    [
      ['on', 1, 'live'],
      ['off', 0, 'stopped'],
    ],
  );
  const quantities = list('@quantity @base @turnover @bought')(market, at);
  t.strictSame(quantities, [day.quantity, day.base, day.turnover, day.bought]);
  const [high = 0, low = 0] = list('#high #low')(market, at).map(Number);
  t.strictSame([high, low], [day.high, day.low], 'prices lose nothing');
  const open = rowsWith(whileLive(null, 'open')).row('open');
  t.strictSame([open(halted, at).open, open(market, at).open === null], [null, false]);
});

t.test('a table that names no fact is refused when it is read', async (t) => {
  t.throws(() => rowsWith().row('a=nothing'), { message: 'no fact: nothing' });
  t.throws(() => rowsWith().row('a=close b=start')(market ?? Object(null), at), TypeError);
  t.throws(() => pageOf('in a 1x'), RangeError);
  t.throws(() => pageOf('rows 5; sorted'), { message: 'no such word of a page: sorted' });
  t.throws(() => sortOf('{base} colour=red'), { message: 'no such word of a sort: colour' });
});

t.test('intervals and whole numbers', async (t) => {
  const page = 'in step:5m 5m 1hour=1h@-8 1w 1mon=1M; rows limit 10 20 cut; from a; iso; taken';
  t.match(pageOf(page), {
    bars: {
      '5m': { ms: 300_000, origin: 0 },
      '1hour': { ms: 3_600_000, origin: -28_800_000 },
      // The first Monday of Unix time.
      '1w': { ms: 604_800_000, origin: 345_600_000 },
      '1mon': { months: 1, origin: 0 },
    },
    word: ['step', '5m'],
    count: ['limit', 10, 20, 'cut'],
    from: 'a',
    is: new Set(['iso', 'taken']),
  });
  const parameters = new Parameters((name) => {
    throw new RangeError(name);
  });
  const ask = {
    ...at,
    method: 'GET',
    path: '/',
    body: '',
    query: new URLSearchParams('a=7&b=7.5'),
  };
  t.equal(parameters.whole(ask, 'a', 1, [0, 7]), 7);
  t.equal(parameters.whole(ask, 'none', 1, [5, 7]), 1, 'what is absent has its usual value');
  t.throws(() => parameters.whole(ask, 'a', 1, [0, 6]), { message: 'a' });
  t.throws(() => parameters.whole(ask, 'b', 1, [0, 9]), { message: 'b' });
});
