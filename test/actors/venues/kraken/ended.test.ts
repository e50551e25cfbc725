/** Kraken once its derivatives API and the old stream have ended: everything comes by the unified stream. */
import t, { type Test } from 'tap';
import { failed } from '../../../../actors/failure.ts';
import { createSupervisor } from '../../../../actors/kernel/supervisor.ts';
import { feedsOf } from '../../../../actors/sources/feeds.ts';
import { jobActor } from '../../../../actors/sources/job.ts';
import type { Instrument, PriceRow, Reading } from '../../../../actors/topics/index.ts';
import { createHttpClient } from '../../../../actors/upstream/client.ts';
import { kraken } from '../../../../actors/venues/kraken/index.ts';
import { kraken as exchange } from '../../../../scripts/simulator/venues/kraken.ts';
import { FakeClock } from '../../../support/clock.ts';
import { feedContext } from '../../../support/feed-stage.ts';
import { simulated } from '../../../support/simulated.ts';
import { until } from '../../../support/until.ts';

const day = 86_400_000;
const start = Date.UTC(2027, 2, 5, 12);
const key = 'kraken/futures';

/** The feeds of futures while the old addresses are gone; `before` is the list that was published last. Without lists none is answered. */
async function ended(
  t: Test,
  { before, hasLists = true }: { before?: Reading<Instrument>; hasLists?: boolean },
) {
  const clock = new FakeClock(start);
  const { url, faults } = await simulated(t, [exchange], { clock, seed: 7 });
  faults.set([{ host: 'futures.kraken.com', kind: 'html_missing' }]);
  const client = createHttpClient({ source: 'kraken', apis: kraken.apis, gateway: url, clock });
  const refusing = {
    ...client,
    send: async () => failed('refused', 'gone'),
    state: client.state.bind(client),
  };
  const { context: around, published, last } = feedContext(clock, new URL(url).host);
  const asks = hasLists ? client : refusing;
  const context = { ...around, client: () => asks, live: { on: () => true } };
  const { newest, status } = context;
  if (before) newest.accept('instruments', before);
  if (before) last[`instruments/${key}`] = before;
  const { polls, streams } = feedsOf({ markets: kraken, context, poll() {} });
  const supervisor = createSupervisor({ name: 'test', clock, random: () => 0, onEvent() {} });
  for (const { name, job } of polls.filter((one) => one.name.endsWith('/futures')))
    supervisor.spawn({ name, behaviour: jobActor({ job, status, random: () => 0 }) });
  for (const one of streams.filter(({ name }) => name.endsWith('/futures-second')))
    supervisor.spawn(one);
  t.teardown(async () => {
    const stopped = supervisor.stop();
    await clock.advance(60_000);
    await Promise.all([stopped, client.close()]);
  });
  /** The first reading of a topic, once it has come; lists reach the process as they would by Redis. */
  const first = async <Row>(topic: string): Promise<Reading<Row>> => {
    const found = () => published.find(([of, about]) => of === topic && about === key)?.[2];
    await until(async () => {
      await clock.advance(1_000);
      return found() !== undefined;
    }, topic);
    return found() as Reading<Row>;
  };
  const list = async () => {
    const reading = await first<Instrument>('instruments');
    newest.accept('instruments', reading);
    return reading;
  };
  const states = () =>
    ['instruments', 'prices', 'priceChanges']
      .map((topic) => [topic, topic === 'priceChanges' ? 'futures-second' : 'futures'] as const)
      .map(([topic, part]) => status.row(topic as 'prices', part).values);
  return { clock, first, list, states };
}

t.test('a service that begins after it has contracts and prices', async (t) => {
  const { first, list, states } = await ended(t, {});
  const { rows } = await list();
  const bitcoin = rows.find(({ market }) => market === 'PF_XBTUSD');
  t.match(bitcoin, { symbol: 'BTC', kind: 'perpetual', quote: 'USD', funding_hours: 1 });
  const prices = await first<PriceRow>('prices');
  t.ok(prices.rows.some(({ market }) => market === 'PF_XBTUSD'));
  await first('derivatives');
  await first('openInterest');
  t.match(states(), [{ state: 'up' }, { state: 'failing' }, { state: 'up' }]);
});

t.test(
  'without any list the last one stands, the streams go on, and the status says so',
  async (t) => {
    const known = await (await ended(t, {})).list();
    const before = { ...known, asked: start - 3 * day, received: start - 3 * day };
    const { first, states } = await ended(t, { before, hasLists: false });
    const prices = await first<PriceRow>('prices');
    t.ok(prices.rows.length > 10);
    const [list] = states();
    t.match(list, {
      state: 'failing',
      last_error: { code: 'refused' },
      last_success: before.received,
    });
  },
);
