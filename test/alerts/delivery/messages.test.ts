import { Webhook } from 'standardwebhooks';
import t from 'tap';
import { requestOf, verdictOf } from '../../../alerts/delivery/messages.ts';
import { newSecret } from '../../../alerts/rules/signature.ts';
import { alertEvent } from '../../support/alerts.ts';

const now = Date.now();

t.test('a webhook is signed with each secret, as Standard Webhooks verifies it', async (t) => {
  const secrets = [newSecret(), newSecret()];
  const { headers, body, isKnownHost } = requestOf(
    { type: 'webhook', url: 'https://a.example.com/' },
    alertEvent(),
    { secrets, now },
  );
  for (const secret of secrets)
    t.match(new Webhook(secret).verify(body, { ...headers }), {
      type: 'alert.fired',
      data: { id: 'evt_1', value: 101 },
    });
  t.throws(() => new Webhook(newSecret()).verify(body, { ...headers }));
  t.throws(() => new Webhook(secrets[0] ?? '').verify(`${body} `, { ...headers }));
  t.match(secrets[0], /^whsec_[A-Za-z0-9+/]{43}=$/);
  t.equal(headers['webhook-id'], 'evt_1');
  t.equal(isKnownHost, false);
  t.notMatch(body, 'alice', 'the account is nobody else’s business');
});

t.test('chats get text that is no markup and calls nobody', async (t) => {
  const event = alertEvent({ text: '*@everyone* <!channel> [a](https://b) & "c"' });
  const sent = (receiver: Parameters<typeof requestOf>[0]) => {
    const { url, body, isKnownHost } = requestOf(receiver, event, { secrets: [], now });
    return { url, isKnownHost, body: JSON.parse(body) };
  };
  t.strictSame(sent({ type: 'telegram', token: '1:a', chat_id: '-5' }), {
    url: 'https://api.telegram.org/bot1:a/sendMessage',
    isKnownHost: true,
    body: { chat_id: '-5', text: event.text, link_preview_options: { is_disabled: true } },
  });
  t.match(sent({ type: 'telegram', token: '1:a', chat_id: '-5', message_thread_id: 13 }), {
    body: { chat_id: '-5', message_thread_id: 13, text: event.text },
  });
  const url = 'https://discord.com/api/webhooks/1/a';
  t.match(sent({ type: 'discord', url }), {
    url,
    body: { content: /^\\\*@everyone\\\* </, allowed_mentions: { parse: [] } },
  });
  const old = 'https://discordapp.com/api/webhooks/1/a?thread_id=5';
  t.equal(sent({ type: 'discord', url: old }).url, `${url}?thread_id=5`, 'the old domain');
  t.match(sent({ type: 'slack', url: 'https://hooks.slack.com/services/1' }), {
    body: { text: '*@everyone* &lt;!channel&gt; [a](https://b) &amp; "c"', mrkdwn: false },
  });
  const long = alertEvent({ text: '-'.repeat(9_000) });
  const { body } = requestOf({ type: 'discord', url }, long, { secrets: [], now });
  t.equal(JSON.parse(body).content.length, 2_000);
});

t.test('a character of two halves at the end of the longest text is not cut in half', async (t) => {
  const receivers = [
    { type: 'telegram', token: '1:a', chat_id: '5' },
    { type: 'discord', url: 'https://discord.com/api/webhooks/1/a' },
    { type: 'slack', url: 'https://hooks.slack.com/services/1' },
  ] as const;
  for (const receiver of receivers) {
    const event = alertEvent({ text: `a${'😀'.repeat(3_000)}` });
    const { text = '', content = text } = JSON.parse(
      requestOf(receiver, event, { secrets: [], now }).body,
    );
    t.ok(content.length > 1_900 && content.isWellFormed(), receiver.type);
  }
});

t.test('what answers mean', async (t) => {
  const none = { headers: {}, body: '' };
  const of = (
    type: 'webhook' | 'telegram' | 'discord' | 'slack',
    status: number,
    more: object = {},
  ) => verdictOf({ type }, { ...none, status, ...more }, now);
  t.match(of('webhook', 204), { outcome: 'delivered', error: null });
  for (const status of [302, 400, 401, 404, 429, 500, 503])
    t.match(of('webhook', status), { outcome: 'failed' }, `${status}`);
  t.match(of('webhook', 410), { outcome: 'refused' });
  for (const status of [400, 401, 403, 404])
    t.match(of('telegram', status), { outcome: 'refused' }, `${status}`);
  t.match(of('telegram', 429, { body: '{"ok":false,"parameters":{"retry_after":7}}' }), {
    outcome: 'failed',
    retryAfter: 7_000,
  });
  const limited = { body: '{"message":"You are being rate limited.","retry_after":64.5}' };
  t.match(of('discord', 429, limited), { outcome: 'failed', retryAfter: 64_500 });
  const older = { headers: { 'retry-after': '6457', 'x-ratelimit-reset-after': '6.457' } };
  t.match(of('discord', 429, older), { retryAfter: 6_457 }, 'milliseconds, seconds');
  t.match(of('slack', 404, { body: 'no_service' }), {
    outcome: 'refused',
    error: 'answered 404: no_service',
  });
  const blocked = { body: '{"ok":false,"description":"Forbidden: bot was blocked by the user"}' };
  t.match(of('telegram', 403, blocked), {
    error: 'answered 403: Forbidden: bot was blocked by the user',
  });
  t.match(of('webhook', 503, { headers: { 'retry-after': '120' } }), { retryAfter: 120_000 });
  const twoHours = { outcome: 'failed', retryAfter: 7_200_000 };
  for (const wait of ['99999999', '2592000', 'Fri, 31 Dec 2100 23:59:59 GMT'])
    t.match(of('webhook', 503, { headers: { 'retry-after': wait } }), twoHours, wait);
  t.match(of('telegram', 429, { body: '{"parameters":{"retry_after":90000}}' }), twoHours);
  const date = new Date(now + 60_000).toUTCString();
  const { retryAfter } = of('webhook', 503, { headers: { 'retry-after': date } });
  t.ok(retryAfter !== null && Math.abs(retryAfter - 60_000) <= 1_000);
});
