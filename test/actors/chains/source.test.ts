import t from 'tap';
import { chainSource } from '../../../actors/chains/source.ts';
import { failed, type Result, success } from '../../../actors/failure.ts';
import type { ChainReading } from '../../../actors/topics/chains.ts';
import { sourceStage } from '../../support/source-stage.ts';

const minute = 60_000;

const reading = (over: Partial<ChainReading> & { at: number; block: number }): ChainReading => {
  const { at, block, ...more } = over;
  return {
    chain: { chain: 'ethereum', block, gas_gwei: 0.5, updated_at: at, grown_at: at },
    supplies: [
      { token: 'USDC', chain: 'ethereum', total_supply: 40e9 + block, updated_at: at },
      { token: 'USDT', chain: 'ethereum', total_supply: 80e9 + block, updated_at: at },
    ],
    wallets: [],
    dropped: [],
    stuck: false,
    host: 'rpc.example',
    asked: at,
    received: at,
    ...more,
  };
};

t.test('a chain is read every minute; what could not be read stays as it was', async (t) => {
  const results: Result<ChainReading>[] = [];
  const deadlines = new Set<number>();
  const read = async ({ deadline }: { deadline: number }) => {
    deadlines.add(deadline);
    return results.shift() ?? failed('unavailable', 'no endpoint');
  };
  const coins = { eth_balance: 1, usdc_balance: 2, usdt_balance: 3 };
  const wallet = { label: 'a_hot', chain: 'ethereum', ...coins, updated_at: 1_000 } as const;
  const first = reading({ at: 1_000, block: 1, wallets: [wallet] });
  const second = reading({ at: 61_000, block: 2 });
  results.push(success(first), failed('timeout', 'late'));
  results.push(
    success({
      ...second,
      supplies: second.supplies.slice(0, 1),
      dropped: ['USDT', 'a_hot'].map((key) => ({ key, code: 'bad_row' })),
    }),
  );
  const { clock, last, statuses } = await sourceStage(t, chainSource('ethereum', { read }));
  t.match(statuses.get('state/rpc'), { state: 'up', rows: 4, dropped: {} });
  t.match(last('chains', 'ethereum'), { chain: { block: 1 }, received: 1_000 });
  await clock.advance(minute);
  t.match(last('chains', 'ethereum'), { chain: { block: 1 } }, 'a failure replaces nothing');
  t.match(statuses.get('state/rpc'), { state: 'failing', last_error: { code: 'timeout' } });
  await clock.advance(3_000);
  t.match(last('chains', 'ethereum'), {
    chain: { block: 2 },
    supplies: [
      { token: 'USDC', total_supply: 40e9 + 2, updated_at: 61_000 },
      { token: 'USDT', total_supply: 80e9 + 1, updated_at: 1_000 },
    ],
    wallets: [wallet],
  });
  t.match(statuses.get('state/rpc'), { state: 'up', rows: 2, dropped: { bad_row: 2 } });
  t.strictSame([...deadlines], [20_000]);
});
