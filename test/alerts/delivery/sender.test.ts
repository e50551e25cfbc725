import { createServer } from 'node:net';
import t from 'tap';
import { systemClock as clock } from '../../../actors/kernel/clock.ts';
import { pinnedLookup } from '../../../alerts/delivery/pinned-lookup.ts';
import { Sender, type SenderOptions } from '../../../alerts/delivery/sender.ts';
import { newSecret } from '../../../alerts/rules/signature.ts';
import { alertEvent, startReceiver } from '../../support/alerts.ts';

const secret = newSecret();

function senderOf(over: Partial<SenderOptions>): Sender {
  const sender = new Sender({
    clock,
    allowed: new Set(),
    gateway: null,
    secrets: async () => [secret],
    ...over,
  });
  t.teardown(() => sender.close());
  return sender;
}

const to = (url: string) => ({ event: alertEvent(), receiver: { type: 'webhook' as const, url } });

/** A resolver that says these addresses, in order. */
const resolver = (...answers: string[][]) => {
  const asked: string[] = [];
  const resolve = (name: string, _options: object, done: (error: null, found: object) => void) => {
    asked.push(name);
    const addresses = answers[Math.min(asked.length, answers.length) - 1] ?? [];
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
  return { asked, resolve: resolve as unknown as NonNullable<SenderOptions['resolve']> };
};

t.test(
  'a name that leads to an address which is not public is refused, also where another one is',
  async (t) => {
    for (const addresses of [
      ['127.0.0.1'],
      ['8.8.8.8', '10.0.0.1'],
      ['::1'],
      ['::ffff:169.254.169.254'],
      ['64:ff9b::7f00:1'],
      [],
    ]) {
      const { resolve } = resolver(addresses);
      const found = await senderOf({ resolve }).send(to('https://rebind.example.com/'));
      t.match(
        found,
        { outcome: 'refused', status: null, error: 'its address is not on the internet' },
        addresses.join(),
      );
    }
  },
);

t.test(
  'the connection gets the addresses that were looked at, and each delivery looks again',
  async (t) => {
    const addresses = ['8.8.8.8', '2606:4700::1111'];
    const { resolve, asked } = resolver(addresses, ['127.0.0.1']);
    const look = (all: boolean) =>
      new Promise((done) =>
        pinnedLookup(resolve)('a.example.com', { all }, (...found) => done(found)),
      );
    t.strictSame(await look(true), [
      null,
      [
        { address: '8.8.8.8', family: 4 },
        { address: '2606:4700::1111', family: 6 },
      ],
    ]);
    t.match(await look(false), [{ name: 'Blocked' }], 'the name leads elsewhere by now');
    const first = resolver(['8.8.8.8']);
    t.strictSame(
      await new Promise((done) => pinnedLookup(first.resolve)('a', {}, (...found) => done(found))),
      [null, '8.8.8.8', 4],
    );
    const sender = senderOf({ resolve });
    for (let i = 0; i < 2; i++)
      t.match(await sender.send(to('https://a.example.com/')), { outcome: 'refused' });
    t.equal(asked.length, 4, 'once for each delivery');
  },
);

t.test('deliveries to a receiver on loopback that is allowed', async (t) => {
  const receiver = await startReceiver(t);
  const sender = senderOf({ allowed: new Set([receiver.host]) });
  t.match(await sender.send(to(receiver.url)), { outcome: 'delivered', status: 204 });
  t.match(receiver.got[0], {
    headers: {
      'webhook-id': 'evt_1',
      'content-type': 'application/json',
      'user-agent': /^Tidemark/,
    },
  });
  receiver.answer = () => ({ status: 302, headers: { location: 'http://169.254.169.254/' } });
  t.match(await sender.send(to(receiver.url)), {
    outcome: 'failed',
    status: 302,
    error: /redirects are not followed/,
  });
  t.equal(receiver.got.length, 2, 'nothing was asked again');
  receiver.answer = () => ({ status: 500, body: 'x'.repeat(5_000_000) });
  t.match(
    await sender.send(to(receiver.url)),
    { outcome: 'failed', status: 500 },
    'a long answer is not read to its end',
  );
  t.match(await senderOf({}).send(to(receiver.url)), { outcome: 'refused' }, 'without leave');
});

t.test('a receiver that does not answer, sends slowly or breaks off fails in time', async (t) => {
  const receiver = await startReceiver(t);
  receiver.answer = () => null;
  const quick = senderOf({ allowed: new Set([receiver.host]), deadline: 100 });
  t.match(await quick.send(to(receiver.url)), {
    outcome: 'failed',
    status: null,
    error: 'no answer in time',
  });
  const slow = createServer((socket) => {
    socket.on('error', () => {});
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n');
    const drip = setInterval(() => socket.write('x'), 20);
    socket.on('close', () => clearInterval(drip));
  });
  await new Promise<void>((listening) => slow.listen(0, '127.0.0.1', listening));
  t.teardown(() => void slow.close());
  const address = slow.address();
  const host = `127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  const dripping = senderOf({ allowed: new Set([host]), deadline: 150 });
  t.match(await dripping.send(to(`http://${host}/`)), {
    outcome: 'failed',
    error: 'no answer in time',
  });
  receiver.server.close();
  receiver.server.closeAllConnections();
  t.match(await quick.send(to(receiver.url)), { outcome: 'failed', error: /ECONNREFUSED/ });
});

t.test('chats are asked through the gateway; a webhook never is, and needs a secret', async (t) => {
  const gateway = await startReceiver(t);
  const sender = senderOf({ gateway: `http://${gateway.host}` });
  const receiver = { type: 'telegram', token: '1:abc', chat_id: '5' } as const;
  t.match(await sender.send({ event: alertEvent(), receiver }), { outcome: 'delivered' });
  t.equal(gateway.got[0]?.url, '/api.telegram.org/bot1:abc/sendMessage');
  t.match(await sender.send(to('http://127.0.0.1:1/')), { outcome: 'refused' });
  const bare = senderOf({ secrets: async () => [] });
  t.match(await bare.send(to('https://hooks.example.com/')), {
    outcome: 'failed',
    error: /secret/,
  });
});

t.test('a group that has become a supergroup is followed once, and its chat is told', async (t) => {
  const receiver = await startReceiver(t);
  const moves: unknown[] = [];
  const sender = senderOf({
    gateway: `http://${receiver.host}`,
    onMoved: ({ receiver: from }, chat) => void moves.push([from, chat]),
  });
  const chat = { type: 'telegram', token: '7:abcdefghijklmnopqrstuvwx', chat_id: '-4711' } as const;
  const moved = {
    ok: false,
    error_code: 400,
    description: 'Bad Request: group chat was upgraded to a supergroup chat',
    parameters: { migrate_to_chat_id: -1009876543210 },
  };
  const chatOf = (body: string) => JSON.parse(body).chat_id;
  receiver.answer = ({ body }) =>
    chatOf(body) === '-4711'
      ? { status: 400, body: JSON.stringify(moved) }
      : { status: 200, body: '{"ok":true}' };
  const queued = { event: alertEvent(), receiver: chat };
  t.match(await sender.send(queued), { outcome: 'delivered', status: 200 });
  t.strictSame(
    receiver.got.map(({ body }) => chatOf(body)),
    ['-4711', '-1009876543210'],
  );
  t.strictSame(moves, [[chat, '-1009876543210']]);
  // Two chats that name each other are no reason to go on for ever.
  receiver.got.length = 0;
  receiver.answer = () => ({ status: 400, body: JSON.stringify(moved) });
  t.match(await sender.send(queued), {
    outcome: 'refused',
    error: 'answered 400: Bad Request: group chat was upgraded to a supergroup chat',
  });
  t.equal(receiver.got.length, 2);
  t.equal(moves.length, 1);
});
