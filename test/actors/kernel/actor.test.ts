import t from 'tap';
import {
  type Actor,
  type ActorContext,
  type Behaviour,
  type Envelope,
  Life,
} from '../../../actors/kernel/actor.ts';
import { FakeClock, settle } from '../../support/clock.ts';

function live<M>(behaviour: Behaviour<M>, limit = 1_000) {
  const clock = new FakeClock();
  const mailbox: Envelope<M>[] = [];
  const failures: string[] = [];
  const seen = { running: 0 };
  const tell = (message: M): boolean => {
    if (mailbox.length >= limit) return false;
    mailbox.push({ message });
    life?.wake();
    return true;
  };
  let life: Life<M> | null = null;
  life = new Life<M>({
    behaviour,
    self: { name: 'a', tell },
    mailbox,
    clock,
    onRunning: () => {
      seen.running++;
    },
    onStopFailed: (error) => failures.push(error.message),
  });
  return { clock, mailbox, failures, seen, tell, life };
}

t.test('one message at a time, in order, after started has settled', async (t) => {
  const log: string[] = [];
  const gates: (() => void)[] = [];
  const gate = () => new Promise<void>((resolve) => gates.push(resolve));
  const { tell, seen, life } = live<number>(() => ({
    async started() {
      await gate();
      log.push('started');
    },
    async receive(n) {
      log.push(`begin ${n}`);
      await gate();
      log.push(`end ${n}`);
    },
  }));
  tell(1);
  tell(2);
  await settle();
  t.strictSame(log, []);
  t.equal(seen.running, 0);
  for (let i = 0; i < 3; i++) {
    gates.shift()?.();
    await settle();
    if (i === 1) t.strictSame(log, ['started', 'begin 1', 'end 1', 'begin 2']);
  }
  t.equal(seen.running, 1);
  t.strictSame(log, ['started', 'begin 1', 'end 1', 'begin 2', 'end 2']);
  await life.close(1);
});

t.test('any value can be a message, undefined too', async (t) => {
  const got: unknown[] = [];
  const { tell, life } = live<unknown>(() => ({ receive: (m) => void got.push(m) }));
  for (const message of [undefined, null, 0, '']) tell(message);
  await settle();
  t.strictSame(got, [undefined, null, 0, '']);
  await life.close(1);
});

t.test('a throw ends the life, aborts the signal and drops the timers', async (t) => {
  const contexts: ActorContext<string>[] = [];
  const got: string[] = [];
  const { clock, tell, life, mailbox } = live<string>((c) => {
    contexts.push(c);
    c.after(10, 'late');
    return {
      receive(message) {
        got.push(message);
        if (message === 'bad') throw new Error('a bug');
      },
    };
  });
  for (const message of ['good', 'bad', 'kept']) tell(message);
  const error = await life.ended;
  t.match(error, { message: 'a bug' });
  t.ok(contexts[0]?.signal.aborted);
  t.equal(clock.pending, 0);
  contexts[0]?.after(1, 'never');
  t.equal(clock.pending, 0, 'a dead context sets no timer');
  await clock.advance(1_000);
  t.strictSame(got, ['good', 'bad']);
  t.equal(mailbox.length, 1);
  await life.close(1);
});

t.test('a throw in factory or started is a crash; what is thrown is an Error', async (t) => {
  const factory = live<string>(() => {
    throw new Error('factory');
  });
  t.match(await factory.life.ended, { message: 'factory' });
  const started = live<string>(() => ({
    started: () => Promise.reject('just text'),
    receive() {},
  }));
  t.match(await started.life.ended, { message: 'just text' });
  t.equal(started.seen.running, 0);
});

t.test('timers tell self in order, can be cancelled, need no room in the mailbox', async (t) => {
  const got: string[] = [];
  const open = Promise.withResolvers<void>();
  let cancelDue = () => {};
  let context: ActorContext<string> | undefined;
  const { clock, tell, life, mailbox } = live<string>((given) => {
    context = given;
    context.after(20, 'second');
    context.after(10, 'first');
    for (let i = 0; i < 2_000; i++) context.after(15, 'cancelled')();
    cancelDue = context.after(25, 'cancelled when due');
    return {
      async receive(message) {
        got.push(message);
        if (message === 'hold') await open.promise;
      },
    };
  }, 1);
  tell('hold');
  await settle();
  t.ok(tell('mail'));
  t.notOk(tell('too much'));
  await clock.advance(30);
  cancelDue();
  cancelDue();
  t.equal(mailbox.length, 1);
  open.resolve();
  await settle();
  t.strictSame(got, ['hold', 'mail', 'first', 'second']);
  context?.after(1, 'when idle');
  await clock.advance(1);
  t.equal(got.at(-1), 'when idle');
  await life.close(1);
});

t.test('an actor busy with its timers still reads its mail', async (t) => {
  let ticks = 0;
  let mail = 0;
  const { clock, tell, life } = live<'tick' | 'mail'>((context) => {
    context.after(10, 'tick');
    return {
      async receive(message) {
        if (message === 'mail') mail++;
        else {
          ticks++;
          context.after(10, 'tick');
          await new Promise<void>((resolve) => clock.after(50, resolve));
        }
      },
    };
  });
  await clock.advance(100);
  for (let i = 0; i < 5; i++) tell('mail');
  await clock.advance(1_000);
  t.equal(mail, 5);
  t.ok(ticks > 5);
  const closed = life.close(100);
  await clock.advance(100);
  await closed;
});

t.test('an actor busy with its mail still gets its timers', async (t) => {
  let ticks = 0;
  const { clock, life } = live<'tick' | 'mail'>((context) => {
    context.after(10, 'tick');
    context.self.tell('mail');
    return {
      receive(message) {
        if (message === 'tick') ticks++;
        else context.self.tell('mail');
      },
    };
  });
  await clock.advance(10);
  await settle();
  t.equal(ticks, 1);
  await life.close(1);
});

t.test('an actor that tells itself without end lets IO in', async (t) => {
  let turns = 0;
  const { tell, life } = live<number>((context) => ({
    receive(n) {
      turns = n;
      context.self.tell(n + 1);
    },
  }));
  tell(1);
  await new Promise((resolve) => setImmediate(resolve));
  t.equal(turns, 64, 'after so many messages');
  await settle();
  t.ok(turns > 64);
  await life.close(1);
  const atEnd = turns;
  await settle();
  t.equal(turns, atEnd);
});

t.test('more timers than the bound are an error', async (t) => {
  let fill = (_: number) => {};
  const { clock, life } = live<number>((context) => {
    fill = (count) => void Array.from({ length: count }, (_, i) => context.after(1, i));
    const aborted = new Promise<void>((resolve) => {
      context.signal.addEventListener('abort', () => resolve());
    });
    return { started: () => aborted, receive() {} };
  });
  fill(1_000);
  await clock.advance(1);
  t.doesNotThrow(() => fill(24), 'those that are due count once');
  t.throws(() => fill(1), { name: 'RangeError' });
  await life.close(1);
  t.equal(clock.pending, 0);
});

t.test('close waits for the message in hand, skips the rest, calls stopped once', async (t) => {
  const log: string[] = [];
  const open = Promise.withResolvers<void>();
  const actor: Actor<number> = {
    async receive(n) {
      await open.promise;
      log.push(`handled ${n}`);
    },
    stopped: () => void log.push('stopped'),
  };
  const { clock, tell, life, failures } = live<number>(() => actor);
  tell(1);
  tell(2);
  await settle();
  const closed = life.close(5_000);
  t.equal(life.close(5_000), closed);
  await clock.advance(4_000);
  t.strictSame(log, []);
  open.resolve();
  await closed;
  t.strictSame(log, ['handled 1', 'stopped']);
  t.strictSame(failures, []);
  t.equal(clock.pending, 0);
});

t.test('close leaves a handler that hangs; a throw while closing is not a crash', async (t) => {
  const hang = () => new Promise<void>(() => {});
  const hanging = live<number>(() => ({ receive: hang, stopped: hang }));
  hanging.tell(1);
  await settle();
  const closed = hanging.life.close(5_000);
  await hanging.clock.advance(10_000);
  await closed;
  t.match(hanging.failures, [/the message in hand did not settle/, /stopped did not settle/]);

  const aborted = live<number>(({ signal }) => ({
    receive: () =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    stopped() {
      throw new Error('clumsy');
    },
  }));
  aborted.tell(1);
  await settle();
  await aborted.life.close(5_000);
  t.equal(await aborted.life.ended, null);
  t.strictSame(aborted.failures, ['clumsy']);
});
