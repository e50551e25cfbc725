import t from 'tap';
import { PositionLog } from '../../../http/answers/followed-log.ts';
import { positionEvents } from '../../support/wallet-makers.ts';

t.test('each entry once, in the order of the log', async (t) => {
  const log = new PositionLog();
  let begun = 0;
  log.begin = async () => {
    begun += 1;
  };
  await Promise.all([log.ready(), log.ready()]);
  t.equal(begun, 1, 'it is read once');
  let heard = 0;
  log.listen(() => {
    heard += 1;
  });
  const entry = { at: 5, events: positionEvents.slice(0, 2) };
  log.accept(entry, { id: '5-0', seq: 1 });
  log.accept(entry, { id: '5-0', seq: 1 });
  t.equal(heard, 1);
  t.match(log.read(0), { events: entry.events });
  log.goBack({ id: '4-0', seq: 0 });
  log.accept({ at: 6, events: positionEvents.slice(2) }, { id: '6-0', seq: 1 });
  t.equal(log.end().next, 2, 'it goes on after a fail-over');
});
