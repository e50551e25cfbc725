/** What a message over a WebSocket must be. */
import t from 'tap';
import { optionsOf, requestOf } from '../../../../http/server/streams/request.ts';

const at = (length: number) => 'x'.repeat(length);
const path = '/v1/status';
const subscribe = { op: 'subscribe', id: 1, path };
const options = { mode: 'full', every: 0, resume: undefined, format: undefined };

t.test('what is taken', (t) => {
  const all = { mode: 'patch', every: 3_600_000, resume: 'a', format: 'msgpack' };
  const taken: [object, object][] = [
    [subscribe, { ...subscribe, options }],
    [
      { ...subscribe, ...all },
      { ...subscribe, options: all },
    ],
    [{ ...subscribe, mode: 'log', format: 'json' }, { options: { mode: 'log', format: 'json' } }],
    [
      { ...subscribe, id: at(64), path: `/${at(2_047)}` },
      { id: at(64), path: `/${at(2_047)}` },
    ],
    [
      { op: 'unsubscribe', id: 'a' },
      { op: 'unsubscribe', id: 'a' },
    ],
    [
      { op: 'auth', key: at(256) },
      { id: null, credential: { key: at(256), ticket: '' } },
    ],
    [
      { op: 'auth', id: 5, ticket: 't' },
      { id: 5, credential: { key: '', ticket: 't' } },
    ],
    [
      { ...subscribe, mode: null, every: null, resume: null, format: null },
      { id: 1, path, options },
    ],
    [{ op: 'ping' }, { op: 'ping', id: null }],
    [
      { op: 'ping', id: -3 },
      { op: 'ping', id: -3 },
    ],
  ];
  for (const [message, request] of taken) t.match(requestOf(JSON.stringify(message)), request);
  t.strictSame(optionsOf({}), options);
  t.end();
});

t.test('what is refused, by name', (t) => {
  const text = 'a number from 0 to 3600000, in milliseconds';
  const id = 'id must be a whole number, or text of 1 to 64 characters';
  const refused: [unknown, string][] = [
    ...[[], null, 'x', 7].map((one): [unknown, string] => [one, 'a message must be a JSON object']),
    [{ op: 'jump' }, 'op must be one of subscribe, unsubscribe, ping, auth'],
    [{ op: 'toString' }, 'op must be one of subscribe, unsubscribe, ping, auth'],
    [{}, 'op must be one of subscribe, unsubscribe, ping, auth'],
    [{ op: 'subscribe', path }, id],
    [{ op: 'unsubscribe' }, id],
    ...['', at(65), 1.5, {}, true].map((one): [unknown, string] => [{ op: 'ping', id: one }, id]),
    ...[7, 'v1/status', `/${at(2_048)}`].map((one): [unknown, string] => [
      { ...subscribe, path: one },
      'path must be the path of an answer with its query, such as /v1/prices?symbol=BTC',
    ]),
    [{ ...subscribe, mode: 'delta' }, 'mode must be one of full, patch, log'],
    [{ ...subscribe, format: 'xml' }, 'format must be one of json, msgpack'],
    [{ ...subscribe, resume: 5 }, 'resume must be a position, as text'],
    ...[-1, 3_600_001, '5'].map((one): [unknown, string] => [
      { ...subscribe, every: one },
      `every must be ${text}`,
    ]),
    ...[{}, { key: at(257) }, { ticket: 5 }].map((one): [unknown, string] => [
      { op: 'auth', ...one },
      'key must be an API key, or ticket a ticket',
    ]),
  ];
  for (const [message, wanted] of refused)
    t.match(requestOf(JSON.stringify(message)), { error: 'bad_parameter', message: wanted });
  const named = { op: 'subscribe', id: 'oi', path, every: -1 };
  t.equal(Object(requestOf(JSON.stringify(named))).id, 'oi', 'a client has several subscriptions');
  t.equal(
    Object(requestOf('{"op":"ping","id":""}')).id,
    null,
    'an id that is not valid is no name',
  );
  t.match(requestOf('{'), { message: 'a message must be a JSON object' });
  t.match(optionsOf({ every: Number.NaN }), { error: 'bad_parameter' });
  t.end();
});
