/** Markets that left the list of an exchange. */
import t from 'tap';
import { success } from '../../../../actors/failure.ts';
import type { MarketPoll } from '../../../../actors/sources/define.ts';
import { UnknownMarkets, withDelisted } from '../../../../actors/sources/instruments.ts';
import { VenueRows } from '../../../../actors/sources/market-rows.ts';
import { Poller } from '../../../../actors/sources/polling/poller.ts';
import type { Instrument, MarketTopic, Reading } from '../../../../actors/topics/index.ts';
import { FakeClock } from '../../../support/clock.ts';
import { feedContext, price } from '../../../support/feed-stage.ts';
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

/** A poll of the part `linear`, whose list has the markets A and B. */
function stage(topic: MarketTopic, poll: Pick<MarketPoll<never>, 'parse' | 'rotates'>) {
  const clock = new FakeClock();
  const { context: around, published, list: lists } = feedContext(clock, 'x.example');
  lists('linear', 'A', 'B');
  const answer = () => success({ body: '', asked: clock.now(), received: clock.now() });
  const client = { send: async () => answer(), state: () => ({ pausedUntil: null, host: '' }) };
  const context = { ...around, client: () => client as never };
  const poller = new Poller({
    source: 'x',
    part: 'linear',
    every: 3_600_000,
    topics: [topic],
    context,
    poll: { requests: () => [{ api: 'rest', path: 'all' }], ...poll },
    rows: new VenueRows('x', context, () => undefined),
    watch: { observe: () => {}, frozen: () => false, apart: (all) => all },
    onUnknown: () => {},
  });
  const { newest, book } = around;
  const run = () => poller.run({ now: clock.now(), signal: new AbortController().signal });
  return {
    clock,
    poller,
    published,
    newest,
    run,
    listed: () => [...book.part('x', 'linear').values()],
  };
}

t.test(
  'a poll adds what the published list before it traded, also one of another process',
  async (t) => {
    const parse = () => ({ instruments: { rows, dropped: [] } });
    const { clock, poller, published, newest, run, listed } = stage('instruments', { parse });
    const rows = listed().slice(0, 1);
    t.equal(await run(), null);
    t.match(published.at(-1)?.[2], {
      rows: [
        { market: 'A', kind: 'perpetual' },
        { market: 'B', kind: 'other', delisted: { at: clock.now(), kind: 'perpetual' } },
      ],
    });
    t.equal(poller.pause(), 60_000, 'the list may be cut short: it is read again soon');
    newest.accept('instruments', published.at(-1)?.[2] as Reading<Instrument>);
    await clock.advance(60_000);
    await run();
    t.equal(poller.pause(), 3_600_000, 'once');
  },
);

t.test('rows of markets that are asked in turn leave with them', async (t) => {
  let rows = [price('A', 1), price('B', 1)];
  const parse = () => ({ prices: { rows, dropped: [] } });
  const { published, newest, run, listed } = stage('prices', { rotates: true, parse });
  await run();
  const all = { source: 'x', part: 'linear', asked: 1, received: 1, rows: listed() };
  newest.accept('instruments', withDelisted({ ...all, rows: all.rows.slice(0, 1) }, all));
  rows = [price('A', 1.1)];
  await run();
  t.match(published.at(-1)?.[2], { rows: [{ market: 'A' }] });
  t.match(published.at(-1)?.[2], { rows: { length: 1 } }, 'the list still has B');
});

t.test('a list is read again for new markets, not for those that it does not have', async (t) => {
  const unknown = new UnknownMarkets();
  const missed = (at: number, asked: number, ...keys: string[]) =>
    unknown.areMissed(
      keys.map((key) => ({ key, code: 'unknown_instrument' as const })),
      at,
      { ...list(0, ''), asked },
    );
  t.ok(missed(10, 5, 'NEW'));
  t.ok(missed(20, 5, 'NEW'), 'until it has been read');
  t.notOk(missed(30, 25, 'NEW'), 'it is in no list');
  t.ok(missed(40, 25, 'NEW', 'NEWER'));
  t.notOk(missed(50, 45, 'NEW', 'NEWER'));
  t.notOk(missed(60, 45), 'none');
});
