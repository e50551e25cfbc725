import t from 'tap';
import type { Handlers } from '../../../actors/bus/bus.ts';
import {
  type FeedStatus,
  type IndicatorReading,
  indicatorNames,
} from '../../../actors/topics/index.ts';
import { type Output, showProgress } from '../../../cmd/process/progress.ts';
import { chosenSources } from '../../../cmd/process/sources.ts';
import { FakeClock } from '../../support/clock.ts';
import { feedStatus } from '../../support/makers.ts';

const chosen = chosenSources([]);
const venues = [...chosen.venues.keys()];

/** A follower whose handlers the test calls, and what is shown. */
function stage(isTTY: boolean, sources = chosen) {
  const clock = new FakeClock();
  const shown: string[] = [];
  let handlers: Handlers = {};
  let stopped = false;
  const follow = (given: Handlers) => {
    handlers = given;
    const stop = async () => {
      stopped = true;
    };
    return { stop };
  };
  const output: Output = { isTTY, write: (text) => shown.push(text) };
  const progress = showProgress(sources, { bus: { follow }, clock, output });
  const feed = (source: string, fields: Partial<FeedStatus>) =>
    handlers.status?.(
      source,
      feedStatus({
        source,
        last_success: null,
        last_attempt: null,
        latency_ms: null,
        next_poll: null,
        rows: 0,
        ...fields,
      }),
      { id: '', seq: 0 },
    );
  const fails = (source: string, code: 'network' | 'blocked') =>
    feed(source, { last_error: { code, message: 'x', at: clock.now() } });
  const indicator = (name: IndicatorReading['name'], age = 0) =>
    handlers.marketIndicators?.(
      name,
      {
        name,
        fields: {},
        lacks: null,
        source: 'x',
        updated_at: clock.now(),
        received_at: clock.now() - age,
        stale_after: 60_000,
        live: null,
      },
      { id: '', seq: 0 },
    );
  return { clock, shown, progress, feed, fails, indicator, stopped: () => stopped };
}

t.test('on a terminal one line is rewritten until all is there', async (t) => {
  const { clock, shown, feed, indicator, stopped } = stage(true);
  await clock.advance(1_000);
  t.same(shown, ['\r\x1b[K0 of 23 exchanges, 0 of 21 indicators'], 'not the same line twice');
  feed('okx', { last_success: clock.now() - 5_000 });
  feed('kraken', { topic: 'instruments', last_success: clock.now() });
  feed('ethereum', { topic: 'state', last_success: clock.now() });
  indicator('fear-greed', 60_000);
  await clock.advance(1_000);
  t.equal(shown.length, 1, 'what an earlier run left and what is no price does not count');
  for (const venue of venues) feed(venue, { last_success: clock.now() });
  await clock.advance(1_000);
  t.equal(shown.at(-1), '\r\x1b[K23 of 23 exchanges, 0 of 21 indicators');
  for (const name of indicatorNames) indicator(name);
  await clock.advance(1_000);
  t.same(shown.slice(-2), ['\r\x1b[K23 of 23 exchanges, 21 of 21 indicators', '\n']);
  t.ok(stopped(), 'nothing is followed any more');
  t.equal(clock.pending, 0);
});

t.test('no upstream can be reached', async (t) => {
  const { clock, shown, fails, feed } = stage(true);
  for (const venue of venues.slice(0, 4)) fails(venue, 'network');
  await clock.advance(1_000);
  t.match(shown.at(-1), '0 of 23', 'four may be a coincidence');
  fails(venues[4] ?? '', 'network');
  await clock.advance(1_000);
  const message = 'no upstream can be reached: check the network, or try npm run demo';
  t.equal(shown.at(-1), `\r\x1b[K${message}`);
  feed('okx', { last_success: clock.now() });
  await clock.advance(1_000);
  t.equal(shown.at(-1), '\r\x1b[K1 of 23 exchanges, 0 of 21 indicators', 'until one answers');
});

t.test('upstreams that never answer', async (t) => {
  const { clock, shown, feed } = stage(false);
  for (const venue of venues) feed(venue, { state: 'waiting' });
  await clock.advance(14_000);
  t.same(shown, []);
  await clock.advance(2_000);
  t.match(shown, [/^no upstream can be reached/]);
});

t.test('an upstream that refuses has been reached', async (t) => {
  const { clock, shown, fails } = stage(true);
  for (const venue of venues.slice(1)) fails(venue, 'network');
  fails('okx', 'blocked');
  await clock.advance(1_000);
  t.match(shown.at(-1), '0 of 23');
});

t.test('without a terminal one line is printed at the end', async (t) => {
  const one = chosenSources(['okx']);
  const complete = stage(false, one);
  await complete.clock.advance(5_000);
  t.same(complete.shown, []);
  complete.feed('okx', { last_success: complete.clock.now() });
  await complete.clock.advance(1_000);
  t.same(complete.shown, ['1 of 1 exchanges\n'], 'no indicators are counted where none are run');
  const slow = stage(false);
  slow.feed('okx', { last_success: slow.clock.now() });
  await slow.clock.advance(40_000);
  slow.feed('kraken', { last_success: slow.clock.now() });
  await slow.clock.advance(40_000);
  t.same(slow.shown, ['1 of 23 exchanges, 0 of 21 indicators\n'], 'once, after a while');
  await slow.progress.stop();
  t.equal(slow.clock.pending, 0);
});
