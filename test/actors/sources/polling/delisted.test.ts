/** Markets that left the list of an exchange. */
import t from 'tap';
import { success } from '../../../../actors/failure.ts';
import { withDelisted } from '../../../../actors/sources/instruments.ts';
import { VenueRows } from '../../../../actors/sources/market-rows.ts';
import { Poller } from '../../../../actors/sources/polling/poller.ts';
import type { Instrument, Reading } from '../../../../actors/topics/index.ts';
import { FakeClock } from '../../../support/clock.ts';
import { feedContext } from '../../../support/feed-stage.ts';
import { instrument } from '../../../support/makers.ts';

const first = 1_000_000;
const at = (hours: number) => first + hours * 3_600_000;

/** A list of `market:kind` words, as an hour after the one before it. */
const list = (
  hours: number,
  words: string,
  over: Partial<Instrument> = {},
): Reading<Instrument> => ({
  source: 'x',
  part: 'all',
  asked: at(hours),
  received: at(hours),
  rows: words
    .split(' ')
    .filter((word) => word !== '')
    .map((word) => {
      const [market = '', kind] = word.split(':');
      return instrument({ market, kind: kind as Instrument['kind'], ...over });
    }),
});

/** The lists one after the other; what is published of the last one. */
function follow(...lists: readonly Reading<Instrument>[]) {
  let before: Reading<Instrument> | undefined;
  for (const one of lists) before = withDelisted(one, before);
  return (before?.rows ?? []).map(({ market, kind, delisted }) =>
    [market, kind, ...(delisted ? [(delisted.at - first) / 3_600_000, delisted.kind] : [])].join(
      ' ',
    ),
  );
}

t.test(
  'a market that left the list, or stopped in it, is kept with its kind and the time',
  async (t) => {
    const lists = [
      list(0, 'A:spot B:perpetual C:spot D:other'),
      list(1, 'A:spot C:other D:other'),
    ] as const;
    t.strictSame(
      follow(...lists),
      ['A spot', 'C other 1 spot', 'D other', 'B other 1 perpetual'],
      'what the list holds stays at its place: exchanges state markets by it',
    );
    t.strictSame(
      follow(...lists, list(2, 'C:other E:spot')),
      ['C other 1 spot', 'E spot', 'A other 2 spot', 'B other 1 perpetual'],
      'then the newest first; what was never traded is not among them',
    );
  },
);

t.test('traded again, it is not delisted', async (t) => {
  const lists = [list(0, 'A:spot B:spot'), list(1, 'A:spot'), list(2, 'A:spot B:spot')];
  t.strictSame(follow(...lists), ['A spot', 'B spot']);
  t.strictSame(follow(...lists, list(3, 'A:spot')), ['A spot', 'B other 3 spot']);
});

t.test('a list that holds the delisted already, since it was published before', async (t) => {
  const before = withDelisted(list(1, 'A:spot'), list(0, 'A:spot B:spot'));
  const again = { ...before, received: at(2) };
  t.strictSame(withDelisted(again, before).rows, before.rows);
});

t.test('a dated future that expired is not, one that ended before is', async (t) => {
  const dated = (hours: number) => list(0, 'F:future', { expiry: at(hours) });
  t.strictSame(follow(dated(1), list(1, '')), []);
  t.strictSame(follow(dated(5), list(1, '')), ['F other 1 future']);
});

t.test('500 of a part at most, the newest', async (t) => {
  const many = Array.from({ length: 499 }, (_, i) => `M${i}:spot`).join(' ');
  const kept = follow(list(0, `A:spot B:spot ${many}`), list(1, `B:spot ${many}`), list(2, ''));
  t.equal(kept.length, 500);
  t.notOk(kept.some((row) => row.startsWith('A ')));
});

t.test(
  'a poll adds what the published list before it traded, also one of another process',
  async (t) => {
    const clock = new FakeClock();
    const { context: around, published, list: lists } = feedContext(clock, 'x.example');
    lists('linear', 'A', 'B');
    const rows = [...around.book.part('x', 'linear').values()].slice(0, 1);
    const answer = success({ body: '', asked: clock.now(), received: clock.now() });
    const client = { send: async () => answer, state: () => ({ pausedUntil: null, host: '' }) };
    const context = { ...around, client: () => client as never };
    const poller = new Poller({
      source: 'x',
      part: 'linear',
      every: 3_600_000,
      topics: ['instruments'],
      context,
      poll: {
        requests: () => [{ api: 'rest', path: 'all' }],
        parse: () => ({ instruments: { rows, dropped: [] } }),
      },
      rows: new VenueRows('x', context, () => undefined),
      watch: { observe: () => {}, frozen: () => false, apart: (all) => all },
      onUnknown: () => {},
    });
    t.equal(await poller.run({ now: clock.now(), signal: new AbortController().signal }), null);
    t.match(published.at(-1)?.[2], {
      rows: [
        { market: 'A', kind: 'perpetual' },
        { market: 'B', kind: 'other', delisted: { at: clock.now(), kind: 'perpetual' } },
      ],
    });
  },
);
