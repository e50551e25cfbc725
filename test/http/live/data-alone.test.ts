/** Followers that read the data of answers without their bytes, as alert rules do. */
import t from 'tap';
import { snapshotOf } from '../../../http/answers/snapshots.ts';
import { memoryOf, Source } from '../../../http/answers/source.ts';
import { Counters } from '../../../http/endpoints/counters.ts';
import { Endpoint } from '../../../http/endpoints/endpoint.ts';
import { Topic } from '../../../http/live/topic.ts';
import { Topics } from '../../../http/live/topics.ts';
import { apiError, isApiError } from '../../../http/wire/errors.ts';
import { FakeClock } from '../../support/clock.ts';
import { echo } from '../../support/http.ts';

interface Asked {
  symbol?: string | number | undefined;
}

const never = async () => apiError('internal');

t.test(
  'followers that read data are told in the turn of a change, and nothing is made',
  async (t) => {
    const clock = new FakeClock();
    const source = new Source();
    const listed = new Source();
    const held = { symbols: ['A', 'B'], prices: new Map([['A', 1]]) };
    let written = 0;
    const price = (value: number) => ({ value, toJSON: () => ++written });
    const answers = source.answers({
      keysOf: ({ symbol = '' }: Asked) => [String(symbol)],
      build({ symbol = '' }: Asked) {
        const value = held.prices.get(String(symbol));
        return value === undefined ? null : price(value);
      },
    });
    const params = { symbol: { type: 'string', description: 'The asset' } } as const;
    const row = echo({ path: '/v1/prices', params, from: memoryOf(answers) });
    const queries = { known: () => null, read: never, once: never };
    const log = { info: () => {}, error: () => {} };
    const symbols = {
      all: () => held.symbols,
      listen: (listener: () => void) => void listed.listen(undefined, listener),
    };
    const topics = new Topics({ clock, every: 'auto', dataAlone: true, symbols, log });
    topics.serve([new Endpoint(row, { clock, log, queries, counters: new Counters([row]) })]);
    const seen: string[] = [];
    const follow = (path: string) => {
      const followed = topics.source(path, '');
      if (isApiError(followed)) throw new Error(followed.message);
      const changed = (topic: Topic) => {
        const found = topic.data();
        const at = followed.pathOf(topic) ?? 'one';
        seen.push(`${at.slice(-3)} ${found === null ? '-' : Object(found.data).value}`);
      };
      followed.follow({ account: 'a', changed, added: changed });
    };
    follow('/v1/prices?symbol=A');
    follow('/v1/prices?symbol=*');
    await clock.advance(0);
    t.strictSame(seen.splice(0).sort(), ['l=A 1', 'l=B -'], 'what a pattern means at first');
    const set = async (symbol: string, value: number) => {
      held.prices.set(symbol, value);
      source.change([symbol]);
      await clock.advance(0);
      return seen.splice(0).sort();
    };
    t.strictSame(await set('A', 2), ['l=A 2', 'one 2']);
    t.strictSame(await set('A', 2), ['l=A 2', 'one 2'], 'the same data may be younger');
    t.strictSame(await set('B', 3), ['l=B 3'], 'who follows another symbol is not told');
    held.symbols.push('C');
    listed.change();
    t.strictSame(await set('C', 4), ['l=C 4'], 'a new symbol of the pattern');
    t.equal(written, 0, 'no text is made');
  },
);

t.test('an answer that is asked for is as old as the newest with the same data', (t) => {
  const topic = new Topic('asked', snapshotOf({ price: 1 }, 5));
  t.equal(topic.take(snapshotOf({ price: 1 }, 9)), false, 'streams are not told');
  t.match(topic.data(), { asOf: 9, data: { price: 1 } });
  topic.take(apiError('upstream_failed'));
  t.equal(topic.data(), null);
  t.end();
});
