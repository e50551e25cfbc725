/** How much may be followed at once, and the share of an account. */
import t from 'tap';
import { Topics } from '../../../http/live/topics.ts';
import { isApiError } from '../../../http/wire/errors.ts';
import { FakeClock } from '../../support/clock.ts';
import { stage } from './stage.ts';

/** Follows paths for accounts, of a server with so many symbols; the source, or the error. */
function followersOf(symbols: readonly string[]) {
  const clock = new FakeClock();
  const topics = new Topics({
    clock,
    every: 100,
    symbols: { all: () => symbols, listen: () => {} },
    log: { error: () => {} },
  });
  topics.serve(stage().endpoints);
  const follow = (path: string, account = 'a') => {
    const source = topics.source(path, account);
    if (isApiError(source)) return source.error;
    const follower = { account, changed: () => {} };
    source.follow(follower);
    return { source, leave: () => source.unfollow(follower) };
  };
  /** How many of these paths an account may follow. */
  const most = (path: (i: number) => string, account: string) => {
    let count = 0;
    while (typeof follow(path(count), account) !== 'string') count++;
    return count;
  };
  return { clock, follow, most };
}

t.test('of what may be followed at once no account has more than it leaves free', (t) => {
  for (const [path, half] of [
    ['/v1/asked?symbol=', 500],
    ['/v1/by/', 20_000],
  ] as const) {
    const { follow, most } = followersOf([]);
    const counts = ['a', 'b'].map((account) => most((i) => `${path}${account}${i}`, account));
    t.same(counts, [half, half / 2], path);
    t.equal(typeof follow(`${path}a1`, 'b'), 'object', 'it is followed already');
  }
  t.end();
});

t.test('an answer is of the share of the account that follows it first', (t) => {
  const { follow, most } = followersOf([]);
  const first = follow('/v1/asked?symbol=x', 'b');
  follow('/v1/asked?symbol=x', 'a');
  if (typeof first === 'object') first.leave();
  t.equal(
    most((i) => `/v1/asked?symbol=${i}`, 'a'),
    499,
    'b has left it to a',
  );
  t.end();
});

t.test('patterns count once, however they are spelled, and have shares too', async (t) => {
  const symbols = Array.from({ length: 5_001 }, (_, i) => `S${i}`);
  const { clock, follow } = followersOf(symbols);
  const spelled = ['symbol=*', 'symbol=%2A', 'symbol=%2a', 'symbol=*&', '&symbol=*'];
  const same = spelled.map((query) => follow(`/v1/by/all?${query}`));
  const others = ['exchange=okx&symbol=*', 'symbol=*&exchange=okx'];
  for (const query of others) t.equal(typeof follow(`/v1/by/all?${query}`), 'object', query);
  t.equal(follow('/v1/by/all?exchange=gate&symbol=*'), 'overloaded', 'before they are expanded');
  await clock.advance(0);
  t.same(
    same.map((one) =>
      typeof one === 'object' ? [[...one.source.topics()].length, one.source.weight] : one,
    ),
    spelled.map(() => [5_000, 50]),
  );
  t.equal(follow('/v1/by/all?exchange=gate&symbol=*'), 'overloaded');
  const [c, d] = ['c', 'd'];
  t.equal(typeof follow('/v1/by/all?exchange=gate&symbol=*', c), 'object');
  t.equal(typeof follow('/v1/by/all?exchange=gate&symbol=*', d), 'object', 'it is there');
  t.equal(typeof follow('/v1/prices?symbol=*', d), 'object');
  t.equal(follow('/v1/by/all?exchange=*&symbol=*', 'e'), 'overloaded', 'all are taken');
});
