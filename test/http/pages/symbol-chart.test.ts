/** What the chart of a symbol is drawn of: candles that go back, compared markets, marked prices. */
import t from 'tap';

/** What the page has asked for over its stream, by id, and how the service answers. */
const asked = new Map<number, URL>();
let say: (message: object) => void = () => {};

class Socket extends EventTarget {
  static OPEN = 1;
  readyState = 1;
  constructor() {
    super();
    say = (message) =>
      this.dispatchEvent(Object.assign(new Event('message'), { data: JSON.stringify(message) }));
    setImmediate(() => this.dispatchEvent(new Event('open')));
  }
  send(text: string): void {
    const { op, id, path } = JSON.parse(text);
    if (op === 'subscribe') asked.set(id, new URL(path, 'http://host'));
    else asked.delete(id);
  }
}

Object.assign(globalThis, {
  document: { baseURI: 'https://host/app', documentElement: { dataset: { access: 'open' } } },
  sessionStorage: { getItem: () => null },
  location: { hash: '' },
  matchMedia: () => ({ matches: false }),
  WebSocket: Socket,
  // The stream's own look at its connection must not keep the test.
  setInterval: () => 0,
});

const load = (name: string) =>
  import(new URL(`../../../http/pages/app/symbol/${name}.ts`, import.meta.url).href);

const hour = 3_600_000;
const columns = ['timestamp', 'exchange', 'symbol', 'close'];

/** Answers the question with such a limit by closes from an hour on. */
function answer(limit: number, from: number, closes: readonly number[]): void {
  const [id] = [...asked].find(([, url]) => url.searchParams.get('limit') === `${limit}`) ?? [];
  const rows = closes.map((close, at) => [(from + at) * hour, 'okx', 'BTC', close]);
  say({ type: 'snapshot', id, data: { columns, rows, missing: [] } });
}

const limitsOf = () => [...asked.values()].map((url) => url.searchParams.get('limit')).sort();

t.test('candles are read, followed, and lengthened into the past', async (t) => {
  const { Candles } = await load('candles');
  const heard: [closes: number[], since: number | null][] = [];
  const market = { symbol: 'BTC', exchange: 'okx', kind: 'perpetual', interval: '1h' };
  const candles = new Candles(market, {
    candles: (all: { close: number }[], since: number | null) =>
      heard.push([all.map(({ close }) => close), since]),
    missing: (words: string) => t.fail(words),
  });
  while (asked.size < 2) await new Promise(setImmediate);
  answer(500, 10, [1, 2, 3]);
  t.strictSame(heard.pop(), [[1, 2, 3], null], 'all of them');
  answer(3, 11, [2, 4, 5]);
  t.strictSame(heard.pop(), [[1, 2, 4, 5], 12 * hour], 'the last one has changed, one is new');

  candles.older();
  candles.older();
  t.strictSame(limitsOf(), ['1000', '3'], 'older ones are asked for once');
  const [older] = [...asked.values()].filter((url) => url.searchParams.has('to'));
  t.equal(older?.searchParams.get('to'), `${10 * hour - 1}`, 'those before the first');
  answer(3, 12, [4, 7, 8]);
  t.strictSame(heard.pop(), [[1, 2, 4, 7, 8], 13 * hour], 'news come meanwhile');
  answer(1000, 8, [-1, 0]);
  t.strictSame(heard.pop(), [[-1, 0, 1, 2, 4, 7, 8], null]);
  candles.older();
  answer(1000, 0, []);
  heard.pop();
  candles.older();
  t.strictSame(limitsOf(), ['3'], 'where there are none before, nothing is asked');

  answer(3, 30, [9]);
  t.strictSame(limitsOf(), ['3', '500'], 'after a long absence all are read anew');
  candles.end();
  t.equal(asked.size, 0);
});

t.test(
  'longer candles are made of days: weeks from Monday on, months of the calendar',
  async (t) => {
    const { joinDays, withGaps } = await load('candles');
    const day = 24 * hour;
    // 1970-01-12 was a Monday.
    const candle = (at: number, close: number, more: object = {}) => ({
      time: at * day,
      open: close - 1,
      high: close + 2,
      low: close - 2,
      close,
      ...{
        volume: close * 10,
        volume_usd: null,
        open_interest_usd: null,
        taker_buy_usd: null,
        ...more,
      },
    });
    const days = [
      ...[candle(10, 1), candle(11, 50, { open_interest_usd: 7 }), candle(12, 90), candle(17, 60)],
      candle(18, 61, { taker_buy_usd: 3 }),
    ];
    const weeks = joinDays(days, '1w');
    t.match(weeks, [
      {
        time: 11 * day,
        open: 49,
        high: 92,
        low: 48,
        close: 60,
        volume: 2_000,
        volume_usd: null,
        open_interest_usd: 7,
        taker_buy_usd: null,
      },
      { time: 18 * day, open: 60, close: 61, volume: 610, taker_buy_usd: 3 },
    ]);
    t.equal(weeks.length, 2, 'a first week that lacks days is left out');
    const starts = (some: (number | { time: number })[]) =>
      some.map((one) => (typeof one === 'number' ? one : one.time) / day);
    t.strictSame(starts(joinDays(days, '3d')), [12, 18], 'multiples of three days');
    // 1970-01-31, 02-01, 02-28, 04-01
    const months = joinDays(
      [30, 31, 58, 90].map((at) => candle(at, at)),
      '1M',
    );
    t.match(months, [{ time: 31 * day, open: 30, close: 58 }, { time: 90 * day }]);
    t.strictSame(starts(withGaps(months, '1M')), [31, 59, 90], 'March has none');
  },
);

t.test(
  'indicators of more candles than the service knows are of those that are sent',
  async (t) => {
    const { questionOf } = await load('indicators');
    const market = { symbol: 'BTC', exchange: 'okx', kind: 'perpetual', interval: '1h' };
    const candles = Array.from({ length: 1_001 }, (_, at) => ({
      ...{
        time: Date.now() - (Date.now() % hour) - (1_000 - at) * hour,
        open: 1,
        high: 3,
        low: 0.5,
        close: at,
        volume: 9,
      },
    }));
    const of = (some: object[]) => JSON.parse(questionOf(market, [], some).body);
    t.match(of(candles.slice(1)), { symbol: 'BTC', exchange: 'okx', limit: 1_000 });
    const few = candles.slice(0, 100);
    for (const [interval, isSent] of [
      ['1M', false],
      ['3d', true],
    ] as const) {
      const { body } = questionOf({ ...market, interval }, [], few);
      t.equal('candles' in JSON.parse(body), isSent, interval);
    }
    const { candles: sent, symbol } = of(candles);
    t.equal(symbol, undefined);
    t.equal(sent.length, 1_000, 'the last one has not closed');
    t.strictSame(sent[1].slice(1), [1, 3, 0.5, 1, 9]);
  },
);

t.test('what takers bought less what they sold goes on at the end', async (t) => {
  const { addUp } = await load('panes');
  const candle = (time: number, bought: number | null, sold: number) => ({
    time,
    taker_buy_usd: bought,
    taker_sell_usd: sold,
  });
  const sums = new Map();
  addUp(sums, [candle(1, 5, 2), 2, candle(3, null, 9), candle(4, 1, 2)], false);
  t.strictSame([...sums.values()], [3, 3, 3, 2]);
  addUp(sums, [candle(3, null, 9), candle(4, 1, 4), candle(5, 7, 0)], true);
  t.strictSame([...sums.values()], [3, 3, 3, 0, 7]);
});

t.test('compared markets in a link', async (t) => {
  const { linkOf, othersIn } = await load('compare');
  const others = [
    { symbol: 'ETH', exchange: 'okx' },
    { symbol: 'XYZ:TSLA', exchange: 'hyperliquid' },
  ];
  t.strictSame(othersIn(linkOf(others)), others);
  t.strictSame(othersIn('eth@okx,ETH@okx,BTC,@gate,'), [others[0]], 'each once, whole ones');
  t.equal(othersIn('A@x,B@x,C@x,D@x,E@x').length, 4, 'four at most');
});

t.test('alerts on the price of a symbol are marked', async (t) => {
  const { alertsOn } = await load('levels');
  const alert = (path: string, pointer: string, value?: number, status = 'active') => ({
    path,
    pointer,
    status,
    condition: { type: 'crosses', value },
  });
  const marked = alertsOn('BTC', [
    alert('/v1/prices?symbol=btc', '/average_price', 90),
    alert('/v1/reference-rate?symbol=BTC', '/rate', 91),
    alert('/v1/prices?symbol=ETH', '/average_price', 3),
    alert('/v1/prices?symbol=BTC', '/spread', 4),
    alert('/v1/prices?symbol=BTC', '/average_price'),
    alert('/v1/prices?symbol=BTC', '/average_price', 92, 'paused'),
  ]);
  t.strictSame(marked, [
    { price: 90, kind: 'alert' },
    { price: 91, kind: 'alert' },
  ]);
});
