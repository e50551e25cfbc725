import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { ConfigError, loadConfig } from '../../config/config.ts';
import { budgets, defaultPlans, readPlans } from '../../config/plans.ts';
import { until } from '../support/until.ts';

const team = '{"team":{"requests_per_minute":300,"keys":10,"connections":null}}';

t.test('the plans of the specification, and one without a limit', async (t) => {
  t.strictSame(
    defaultPlans.names.map((name) => defaultPlans.of(name)),
    [
      {
        name: 'free',
        requestsPerMinute: 60,
        keys: 5,
        connections: 60,
        subscriptions: 500,
        alerts: 20,
      },
      {
        name: 'pro',
        requestsPerMinute: 600,
        keys: null,
        connections: 600,
        subscriptions: 5_000,
        alerts: 1_000,
      },
      { name: 'local', requestsPerMinute: null, keys: null, connections: null },
    ],
  );
  t.ok(defaultPlans.has('pro'));
  t.notOk(defaultPlans.has('gold'));
  t.strictSame(budgets, { dex: 30 });
  t.equal(loadConfig({}).plans, defaultPlans);
  for (const name of ['gold', '', 'toString', null]) t.equal(defaultPlans.of(name).name, 'free');
});

t.test('PLANS as text and as a file', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-plans-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'plans.json');
  writeFileSync(file, team);
  for (const text of [team, ` ${team}`, file]) {
    const { plans } = loadConfig({ PLANS: text });
    t.same(plans.names, ['free', 'pro', 'local', 'team']);
    t.same(plans.of('team'), {
      name: 'team',
      requestsPerMinute: 300,
      keys: 10,
      connections: null,
    });
    t.match(plans.of('free'), { requestsPerMinute: 60 });
  }
  const more = '{"a":{"requests_per_minute":1,"keys":1,"connections":1,"subscriptions":7}}';
  t.match(readPlans(more).of('a'), { subscriptions: 7 });
  const free = readPlans('{"free":{"requests_per_minute":10,"keys":1,"connections":2}}');
  t.same(free.of('unknown'), { name: 'free', requestsPerMinute: 10, keys: 1, connections: 2 });
});

t.test('a file of plans that changes is read again; one with faults changes nothing', async (t) => {
  const file = join(t.testdir({ 'plans.json': team }), 'plans.json');
  const { plans } = loadConfig({ PLANS_FILE: file });
  let last: unknown = null;
  const changed = () => {
    last = plans.of('team').requestsPerMinute;
  };
  const failed = (error: unknown) => {
    last = error;
  };
  t.teardown(plans.follow({ changed, failed }, 10));
  // Each time anew: what is written before the first look is no change.
  await until(() => {
    writeFileSync(file, team.replace('300', '301'));
    return last === 301;
  }, 'it is read');
  await until(() => {
    writeFileSync(file, '{"team":{}}');
    return last !== 301;
  }, 'the faults are told');
  t.match(last, { errors: [{ message: /requests_per_minute/ }, {}, {}] });
  t.equal(plans.of('team').requestsPerMinute, 301);
  t.equal(readPlans(team).file, null, 'a text has no file');
});

t.test('each limit at its bounds; names and their number', async (t) => {
  const usual = { requests_per_minute: 1, keys: 1, connections: 1, subscriptions: 1 };
  const taken = (plans: object) => {
    try {
      readPlans(JSON.stringify(plans));
      return true;
    } catch {
      return false;
    }
  };
  const bounds = [
    ['requests_per_minute', 1, 1_000_000_000],
    ['keys', 0, 1_000_000],
    ['connections', 1, 1_000_000],
    ['subscriptions', 1, 10_000_000],
  ] as const;
  for (const [field, least, most] of bounds) {
    const values = [least, most, null, least - 1, most + 1, least + 0.5, `${least}`];
    const found = values.map((value) => taken({ team: { ...usual, [field]: value } }));
    t.strictSame([field, ...found], [field, true, true, true, false, false, false, false]);
  }
  const names = ['a', 'a'.repeat(32), 'a-_0', 'a'.repeat(33), '0a', 'A', '', 'a b'];
  t.strictSame(
    names.map((name) => taken({ [name]: usual })),
    [true, true, true, false, false, false, false, false],
  );
  const many = Array.from({ length: 51 }, (_, i) => [`p${i}`, usual] as const);
  t.strictSame(
    [many.slice(1), many].map((entries) => taken(Object.fromEntries(entries))),
    [true, false],
  );
});

t.test('what is neither', async (t) => {
  for (const text of ['{', '[]', 'null', '/nowhere/plans.json', '.', '{"a":1']) {
    t.throws(() => loadConfig({ PLANS: text }), { message: /PLANS: .* is not a JSON object of/ });
  }
});

t.test('all faults are reported at once, one per line', async (t) => {
  const good = { requests_per_minute: 1, keys: 1, connections: 1 };
  const many = Array.from({ length: 51 }, (_, i) => [`p${i}`, good]);
  const wrong = {
    ...Object.fromEntries(many),
    'Gold plan': good,
    team: { ...good, requests_per_minute: 0, connections: '5', price: 9 },
    short: { keys: null },
    list: [],
    ['X'.repeat(41)]: good,
    long: { ...good, ['y'.repeat(41)]: 1 },
  };
  try {
    loadConfig({ PLANS: JSON.stringify(wrong), PORT: 'x' });
    t.fail('must throw');
  } catch (error) {
    t.type(error, ConfigError);
    const lines = String(error).split('\n').slice(1);
    t.same(
      lines.map((line) => line.trim()),
      [
        'PORT: "x" is not a whole number from 0 to 65535',
        'PLANS: the plan "Gold plan" needs a name of a-z, 0-9, _ and -, a letter first',
        'PLANS: the plan "team" has "price": only requests_per_minute, keys, connections',
        'PLANS: the plan "team" needs requests_per_minute: null or a whole number, 1 to 1000000000',
        'PLANS: the plan "team" needs connections: null or a whole number, 1 to 1000000',
        'PLANS: the plan "short" needs requests_per_minute: null or a whole number, 1 to 1000000000',
        'PLANS: the plan "short" needs connections: null or a whole number, 1 to 1000000',
        'PLANS: the plan "list" must be an object with requests_per_minute, keys, connections',
        `PLANS: the plan "${'X'.repeat(40)}" needs a name of a-z, 0-9, _ and -, a letter first`,
        `PLANS: the plan "long" has "${'y'.repeat(40)}": only requests_per_minute, keys, connections`,
        'PLANS: there may be 50 plans at most',
      ],
    );
  }
});
