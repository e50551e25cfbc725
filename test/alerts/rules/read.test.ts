import t from 'tap';
import { type ReceiverBody, readRule } from '../../../alerts/rules/read.ts';

const receiverIn = (receiver: ReceiverBody) =>
  readRule(
    {
      ...{ name: 'a', path: '/v1/prices?symbol=BTC', pointer: '/average_price' },
      ...{ condition: { type: 'above', value: 1 }, deliver: [receiver] },
    },
    Date.now(),
  ).deliver[0];

t.test('a topic of a group of Telegram', async (t) => {
  const chat = { type: 'telegram', token: '1:abcdefghijklmnopqrstuvwx', chat_id: '-5' } as const;
  t.strictSame(receiverIn({ ...chat, message_thread_id: 13 }), { ...chat, message_thread_id: 13 });
  t.strictSame(receiverIn(chat), chat);
  for (const message_thread_id of [0, -1, 1.5])
    t.throws(() => receiverIn({ ...chat, message_thread_id }), /^deliver\[0\]\.message_thread_id/);
});

t.test('a webhook of a chat service is none that takes events', async (t) => {
  const url = 'https://hooks.slack.com/services/1';
  t.throws(() => receiverIn({ type: 'webhook', url }), /^deliver\[0\]\.type must be slack/);
  t.strictSame(receiverIn({ type: 'slack', url }), { type: 'slack', url });
});
