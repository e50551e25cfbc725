/** A source that starts while its requests are refused (418), with a WebSocket that works. */
import t, { type Test } from 'tap';
import { failed } from '../../../actors/failure.ts';
import { asRow } from '../../../actors/read.ts';
import type { RunContext } from '../../../actors/sources/context.ts';
import { feedsOf, type Markets } from '../../../actors/sources/polling/feeds.ts';
import type { PriceRow } from '../../../actors/topics/index.ts';
import { PricesView } from '../../../http/views/prices.ts';
import { feedContext, price } from '../../support/feed-stage.ts';
import { streamScene } from '../../support/streaming.ts';
import { until } from '../../support/until.ts';

const ban = failed('rate_limited', 'HTTP 418');
let read = 0;
const rowsOf = (body: unknown) => ({ rows: asRow(body).prices as PriceRow[], dropped: [] });
const poll = { requests: () => [{ api: 'rest', path: 'prices' }] };
const markets: Markets = {
  id: 'x',
  feeds: {
    instruments: {
      every: 3_600_000,
      parts: { linear: { ...poll, parse: () => ({ instruments: { rows: [], dropped: [] } }) } },
    },
    prices: {
      every: 30_000,
      parts: { linear: { ...poll, parse: ([body]) => ({ prices: rowsOf(body) }) } },
    },
  },
  live: {
    prices: {
      linear: {
        url: 'wss://x.example/stream',
        silence: 3_600_000,
        collect: 'latest',
        channels: (markets) => [...markets.keys()],
        parse(message) {
          read += 1;
          return { prices: rowsOf(message) };
        },
      },
    },
  },
};

async function stage(t: Test, old: boolean) {
  const { server, clock, supervisor } = await streamScene(t);
  const made = feedContext(clock, server.host);
  const { published, last, list, reading } = made;
  const context: RunContext = {
    ...made.context,
    live: { on: () => true },
    client: () => ({
      send: async () => ban,
      state: () => ({ breaker: 'closed', pausedUntil: null, host: '' }),
    }),
  };
  // The lists and the last prices are in Redis.
  list('linear', 'A', 'B', 'C');
  const before = reading('linear', [price('A', 1), price('B', 5)], clock.now() - 400_000);
  if (old) last['prices/x/linear'] = before;
  const feeds = feedsOf({ markets, context, poll: () => {} });
  const job = feeds.polls.find(({ name }) => name === 'prices/linear')?.job();
  const round = { now: clock.now(), signal: new AbortController().signal };
  await job?.wait?.(round.now, round.signal);
  t.match(await job?.run(round), { code: 'rate_limited' }, 'the poll is refused');
  const stream = feeds.streams.find(({ name }) => name === 'priceChanges/linear');
  if (stream) supervisor.spawn(stream);
  await until(() => (server.peers[0]?.received.length ?? 0) === 3, 'it is subscribed to');
  /** Sends prices and gives what is published of them. */
  const say = async (pause: number, ...prices: PriceRow[]) => {
    published.length = 0;
    const count = read;
    server.peers[0]?.send(JSON.stringify({ prices }));
    await until(() => read > count, 'it is read');
    await clock.advance(pause);
    return published.map(([topic, key, value]) => [topic, key, asRow(value).rows]);
  };
  return { clock, say, before, published };
}

t.test('prices of listed markets are published, without any poll', async (t) => {
  for (const old of [true, false]) {
    const { clock, say, before, published } = await stage(t, old);
    await clock.advance(1);
    const [one, ...more] = await say(1_000, price('A', 3), price('C', 7));
    const [a, c] = [
      { market: 'A', price: 3 },
      { market: 'C', price: 7 },
    ];
    const b = { market: 'B', price: 5, received: before.received };
    t.match(one, ['prices', 'x/linear', old ? [a, b, c] : [a, c]], 'with those of Redis');
    t.same(more, []);
    const view = new PricesView();
    view.accept(published[0]?.[2] as never, clock.now());
    t.match(view.entry('x', 'C'), { price: 7 }, 'and answered');
    t.equal(view.entry('x', 'B'), undefined, 'not what is too old');
    t.match(await say(250, price('A', 3.1)), [['priceChanges', 'x/linear', [{ price: 3.1 }]]]);
    await clock.advance(45_000);
    const whole = [{ price: 3.2 }];
    t.match((await say(250, price('A', 3.2))).at(-1), ['prices', 'x/linear', whole], 'it goes on');
  }
});
