import t from 'tap';
import { TrackedMarkets } from '../../../../actors/sources/streams/sink.ts';
import { listed } from '../../venues/stream-suite.ts';

t.test(
  'the tracked markets are asked for every 3 s, and every minute once there are any',
  async (t) => {
    const asked: number[] = [];
    let names = '';
    const tracked = new TrackedMarkets((now) => {
      asked.push(now);
      return listed([...names].map((name) => ({ market: name, symbol: name })));
    });
    const at = (...times: number[]) =>
      times.map((now) => [...(tracked.next(now)?.keys() ?? ['none'])].join());
    t.strictSame(at(1_000, 3_999, 4_000), ['none', 'none', 'none']);
    names = 'AB';
    t.strictSame(at(6_999, 7_000, 66_999), ['none', 'A,B', 'none']);
    names = '';
    t.strictSame(at(67_000), ['none'], 'the last ones stay');
    names = 'C';
    t.strictSame(at(126_999, 127_000), ['none', 'C']);
    t.strictSame(asked, [1_000, 4_000, 7_000, 67_000, 127_000]);
  },
);
