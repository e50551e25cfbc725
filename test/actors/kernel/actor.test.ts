import t from 'tap';
import {
  type Actor,
  type ActorContext,
  type ActorRef,
  type Behaviour,
  Life,
} from '../../../actors/kernel/actor.ts';
import { FakeClock, settle } from '../../support/clock.ts';

function live<M>(behaviour: Behaviour<M>) {
  const clock = new FakeClock();
  const failures: string[] = [];
  const tell = (message: M): boolean => life.tell(message);
  const self: ActorRef<M> = { name: 'a', tell };
  const onStopFailed = (error: Error) => failures.push(error.message);
  const life: Life<M> = new Life<M>({ behaviour, self, clock, onStopFailed });
  return { clock, failures, tell, life };
}

t.test('one message at a time, in order, after started has settled', async (t) => {
  const log: string[] = [];
  const gates: (() => void)[] = [];
  const gate = () => new Promise<void>((resolve) => gates.push(resolve));
  const { tell, life } = live<number>(() => ({
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
  for (let i = 0; i < 3; i++) {
    gates.shift()?.();
    await settle();
    if (i === 1) t.strictSame(log, ['started', 'begin 1', 'end 1', 'begin 2']);
  }
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
  const { clock, tell, life } = live<string>((c) => {
    contexts.push(c);
    c.after(10, 'late');
    return {
      receive(message) {
        got.push(message);
        if (message === 'bad') throw new Error('a bug');
      },
    };
  });
  for (const message of ['good', 'bad', 'lost']) tell(message);
  const error = await life.ended;
  t.match(error, { message: 'a bug' });
  t.ok(contexts[0]?.signal.aborted);
  contexts[0]?.after(1, 'never');
  t.notOk(tell('never'));
  await clock.advance(1_000);
  t.strictSame(got, ['good', 'bad']);
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
});

t.test('timers tell self in order, can be cancelled, need no room in the mailbox', async (t) => {
  const got: string[] = [];
  const open = Promise.withResolvers<void>();
  let cancelDue = () => {};
  let context: ActorContext<string> | undefined;
  const { clock, tell, life } = live<string>((given) => {
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
  });
  tell('hold');
  await settle();
  const mail = Array.from({ length: 16 }, (_, at) => `mail ${at}`);
  for (const message of mail) t.ok(tell(message));
  t.notOk(tell('too much'));
  await clock.advance(30);
  cancelDue();
  cancelDue();
  open.resolve();
  await settle();
  t.strictSame(got, ['hold', ...mail, 'first', 'second']);
  context?.after(1, 'when idle');
  await clock.advance(1);
  t.equal(got.at(-1), 'when idle');
  await life.close(1);
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
  await clock.advance(4_000);
  t.strictSame(log, []);
  open.resolve();
  await closed;
  t.strictSame(log, ['handled 1', 'stopped']);
  t.strictSame(failures, []);
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
