/** What the source needs of the process that runs it. */
import t from 'tap';
import { providers } from '../../../../actors/providers/registry.ts';
import { venues } from '../../../../actors/venues/registry.ts';
import { dayOf } from '../../../../indicators/market/days.ts';
import { bitcoinStage } from './stage.ts';

const midnight = dayOf('2025-06-16');

t.test('every client that the source asks for is listed', async (t) => {
  const stage = bitcoinStage(midnight + 3_600_000);
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
