import t from 'tap';
import { Lanes } from '../../../alerts/delivery/lanes.ts';
import type { Attempt } from '../../../alerts/delivery/sender.ts';
import { receiverKey } from '../../../alerts/store/queued.ts';
import type { AttemptOutcome, QueueEntry, Tries } from '../../../alerts/store/state-store.ts';
import { alertEvent } from '../../support/alerts.ts';
import { FakeClock, settle } from '../../support/clock.ts';

const delivered: Attempt = {
  outcome: 'delivered',
  error: null,
  retryAfter: null,
  status: 204,
  tookMs: 5,
};
const failed: Attempt = { ...delivered, outcome: 'failed', error: 'answered 503', status: 503 };

/** Lanes whose receivers answer as `of` says; a promise answers when it resolves. */
function stage(of: (host: string, id: string) => Attempt | Promise<Attempt>) {
  const clock = new FakeClock();
  const sent: string[] = [];
  const noted: [string, AttemptOutcome][] = [];
  let isAway = false;
  const lanes = new Lanes({
    clock,
    random: () => 0.5,
    async send({ event, receiver }) {
      const host = 'url' in receiver ? new URL(receiver.url).hostname : '';
      sent.push(`${host} ${event.id}`);
      return of(host, event.id);
    },
    async note(entry, outcome) {
      if (isAway) throw new Error('Redis is away');
      noted.push([entry.queued.event.id, outcome]);
    },
  });
  let count = 0;
  const add = (
    host: string,
    id: string,
    {
      rule = 'al_1',
      account = 'alice',
      tries = { attempts: 0, next: 0 },
      shard = 0,
      kind = 'fired',
    }: Partial<{
      rule: string;
      account: string;
      tries: Tries;
      shard: number;
      kind: 'fired' | 'test';
    }> = {},
  ) => {
    const receiver = { type: 'webhook', url: `https://${host}/` } as const;
    const event = alertEvent({ id, alert_id: rule, account, kind });
    const entry: QueueEntry = { id: `${clock.now()}-${count++}`, queued: { event, receiver } };
    lanes.add(shard, entry, tries);
    return settle();
  };
  return {
    clock,
    lanes,
    sent,
    noted,
    add,
    away: (is: boolean) => {
      isAway = is;
    },
  };
}

t.test('in order per rule and receiver: what fails holds up those behind it alone', async (t) => {
  let isDown = true;
  const { clock, sent, noted, add, lanes } = stage((host) =>
    host === 'a' && isDown ? failed : delivered,
  );
  await add('a', '1');
  await add('a', '2');
  await add('b', '1');
  await add('a', '3', { rule: 'al_2' });
  t.strictSame(sent, ['a 1', 'b 1', 'a 3'], 'another receiver and another rule are served');
  await clock.advance(4_900);
  t.equal(sent.length, 3);
  isDown = false;
  await clock.advance(200);
  t.strictSame(
    sent.slice(3).filter((one) => one !== 'a 3'),
    ['a 1', 'a 2'],
    'tried again after 5 s, then the next',
  );
  t.match(lanes.counts(), { delivered: 4, failed: 2, dead: 0, waiting: 0, lanes: 0 });
  t.strictSame(
    noted
      .filter(([id]) => id === '1')
      .map(([, { delivery }]) => [delivery.outcome, delivery.attempt]),
    [
      ['failed', 1],
      ['delivered', 1],
      ['delivered', 2],
    ],
  );
});

t.test(
  'a delivery is given up after 24 hours, or at once where the receiver never will take it',
  async (t) => {
    const { clock, noted, add } = stage((host) =>
      host === 'gone' ? { ...failed, outcome: 'refused', status: 410 } : failed,
    );
    await add('gone', '1');
    t.match(noted, [['1', { delivery: { outcome: 'dead', attempt: 1, status: 410 } }]]);
    await add('a', '2');
    await clock.advance(24 * 3_600_000);
    const ofTwo = noted.filter(([id]) => id === '2');
    t.match(ofTwo.at(-1), ['2', { delivery: { outcome: 'dead' } }]);
    t.equal(ofTwo.filter(([, { delivery }]) => delivery.outcome === 'dead').length, 1);
  },
);

t.test('what a receiver asks for is honoured; attempts before a restart count', async (t) => {
  const { clock, sent, add } = stage(() => ({ ...failed, retryAfter: 60_000 }));
  await add('a', '1');
  await clock.advance(59_000);
  t.equal(sent.length, 1);
  await clock.advance(1_000);
  t.equal(sent.length, 2);
  const again = stage(() => delivered);
  const next = again.clock.now() + 30_000;
  await again.add('a', '1', { tries: { attempts: 4, next } });
  await again.clock.advance(29_000);
  t.equal(again.sent.length, 0);
  await again.clock.advance(1_000);
  t.match(again.noted, [['1', { delivery: { attempt: 5 } }]]);
});

t.test('a receiver that does not answer takes four places of its own', async (t) => {
  const { promise, resolve } = Promise.withResolvers<Attempt>();
  const { sent, add } = stage((host) => (host === 'slow' ? promise : delivered));
  for (let i = 0; i < 10; i++) await add('slow', `${i}`, { rule: `al_${i}` });
  await add('fast', 'f', { rule: 'al_f' });
  t.equal(sent.filter((one) => one.startsWith('slow')).length, 4);
  t.ok(sent.includes('fast f'));
  resolve(delivered);
  await settle();
  t.equal(sent.filter((one) => one.startsWith('slow')).length, 10);
});

t.test('an account has 32 requests at once', async (t) => {
  const { promise } = Promise.withResolvers<Attempt>();
  const { sent, add } = stage(() => promise);
  for (let i = 0; i < 40; i++) await add(`h${i}`, `${i}`, { rule: `al_${i}` });
  await add('other', 'o', { account: 'bob' });
  t.equal(sent.length, 33);
});

t.test(
  'an outcome is noted when Redis is back; a shard that is lost is left to others',
  async (t) => {
    const { clock, sent, noted, add, away, lanes } = stage(() => delivered);
    away(true);
    await add('a', '1');
    await add('a', '2');
    await clock.advance(2_000);
    t.strictSame([sent, noted], [['a 1'], []]);
    away(false);
    await clock.advance(600);
    t.strictSame(
      noted.map(([id]) => id),
      ['1', '2'],
    );
    away(true);
    await add('a', '3', { shard: 1 });
    lanes.drop(1);
    away(false);
    await clock.advance(2_000);
    t.equal(noted.length, 2);
    t.match(lanes.counts(), { waiting: 0, lanes: 0 });
  },
);

t.test('a dead receiver pauses: one request at a time, whatever the number of rules', async (t) => {
  let isDead = true;
  const { clock, sent, add, noted } = stage((host) =>
    host === 'dead' && isDead ? failed : delivered,
  );
  for (let i = 0; i < 20; i++) await add('dead', `${i}`, { rule: `al_${i}` });
  const first = sent.length;
  t.ok(first <= 6, `${first} requests: it pauses after three failures in a row`);
  await add('good', 'g', { rule: 'al_0' });
  t.ok(sent.includes('good g'), 'another receiver is served');
  // Pauses of 5 s, 15 s, 1 min, 5 min: a request at the end of each.
  await clock.advance(3 * 60_000);
  t.ok(sent.length - first - 1 <= 4, `${sent.length - first - 1} requests in three minutes`);
  t.match(noted.at(-1)?.[1], { receiver: { refused: false, error: 'answered 503' } });
  t.ok((noted.at(-1)?.[1].receiver?.failures ?? 0) > 3);
  isDead = false;
  await clock.advance(10 * 60_000);
  const got = new Set(sent.slice(first + 1).filter((one) => one.startsWith('dead')));
  t.equal(got.size, 20, 'once it is back all is delivered');
  t.equal(noted.at(-1)?.[1].receiver, null);
});

t.test(
  'a receiver that another process has found dead pauses; a test tries it at once',
  async (t) => {
    const { clock, sent, add, lanes } = stage(() => delivered);
    const url = 'https://dead/';
    const until = clock.now() + 3_600_000;
    lanes.know('alice', receiverKey({ type: 'webhook', url }), {
      failures: 9,
      since: clock.now(),
      until,
      error: 'answered 503',
      refused: false,
    });
    await add('dead', '1');
    await clock.advance(60_000);
    t.strictSame(sent, []);
    await add('dead', '2', { kind: 'test' });
    t.strictSame(sent, ['dead 1', 'dead 2']);
  },
);

t.test(
  'what waits of an account is bounded, the oldest goes; of a rule that ends nothing is left',
  async (t) => {
    const { add, lanes, sent } = stage((host) => (host === 'dead' ? failed : delivered));
    for (let i = 0; i < 5_200; i++) void add('dead', `${i}`, { rule: `al_${i % 20}` });
    await settle();
    t.equal(lanes.counts().waiting, 5_000);
    t.ok(sent.length <= 6, `${sent.length} requests`);
    await add('good', 'g', { account: 'bob', rule: 'al_b' });
    t.ok(sent.includes('good g'));
    for (let i = 0; i < 19; i++) lanes.dropRule(`al_${i}`);
    t.equal(lanes.counts().waiting, 250);
    lanes.dropRule('al_19');
    t.match(lanes.counts(), { waiting: 0, lanes: 0 });
  },
);

t.test(
  'a stop waits for what is under way, but not for a receiver that never answers',
  async (t) => {
    let answer = (_: Attempt) => {};
    const answering = new Promise<Attempt>((resolve) => {
      answer = resolve;
    });
    const { lanes, add } = stage(() => answering);
    let isStopped = false;
    const stop = async (of: Lanes) => {
      isStopped = false;
      await of.stop();
      isStopped = true;
    };
    await add('a', '1');
    void stop(lanes);
    await settle();
    t.notOk(isStopped);
    answer(delivered);
    await settle();
    t.ok(isStopped);
    const other = stage(() => new Promise(() => {}));
    await other.add('b', '1');
    void stop(other.lanes);
    await other.clock.advance(5_000);
    t.ok(isStopped);
  },
);
