/** Rules that cannot be evaluated. */
import t from 'tap';
import { stage } from './stage.ts';

t.test('a rule that cannot be evaluated is named, with the reason', async (t) => {
  const { take, engine, price, clock } = stage();
  const faults = () => Object.fromEntries(engine.faults());
  await take({ id: 'al_none', path: '/v1/nothing' });
  await take({
    id: 'al_log',
    path: '/v1/prices',
    condition: { type: 'event', above: null, below: null },
  });
  await take({ id: 'al_first' });
  t.match(faults(), { al_none: 'not_found', al_log: 'bad_parameter', al_first: 'warming_up' });
  await price(99);
  await take({ id: 'al_other', path: '/v1/prices?symbol=NOPE' });
  await take({ id: 'al_field', pointer: '/no_such_field' });
  await take({ id: 'al_stale', pointer: '/nothing', condition: { type: 'stale', after: 60 } });
  await clock.advance(5_000);
  t.strictSame(faults(), {
    al_none: 'not_found',
    al_log: 'bad_parameter',
    al_other: 'unknown_symbol',
    al_field: 'no_value',
  });
  await price(7, 'NOPE');
  engine.drop('al_none');
  t.strictSame(Object.keys(faults()), ['al_log', 'al_field']);
});
