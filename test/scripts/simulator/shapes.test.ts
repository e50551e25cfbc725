/** The simulator answers what was asked of the real upstreams: the same status, keys and types as were recorded. */
import t from 'tap';
import { startSimulator } from '../../../scripts/simulator/main.ts';
import { venues } from '../../../scripts/simulator/registry.ts';
import { FakeClock } from '../../support/clock.ts';
import { absent, recording } from '../../support/recordings.ts';
import { differences } from '../../support/shape.ts';
import { type Comparison, type Folder, folders } from './recorded-shapes.ts';

const clock = new FakeClock(Date.UTC(2026, 7, 14, 13, 37, 21));
const simulator = await startSimulator({ clock, symbols: 120 });
t.teardown(() => simulator.close());

/** Lists of words, which may be of any length. */
const words = /Types|Modes|timeInForce|Sets|SubType|permissions|CcyList|Exchanges|indexOrigin/;

/** Asks for one recorded answer again. Returns in words where ours differs. */
async function compare(
  folder: string,
  name: string,
  { ask: [from, to] = ['', ''], pick = (body) => body, known = [] }: Comparison,
): Promise<string[]> {
  const real = recording(folder, name);
  if (!real) return [`${name}: no recording`];
  const { host, pathname, search } = new URL(real.request.url);
  const { method, body } = real.request;
  const response = await fetch(
    `${simulator.url}/${host}${`${pathname}${search}`.replace(from, to)}`,
    { method, ...(body != null && { body: JSON.stringify(body).replace(from, to) }) },
  );
  const status = response.status === real.status ? [] : [`${name}: status ${response.status}`];
  const found = differences(pick(real.response), pick(await response.json()), { words }).filter(
    (one) => !/: (missing|added)$/.test(one),
  );
  const [more, gone] = [
    found.filter((one) => !known.includes(one)),
    known.filter((one) => !found.includes(one)),
  ];
  return [
    ...status,
    ...more.map((one) => `${name} ${one}`),
    ...gone.map((one) => `${name} not ${one}`),
  ];
}

async function compareAll(folder: string, { names, one = {}, all }: Folder): Promise<string[]> {
  const found: string[] = [];
  for (const name of names.trim().split(/\s+/)) {
    found.push(...(await compare(folder, name, { ...all, ...one[name] })));
  }
  return found;
}

for (const [folder, about] of Object.entries(folders)) {
  t.test(`${folder}: keys and types are those of the recordings`, { skip: absent }, async (t) => {
    t.strictSame(await compareAll(folder, about), []);
  });
}

t.test('every venue is compared', async (t) => {
  const missing = Object.keys(venues).filter((venue) => !(venue in folders));
  t.strictSame(missing, []);
});

t.test('the comparison finds what it should', async (t) => {
  const real = { a: '1', rows: [['1', 2]] };
  t.same(differences(real, { a: '1', rows: [['3', 4]] }), []);
  t.equal(differences(real, { a: 1, rows: [['3', 4]] }).length, 1);
  t.equal(differences(real, { rows: [['3', '4']] }).length, 2);
  t.equal(differences(real, { a: '1', rows: [] }).length, 1);
  t.equal(differences(real, { a: '1', b: 2, rows: [['3', 4]] }, { newer: ['b'] }).length, 0);
});

t.test('refusals that are recorded word by word', { skip: absent }, async (t) => {
  for (const [venue, name, kind] of [
    ['bitfinex', 'error-ratelimit', 'rate_limit'],
    ['whitebit', 'error-region', 'ban'],
    ['woo', 'error-gateway-200', 'server_error'],
  ] as const) {
    const real = recording(venue, name);
    const { status, body } = venues[venue].refusals[kind];
    t.equal(status, real?.status, name);
    t.strictSame(differences(real?.response, body), [], name);
  }
  for (const [venue, name, path] of [
    ['bitstamp', 'error-not-found', 'www.bitstamp.net/api/v2/funding_rate/'],
    ['phemex', 'error-md-invalid', 'api.phemex.com/md/v2/orderbook?symbol=NOPEUSDT'],
  ] as const) {
    const real = recording(venue, name);
    const response = await fetch(`${simulator.url}/${path}`);
    t.strictSame([response.status, await response.json()], [real?.status, real?.response], name);
  }
});
