/** The source as a feed process runs it: under its lease, on a clock that is moved by hand. */
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import t from 'tap';
import { bitcoinSource } from '../../../../actors/market/bitcoin/source.ts';
import { providers } from '../../../../actors/providers/registry.ts';
import type { RunnerContext } from '../../../../actors/sources/context.ts';
import { venues } from '../../../../actors/venues/registry.ts';
import { dayOf } from '../../../../indicators/market/days.ts';
import { noMarkets } from '../../../support/markets.ts';
import { runAlone } from '../../../support/run-alone.ts';
import { until } from '../../../support/until.ts';
import { bitcoinStage, moveTo, type Stage } from './stage.ts';

const midnight = dayOf('2025-06-16');
const minute = 60_000;

const contextOf = ({ bus, clock, world }: Stage, process: string): RunnerContext => ({
  bus,
  clock,
  process,
  client: world.client,
  random: () => 0.5,
  log: pino({ level: 'silent' }),
  ...noMarkets(),
});

/** Time goes on in steps, with time for Redis after each. */
async function live(stage: Stage, time: number): Promise<void> {
  while (stage.clock.now() < time) {
    await moveTo(stage, Math.min(time, stage.clock.now() + 1_000));
    await pause(1);
  }
}

t.test('a day boundary, and a restart, of a running source', async (t) => {
  const stage = await bitcoinStage(t, midnight - 10 * minute);
  const serving = stage.bus.serve('history', stage.history.answers, { concurrency: 8 });
  t.teardown(() => serving.stop());
  stage.live = { price: 100_000, at: stage.clock.now() };
  const source = bitcoinSource({ live: () => stage.live });
  const first = runAlone(source, contextOf(stage, 'first'));
  // Fifteen years of closes are stored in pieces.
  const yesterday = dayOf('2025-06-14');
  const published = async () =>
    (await stage.reading('puell-multiple')) !== undefined &&
    (await stage.closes()).days.at(-1) === yesterday;
  await until(async () => {
    await live(stage, stage.clock.now() + 1_000);
    return published();
  }, 'all is published');
  t.ok(stage.clock.now() < midnight, 'within minutes');
  const before = await stage.closes();
  t.equal(before.days.at(-1), yesterday);
  await live(stage, midnight + 10 * minute - 1_000);
  t.same(await stage.closes(), before, 'nothing until 00:10');
  await live(stage, midnight + 12 * minute);
  const after = await stage.closes();
  t.equal(after.days.length, before.days.length + 1);
  t.equal(after.days.at(-1), dayOf('2025-06-15'));
  await first.stop();
  stage.world.asked = [];
  stage.live = { price: 101_000, at: stage.clock.now() };
  const second = runAlone(source, contextOf(stage, 'second'));
  await until(async () => {
    await live(stage, stage.clock.now() + 1_000);
    return (await stage.reading('ahr999'))?.fields?.price_usd === 101_000;
  }, 'the second one publishes');
  t.notOk(stage.world.asked.some((one) => /market-price|bitstamp|klines/.test(one)));
  t.same(await stage.closes(), after);
  await second.stop();
});

t.test('every client that the source asks for is listed', async (t) => {
  const stage = await bitcoinStage(t, midnight + 60 * minute);
  const life = stage.begin();
  stage.world.everythingDown = true;
  for (const name of ['days', 'issuance', 'assets'] as const) t.ok(await life.do(name), name);
  const listed = new Set([...Object.values(venues), ...providers].map(({ id }) => id));
  const asked = new Set(stage.world.asked.map((one) => one.split(' ')[0] ?? ''));
  t.strictSame(
    [...asked].filter((id) => !listed.has(id)),
    [],
  );
  t.equal(asked.size, 9);
});
