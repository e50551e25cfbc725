/** The trades of a market as clients follow them: each once, in order, over ends of connections and changes of processes. */
import t from 'tap';
import { failed, type Result, success } from '../../../actors/failure.ts';
import { TradeTape } from '../../../actors/sources/streams/trade-tape.ts';
import type { Reply, TradeTapeParams, TradeTapeReply } from '../../../actors/topics/index.ts';
import { type TapeEvent, type TradeLog, TradeLogs } from '../../../http/answers/trade-log.ts';
import { isApiError } from '../../../http/wire/errors.ts';
import { FakeClock } from '../../support/clock.ts';
import { queryBus } from '../../support/queries.ts';

const start = 1_800_000_000_000;
const trade = (id: number) => ({
  market: 'A',
  id,
  timestamp: start + id,
  price: 100,
  quantity: id,
  bought: true,
});

/** A feed process with the tape of a market, and web processes that follow it. */
function scene() {
  const clock = new FakeClock(start);
  const feed = { tape: new TradeTape(start) as TradeTape | null, asked: 0 };
  const bus = queryBus(({ params }): Result<Reply<TradeTapeReply>> => {
    feed.asked += 1;
    const { tape } = feed;
    if (!tape) return failed('not_given', 'those that are heard: spot/B');
    const { after } = params as TradeTapeParams;
    const { began } = tape;
    const from = after?.began === began ? after.next : 0;
    const value = { quote: 'USDT', began, ...tape.after(from) };
    return success({ value, received: clock.now(), until: clock.now() });
  });
  const web = () => {
    const logs = new TradeLogs({ clock, query: bus.query });
    const of = (): TradeLog => {
      const log = logs.of('x', { market: 'A' });
      if (isApiError(log)) throw new Error(log.message);
      return log;
    };
    return { of };
  };
  const hear = (...ids: number[]) => {
    for (const id of ids) feed.tape?.add(trade(id), { follows: true, received: 0 });
  };
  return { clock, feed, web, hear };
}

const told = (event: TapeEvent) => ('hole' in event ? event.hole : Number(event.id));
const all = (log: TradeLog): unknown[] => {
  const found: unknown[] = [];
  for (let at = log.base; at < log.end().next; at++)
    found.push(...(log.read(at)?.events ?? []).map(told));
  return found;
};

t.test('each trade once, for all who follow the market', async (t) => {
  const { clock, feed, web, hear } = scene();
  hear(1, 2);
  const one = web();
  const log = one.of();
  t.equal(await log.ready(), undefined);
  let heard = 0;
  const stop = log.listen(() => {
    heard += 1;
  });
  t.equal(one.of(), log, 'shared');
  hear(3, 4);
  await clock.advance(250);
  await clock.advance(250);
  t.same([all(log), heard, feed.asked], [[1, 2, 3, 4], 1, 4], 'after 20, 40 and 290 ms');
  stop();
  await clock.advance(60_000);
  const { asked } = feed;
  await clock.advance(60_000);
  t.equal(feed.asked, asked, 'nobody listens');
  t.not(one.of(), log);
});

t.test('a hole of the stream, and one because the tape has run over', async (t) => {
  const { clock, feed, web, hear } = scene();
  hear(1);
  const log = web().of();
  await log.ready();
  log.listen(() => {});
  feed.tape?.add(trade(5), { follows: false, received: 0 });
  await clock.advance(250);
  t.same(all(log), [1, 'stream', 5]);
  for (let id = 6; id < 2_106; id++) hear(id);
  await clock.advance(250);
  // Of 2,103 entries the newest 2,000 are kept: the first of those is the trade 106.
  t.same(all(log).slice(0, 6), [1, 'stream', 5, 'overrun', 106, 107]);
});

t.test('another feed process: what it has heard as well is not told again', async (t) => {
  const { clock, feed, web, hear } = scene();
  hear(1, 2, 3);
  const log = web().of();
  await log.ready();
  log.listen(() => {});
  feed.tape = new TradeTape(start + 100);
  hear(2, 3, 4);
  await clock.advance(250);
  t.same(all(log), [1, 2, 3, 4], 'no hole');
  feed.tape = new TradeTape(start + 200);
  await clock.advance(250);
  hear(9);
  await clock.advance(250);
  t.same(all(log), [1, 2, 3, 4, 'feed', 9]);
  feed.tape = null;
  await clock.advance(2_000);
  feed.tape = new TradeTape(start + 300);
  hear(9, 10);
  await clock.advance(2_000);
  t.same(all(log), [1, 2, 3, 4, 'feed', 9, 10]);
});

t.test('a position means the same in every web process', async (t) => {
  const { clock, web, hear } = scene();
  hear(1, 2);
  const [one, other] = [web().of(), web().of()];
  await one.ready();
  one.listen(() => {});
  const { position } = one.end();
  hear(3);
  await clock.advance(250);
  await other.ready();
  const from = other.after(position);
  t.match(from, { recovered: true });
  t.same(other.read(from?.next ?? 0)?.events.map(told), [3]);
});

t.test('a market that is not heard', async (t) => {
  const { feed, web } = scene();
  feed.tape = null;
  t.match(await web().of().ready(), { error: 'bad_parameter', message: /spot\/B/ });
});
