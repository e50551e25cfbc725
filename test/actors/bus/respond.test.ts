/** What a query's entry is answered with; the way of entries and replies through Redis is in `serve.test.ts`. */
import t from 'tap';
import { decodeResult, encode } from '../../../actors/bus/codec.ts';
import { type AnyAnswers, Responder } from '../../../actors/bus/respond.ts';
import { failed, success } from '../../../actors/failure.ts';
import type { Asking } from '../../../actors/topics/index.ts';
import { FakeClock, settle } from '../../support/clock.ts';

function stage(answers: AnyAnswers, concurrency = 4) {
  const clock = new FakeClock();
  const logged: unknown[] = [];
  const log = {
    info: () => {},
    warn: () => {},
    error: (fields: object, message: string) => void logged.push([message, fields]),
  };
  const context = { url: '', process: 'test', clock, log, random: () => 0 };
  const responder = new Responder(context, 'okx', answers, concurrency);
  /** A reply that is awaited for `by` ms, of which it has waited 100 already. */
  const ask = async (name: string, { by = 1_000, account = '' } = {}) => {
    const fields = {
      within: `${by + 100}`,
      for: account,
      data: encode({ name, params: name }),
    };
    const entries = Object.entries(fields).map(
      ([key, value]) => [key, Buffer.from(value)] as const,
    );
    const reply = await responder.respond(new Map(entries), 100);
    return reply === null ? null : decodeResult(reply);
  };
  return { clock, logged, responder, ask };
}

/** Answers when the test says so, and notes its questions. */
function slowly() {
  const asked: [string, Asking][] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const slow = async (params: string, asking: Asking) => {
    asked.push([params, asking]);
    await promise;
    return success({ value: params, received: 1, until: 2 });
  };
  return { asked, resolve, slow };
}

t.test('deadline and account are handed on; after the deadline there is no reply', async (t) => {
  const { asked, resolve, slow } = slowly();
  const { clock, ask } = stage({ slow });
  const deadline = clock.monotonic() + 1_000;
  const [answered, late] = [ask('slow', { account: 'a' }), ask('slow', { by: 999 })];
  t.equal(await ask('slow', { by: 0 }), null);
  t.strictSame(asked, [
    ['slow', { deadline, account: 'a' }],
    ['slow', { deadline: deadline - 1, account: '' }],
  ]);
  await clock.advance(999);
  t.equal(await late, null);
  resolve();
  t.strictSame(await answered, success({ value: 'slow', received: 1, until: 2 }));
  t.equal(clock.pending, 0);
});

t.test('an account takes as many places as it leaves, until its queries end', async (t) => {
  const { asked, resolve, slow } = slowly();
  const { clock, ask } = stage({ slow });
  const held = [ask('slow', { account: 'a' }), ask('slow', { account: 'a', by: 500 })];
  const bound =
    'the account has 2 of 4 places for questions at okx, 2 are free, and none may have more than are free';
  const refused = failed('over_budget', bound, { retryAfter: 1_000, bound });
  t.strictSame(await ask('slow', { account: 'a' }), refused);
  held.push(ask('slow', { account: 'b' }), ask('slow'), ask('slow'));
  t.equal(asked.length, 5, 'polls of this service have no account, and no share');
  await clock.advance(500);
  held.push(ask('slow', { account: 'a' }));
  await settle();
  t.equal(asked.length, 6, 'one whose time is over has left');
  resolve();
  await Promise.all(held);
  t.equal((await ask('slow', { account: 'a' }))?.ok, true);
});

t.test('what cannot be answered is a failure, and not the end', async (t) => {
  const broken = async () => {
    throw new Error('secret detail');
  };
  const { logged, responder, ask } = stage({ broken });
  t.strictSame(await ask('broken'), failed('unavailable', 'the answering process failed'));
  t.match(logged, [['a handler threw', { source: 'okx', name: 'broken', error: 'secret detail' }]]);
  for (const name of ['other', 'constructor'])
    t.strictSame(await ask(name), failed('refused', 'okx does not answer this'));
  const by = ['within', Buffer.from(`${Number.MAX_SAFE_INTEGER}`)] as const;
  const data = ['data', Buffer.from('junk')] as const;
  const unreadable = await responder.respond(new Map([by, data]), 0);
  t.match(unreadable && decodeResult(unreadable), {
    failure: { code: 'shape', message: /^unreadable/ },
  });
  for (const fields of [null, new Map([by]), new Map([data])])
    t.equal(await responder.respond(fields, 0), null);
});
