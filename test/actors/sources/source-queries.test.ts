/** Queries about no market of an exchange. */
import t from 'tap';
import { failed, type Result, success } from '../../../actors/failure.ts';
import { InstrumentBook } from '../../../actors/sources/instruments.ts';
import { venueAnswers } from '../../../actors/sources/queries.ts';
import type { UpstreamAnswer } from '../../../actors/upstream/request.ts';
import { hyperliquid } from '../../../actors/venues/hyperliquid/index.ts';
import { FakeClock } from '../../support/clock.ts';
import { around } from '../../support/sources.ts';

const address = '0xdfc24b077bc1425ad1dea75bcb6f8158e10df303';
const summary = { accountValue: '4', totalNtlPos: '3', totalMarginUsed: '2' };
const state = { marginSummary: summary, withdrawable: '1' };

function setUp(reply: (type: string) => Result<unknown>) {
  const clock = new FakeClock();
  const asked: string[] = [];
  const client = {
    async send({ body }: { body?: unknown }): Promise<Result<UpstreamAnswer>> {
      const { type } = Object(body);
      asked.push(type);
      const result = reply(type);
      if (!result.ok) return result;
      return success({ body: result.value, asked: clock.now(), received: clock.now() });
    },
  };
  const context = { book: new InstrumentBook(), clock, onUnknown: () => {}, ...around(clock) };
  const answers = venueAnswers(hyperliquid, client, context);
  const ask = async (name: 'clearinghouse' | 'vault') => {
    const answer: unknown = Reflect.get(answers, name);
    if (typeof answer !== 'function') throw new Error(`no ${name}`);
    return answer({ address }, { deadline: clock.now() + 9_000, account: '' });
  };
  return { ask, asked, clock };
}

t.test('it needs no instrument list, and is given again while it is fresh', async (t) => {
  const { ask, asked, clock } = setUp((type) =>
    success(type === 'clearinghouseState' ? state : ['BTC']),
  );
  const wanted = {
    ok: true,
    value: { value: { capped: ['BTC'], vault: { withdrawable_usd: 1 } } },
  };
  t.match(await Promise.all([ask('clearinghouse'), ask('clearinghouse')]), [wanted, wanted]);
  const questions = ['perpsAtOpenInterestCap', 'clearinghouseState'];
  t.strictSame(asked, questions, 'asked once for both');
  await clock.advance(29_000);
  t.match(await ask('clearinghouse'), wanted);
  t.equal(asked.length, 2);
  await clock.advance(1_001);
  t.match(await ask('clearinghouse'), wanted);
  t.strictSame(asked, [...questions, ...questions]);
});

t.test('a failure and an answer that cannot be read are values', async (t) => {
  const away = setUp(() => failed('unavailable', 'away'));
  t.match(await away.ask('vault'), { ok: false, failure: { code: 'unavailable' } });
  const torn = setUp(() => success({}));
  t.match(await torn.ask('vault'), { ok: false, failure: { code: 'shape' } });
});
