/** What `npm run load -- cluster` concludes from what it sees, and a short run of it with real processes. */
import t from 'tap';
import { EventParser } from '../../../scripts/load/cluster/clients.ts';
import { longestAges, most, some, textOf } from '../../../scripts/load/cluster/findings.ts';
import { runCluster } from '../../../scripts/load/cluster/main.ts';
import { type ClusterOptions, clusterOptions } from '../../../scripts/load/cluster/options.ts';
import { answerable, GroupAccount } from '../../../scripts/load/cluster/requests.ts';
import {
  compareEvents,
  EventAccount,
  eventKey,
  PriceAccount,
} from '../../../scripts/load/cluster/streams.ts';
import { type EventRow, Truth } from '../../../scripts/load/cluster/truth.ts';
import { venues } from '../../../scripts/simulator/main.ts';
import { Model } from '../../../scripts/simulator/model.ts';

const optionsOf = (...args: string[]): ClusterOptions => {
  const options = clusterOptions(args);
  if (options === null) throw new Error('help was asked for');
  return options;
};

const row = (changes: Partial<EventRow> = {}): EventRow => ({
  exchange: 'binance',
  symbol: 'BTC',
  contract: 'BTCUSDT',
  side: 'long',
  price: 101.5,
  price_kind: 'average',
  quantity_base: 0.25,
  timestamp: 1_700_000_000_100,
  ...changes,
});
const believing = { event: () => {}, price: () => {} };

t.test('arguments', async (t) => {
  t.match(optionsOf('--seconds', '7', '--ha', '--sources', 'okx'), {
    seconds: 7,
    ha: true,
    push: false,
    sources: 'okx',
  });
  t.equal(clusterOptions(['--help']), null);
  for (const wrong of ['--feeds 0', '--assets 3', '--none', '--events --history 0'])
    t.throws(() => clusterOptions(wrong.split(' ')), { message: /.+/ }, wrong);
  const none = answerable({ compute: 0, history: 0 });
  t.notOk(none.includes('indicators') || none.includes('history'));
});

t.test('events of a client and of the log', async (t) => {
  const account = new EventAccount();
  const take = (at: number, events: EventRow[]) =>
    account.take({ type: 'events', position: `${at}.${1_000 + at}-0`, events }, believing);
  const [a, b, c, d] = [1, 2, 3, 4].map((nth) => row({ timestamp: 1_700_000_000_000 + nth }));
  const [ka = '', kb = '', kc = '', kd = ''] = [a, b, c, d].map((one) => eventKey(one ?? row()));
  const before = 'an event before the client came';
  take(1, [a ?? row()]);
  take(3, [c ?? row()]);
  t.equal(account.unordered, 0);
  take(2, [c ?? row()]);
  t.equal(account.unordered, 1, 'its position is before the last one');
  account.take({ type: 'events', position: '1.1-0', events: [], recovered: false }, believing);
  take(2, [d ?? row()]);
  t.equal(account.unordered, 1, 'after a loss positions begin anew');
  t.equal(account.unrecovered, 1);
  t.strictSame(
    compareEvents(account.counts, { early: [before, ka, kb, kc], all: [before, ka, kb, kc, kd] }),
    { missing: [kb], repeated: 1, beyond: 0 },
    'b is missing, c came twice, d came later',
  );
  t.strictSame(
    compareEvents(account.counts, { early: [kc, kc], all: [kc, kc] }),
    { missing: [], repeated: 0, beyond: 2 },
    'the log has c twice, a and d not at all',
  );
  t.strictSame(
    compareEvents(new Map(), { early: [ka, kb], all: [ka, kb] }),
    { missing: [ka, kb], repeated: 0, beyond: 0 },
    'who got nothing misses all',
  );
  t.strictSame(
    compareEvents(account.counts, { early: [kb, ka, kb, kc, kd], all: [kb, ka, kb, kc, kd] })
      .missing,
    [],
    'b came before the client, and is not given again when the log has it twice',
  );
  const rounded = { price: 101.500000000001, quantity_base: 0.249999999999 };
  t.equal(eventKey(row(rounded)), eventKey(row()), 'answers have twelve digits');
  t.not(eventKey(row({ price: 101.6 })), eventKey(row()));
});

t.test('messages of a price', async (t) => {
  const account = new PriceAccount('BTC');
  const take = (type: string, as_of: number, version: string) =>
    account.take({ type, as_of, version, data: {} }, believing);
  take('snapshot', 10, 'a');
  take('update', 12, 'b');
  take('update', 12, 'c');
  t.match(account, { messages: 3, unordered: 0, repeated: 0 });
  take('update', 11, 'd');
  t.equal(account.unordered, 1);
  take('update', 11, 'd');
  t.equal(account.repeated, 1);
  account.connected();
  take('snapshot', 5, 'e');
  t.equal(account.unordered, 1, 'another process may be behind');

  const prices: unknown[] = [];
  const noting = {
    price: (_exchange: string, _symbol: string, entry: unknown) => prices.push(entry),
  };
  const patch = (from: string, version: string, price: number) =>
    account.take(
      {
        type: 'patch',
        as_of: 20,
        version,
        from,
        patch: { exchanges: { okx: { price } } },
      },
      noting,
    );
  const data = { exchanges: { okx: { price: 1, market: 'BTC-USDT' } } };
  account.take({ type: 'snapshot', as_of: 20, version: 'f', data }, believing);
  patch('f', 'g', 2);
  t.same(prices, [{ price: 2, market: 'BTC-USDT' }]);
  t.equal(account.unfit, 0);
  patch('x', 'h', 3);
  t.equal(account.unfit, 1, 'a patch of another version');
});

t.test('values against the model of the simulator', async (t) => {
  const about = { seed: 5, assets: 20 };
  const truth = new Truth(about);
  const model = new Model({ seed: 5, symbols: 20, clock: Date, venues });
  const now = Date.now();
  const own = model.truth('binance', 'BTCUSDT', 'perpetual');
  if (!own) throw new Error('no such market');
  const entry = { market: 'BTCUSDT', kind: 'perpetual', updated_at: now } as const;
  truth.price('binance', 'BTC', { ...entry, price: own.priceUsd });
  t.match(truth.compared, { checked: 1, wrong: 0 });
  truth.price('binance', 'BTC', { ...entry, price: own.priceUsd * 1.01 });
  t.equal(truth.compared.wrong, 1, 'one percent off');
  truth.price('binance', 'ETH', { ...entry, price: own.priceUsd });
  t.equal(truth.compared.wrong, 2, 'of another asset');
  truth.price('nowhere', 'BTC', { ...entry, price: 1 });
  t.equal(truth.compared.unknown, 1);
  const timestamp = Math.floor(now / 1_000) * 1_000;
  truth.event(row({ price: own.price, timestamp }));
  t.equal(truth.compared.wrong, 2);
  truth.event(row({ price: own.price * 1.001, timestamp }));
  t.equal(truth.compared.wrong, 3);
  t.ok(truth.symbols(3).includes('BTC'));
});

t.test('requests of a group', async (t) => {
  const account = new GroupAccount();
  const take = (status: number, body: string) => account.take({ status, body });
  take(200, '');
  take(503, '{"code":"overloaded"}');
  take(404, '{"code":"unknown_symbol"}');
  take(429, 'no text of ours');
  account.fail(Object.assign(new Error('gone'), { code: 'ECONNRESET' }));
  t.equal(account.answered, 1);
  t.strictSame(Object.fromEntries(account.refused), { '503 overloaded': 1, '429 no JSON': 1 });
  t.strictSame(Object.fromEntries(account.failed), { '404 unknown_symbol': 1, ECONNRESET: 1 });
});

t.test('events of a stream, however they are cut', async (t) => {
  const text =
    'retry: 1000\n\n: comment\n\nevent: events\nid: 7\ndata: {"position":"1.2-3"}\n\nevent: pong\ndata: {"a":1}\n\n';
  for (let cut = 0; cut <= text.length; cut++) {
    const found: [object, string][] = [];
    const parser = new EventParser((one, id) => void found.push([JSON.parse(one), id]));
    parser.push(text.slice(0, cut));
    parser.push(text.slice(cut));
    const expected = [
      [{ type: 'events', position: '1.2-3' }, '7'],
      [{ type: 'pong', a: 1 }, ''],
    ];
    if (JSON.stringify(found) !== JSON.stringify(expected)) t.fail(`cut at ${cut}`);
  }
  t.pass(`${text.length} cuts`);
});

t.test('ages by their cause', async (t) => {
  const ages = [
    { at: 10_000, age: 500 },
    { at: 30_000, age: 4_000 },
    { at: 60_000, age: 9_000 },
  ];
  const kills = [
    { role: 'feed', at: 27_000, until: 28_000 },
    { role: 'redis', at: 50_000, until: 52_000 },
    { role: 'feed', at: 55_000, until: 56_000 },
  ] as const;
  t.strictSame(longestAges(ages, kills), { other: 500, feed: 4_000, redis: 9_000 });
});

t.test('findings as text', async (t) => {
  const findings = [most('lost', 0, 0), most('late', 3, 2), some('seen', 0)];
  t.strictSame(textOf(findings).split('\n'), [
    'ok      lost: 0 (at most 0)',
    'MISSED  late: 3 (at most 2)',
    'MISSED  seen: 0 (some)',
  ]);
});

t.test('a short run: processes are killed, and clients notice nothing wrong', async (t) => {
  const few = '--feeds 1 --web 2 --compute 0 --history 1';
  const small = '--assets 12 --sources binance --rate 20 --clients 8';
  const short = '--seconds 4 --every 1 --absence 0 --calm 90 --settle 1';
  const words = `${few} ${small} ${short} --seed 8 --push --events`.split(' ');
  const findings = await runCluster(optionsOf(...words));
  t.comment(textOf(findings));
  t.match(findings[0]?.found, /[1-9]/, 'something was killed');
  // Ages and unanswered requests are a matter of the machine's speed.
  const missed = findings.filter(
    ({ name, ok }) => ok === false && !/^(age|requests|clients that are behind)/.test(name),
  );
  t.strictSame(missed, []);
});
