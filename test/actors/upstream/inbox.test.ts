import t from 'tap';
import { ByteBudget } from '../../../actors/upstream/budget.ts';
import { Inbox } from '../../../actors/upstream/inbox.ts';
import { settle } from '../../support/clock.ts';

function stage(capacity: number) {
  const log: string[] = [];
  let done = () => {};
  const budget = new ByteBudget(1_000);
  const inbox = new Inbox({
    capacity,
    budget,
    handle: (text) => {
      log.push(text);
      if (text === 'bug') throw new Error('bug');
      return new Promise<void>((resolve) => {
        done = resolve;
      });
    },
    onError: (error) => log.push(String(error)),
  });
  const finish = async () => {
    done();
    await settle();
  };
  return { inbox, log, finish, budget };
}

t.test('hands over one message at a time, in order', async (t) => {
  const { inbox, log, finish } = stage(10);
  for (const text of ['a', 'b', 'c']) inbox.push(text);
  await settle();
  t.same(log, ['a']);
  await finish();
  t.same(log, ['a', 'b']);
  await finish();
  await finish();
  inbox.push('d');
  t.same(log, ['a', 'b', 'c', 'd']);
  t.equal(inbox.dropped, 0);
});

t.test('the oldest that waits makes room', async (t) => {
  const { inbox, log, finish } = stage(2);
  for (const text of ['a', 'b', 'c', 'd', 'e']) inbox.push(text);
  for (let i = 0; i < 3; i++) await finish();
  t.same(log, ['a', 'd', 'e']);
  t.equal(inbox.dropped, 2);
});

t.test('a throw is reported and the next message follows', async (t) => {
  const { inbox, log } = stage(2);
  inbox.push('bug');
  inbox.push('a');
  await settle();
  t.same(log, ['bug', 'Error: bug', 'a']);
});

t.test('close drops waiting messages and waits for the one that is handled', async (t) => {
  const { inbox, log, finish, budget } = stage(2);
  inbox.push('a');
  inbox.push('bb');
  t.equal(budget.used, 2, 'what is in hand does not wait');
  let closed = false;
  const closing = inbox.close().then(() => {
    closed = true;
  });
  inbox.push('c');
  t.equal(budget.used, 0);
  await settle();
  t.notOk(closed);
  await finish();
  await closing;
  t.same(log, ['a']);
});

t.test('a capacity below 1 is refused', async (t) => {
  t.throws(() => stage(0), RangeError);
});

t.test('messages that wait count in the budget of the process', async (t) => {
  const { inbox, log, finish, budget } = stage(10);
  inbox.push('in hand');
  for (let i = 0; i < 3; i++) inbox.push(String(i).repeat(300));
  t.strictSame([inbox.dropped, budget.used], [0, 900]);
  inbox.push('x'.repeat(200));
  t.equal(inbox.dropped, 4, 'it held the most: all that waited has gone');
  for (let i = 0; i < 3; i++) inbox.push(String(i).repeat(300));
  t.ok(budget.open(() => {}).take(400));
  t.strictSame([inbox.dropped, budget.used], [7, 400], 'so do others');
  inbox.push('new');
  await finish();
  t.same(log, ['in hand', 'new']);
  await finish();
});

t.test('what is handled at once never waits', async (t) => {
  const handled: string[] = [];
  const handle = (text: string) => void handled.push(text);
  const options = {
    capacity: 1,
    budget: new ByteBudget(10),
    handle,
    onError: (error: unknown) => t.fail(`${error}`),
  };
  const inbox = new Inbox(options);
  for (let at = 0; at < 100; at++) inbox.push(`${at}`);
  t.equal(handled.length, 100);
  t.equal(inbox.dropped, 0);
});
