/** The connection of the dashboard, with a socket and timers that the test holds. */
import t from 'tap';

/** The connections that the page has opened, and what it has sent over each. */
const opened: Socket[] = [];

class Socket extends EventTarget {
  static OPEN = 1;
  readyState = 1;
  sent: Record<string, unknown>[] = [];
  constructor() {
    super();
    opened.push(this);
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }
  say(message: object): void {
    this.dispatchEvent(Object.assign(new Event('message'), { data: JSON.stringify(message) }));
  }
  close(): void {
    this.readyState = 3;
    this.dispatchEvent(Object.assign(new Event('close'), { code: 1006 }));
  }
}

/** What waits for a time, ms, and what is done again and again. */
const timers: { act(): void; ms: number }[] = [];
const beats: (() => void)[] = [];
Object.assign(globalThis, {
  document: { baseURI: 'https://host/app', documentElement: { dataset: { access: 'keys' } } },
  sessionStorage: { getItem: () => 'tm_live_a', removeItem() {} },
  WebSocket: Socket,
  fetch: () => Promise.resolve(Response.json({ data: { ticket: 'x' } })),
});
t.intercept(globalThis, 'setTimeout', {
  value: (act: () => void, ms: number) => timers.push({ act, ms }),
});
t.intercept(globalThis, 'setInterval', { value: (beat: () => void) => beats.push(beat) });
const load = (name: string) =>
  import(new URL(`../../../http/pages/app/${name}.ts`, import.meta.url).href);
const { leave } = await load('access');
const { follow, reconnect } = await load('stream');

/** Lets the timers of a time pass. */
function pass(ms: number): void {
  for (const { act } of timers.splice(0).filter((one) => one.ms === ms)) act();
}

/** Lets what is on its way arrive. */
async function arrived(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
}

async function connected(): Promise<Socket> {
  await arrived();
  const socket = opened.at(-1);
  if (socket === undefined) throw new Error('no connection was opened');
  socket.dispatchEvent(new Event('open'));
  return socket;
}

const heard: string[] = [];
follow('/v1/prices', {
  data: () => heard.push('data'),
  missing: (_: string, code: string) => heard.push(code),
});

t.test('a refusal that passes: the same is asked for again', async (t) => {
  const socket = await connected();
  const asked = () => socket.sent.filter(({ op }) => op === 'subscribe').map(({ id }) => id);
  t.strictSame(asked(), [1]);
  for (const [code, timestamp, count] of [
    ['too_many_requests', undefined, 2],
    ['warming_up', 1_000, 2],
    ['unknown_symbol', undefined, 2],
    ['overloaded', undefined, 3],
  ] as const) {
    socket.say({ type: 'error', id: 1, code, message: '', timestamp });
    t.equal(heard.at(-1), code, 'the panel says why');
    pass(15_000);
    t.equal(asked().length, count, code);
  }
});

t.test('a connection is not given up for the silence of the one before', async (t) => {
  const first = await connected();
  for (const _ of ['silent', 'pinged', 'given up']) for (const beat of beats) beat();
  t.equal(first.readyState, 3);
  for (const { act } of timers.splice(0)) act();
  const second = await connected();
  t.not(second, first);
  for (const beat of beats) beat();
  t.equal(second.readyState, 1, 'it was silent for one beat only');
  t.match(second.sent, [{ op: 'subscribe', id: 1 }, { op: 'ping' }]);
});

t.test('a connection that is on its way at the end of a session is not made', async (t) => {
  reconnect();
  await leave();
  reconnect();
  await arrived();
  t.equal(opened.length, 2, 'its ticket was of the key that is forgotten');
});
