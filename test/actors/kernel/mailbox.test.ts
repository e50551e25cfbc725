import t from 'tap';
import { Mailbox } from '../../../actors/kernel/mailbox.ts';

t.test('first in, first out, also around the end of the ring', async (t) => {
  const mailbox = new Mailbox<number>(3);
  const out: (number | undefined)[] = [];
  for (let i = 0; i < 10; i += 2) {
    t.ok(mailbox.push(i));
    t.ok(mailbox.push(i + 1));
    out.push(mailbox.shift(), mailbox.shift());
  }
  t.strictSame(out, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  t.equal(mailbox.shift(), undefined);
  t.equal(mailbox.length, 0);
});

t.test('a full mailbox refuses, counts, and takes again once there is room', async (t) => {
  const mailbox = new Mailbox<string>(2);
  const taken = ['a', 'b', 'c', 'd'].map((item) => mailbox.push(item));
  t.strictSame([taken, mailbox.refused], [[true, true, false, false], 2]);
  t.equal(mailbox.length, 2);
  t.equal(mailbox.shift(), 'a');
  t.ok(mailbox.push('e'));
  t.strictSame([mailbox.shift(), mailbox.shift(), mailbox.shift()], ['b', 'e', undefined]);
});

t.test('clear empties it and keeps the count of refusals', async (t) => {
  const mailbox = new Mailbox<number>(2);
  for (const item of [1, 2, 3]) mailbox.push(item);
  mailbox.shift();
  mailbox.clear();
  t.equal(mailbox.length, 0);
  t.equal(mailbox.shift(), undefined);
  t.equal(mailbox.refused, 1);
  t.ok(mailbox.push(4));
  t.equal(mailbox.shift(), 4);
});

t.test('a limit that is not a positive whole number is refused', async (t) => {
  for (const limit of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    t.throws(() => new Mailbox(limit), /limit must be a whole number of at least 1/);
  }
  t.equal(new Mailbox(1).limit, 1);
});
