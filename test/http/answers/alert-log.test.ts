import t from 'tap';
import { AlertLog } from '../../../http/answers/alert-log.ts';
import { alertEvent } from '../../support/alerts.ts';

t.test('the flood of an account pushes out its own events alone', async (t) => {
  const log = new AlertLog(async () => {});
  let seq = 0;
  const fire = (account: string, id: string) => {
    seq += 1;
    log.accept(alertEvent({ id, account }), { id: `${seq}-0`, seq });
  };
  fire('alice', 'a1');
  const { next } = log.end();
  const { position } = log.end();
  for (let i = 0; i < 100_000; i++) fire('mallory', `m${i}`);
  fire('alice', 'a2');
  const ids = (account: string, limit: number) =>
    log.newest(account, limit, () => true).map(({ id }) => id);
  t.strictSame(ids('alice', 10), ['a2', 'a1']);
  t.equal(ids('mallory', 5_000).length, 1_000);
  t.strictSame(ids('mallory', 2), ['m99999', 'm99998']);
  t.match(log.after(position), { next, recovered: true }, 'a client goes on where it was');
  t.match(log.read(100_001), { events: [{ id: 'a2' }] });
});

t.test('of accounts whose events have left the log nothing is kept', async (t) => {
  const log = new AlertLog(async () => {});
  for (let seq = 1; seq <= 70_000; seq++)
    log.accept(alertEvent({ id: `e${seq}`, account: `of ${seq}` }), { id: `${seq}-0`, seq });
  t.equal(log.accounts, log.end().next - log.base);
  t.match(
    log.newest('of 70000', 1, () => true),
    [{ id: 'e70000' }],
  );
});
