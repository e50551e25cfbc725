import t from 'tap';
import type { ChainState } from '../../../actors/topics/index.ts';
import { Snapshot } from '../../../http/answers/snapshots.ts';
import { onchainRoutes } from '../../../http/routes/onchain.ts';
import { OnchainView } from '../../../http/views/chains.ts';
import type { ApiError } from '../../../http/wire/errors.ts';

const now = 1_700_000_000_500;
const dataOf = (found: Snapshot | ApiError) =>
  found instanceof Snapshot ? JSON.parse(found.dataText) : found.error;

/** A view with the answers of its rows. */
function open() {
  const view = new OnchainView();
  const rows = onchainRoutes({ onchain: view });
  const answer = (end: string, token?: string) => {
    const from = rows.find(({ path }) => path.endsWith(end))?.from;
    if (from === undefined || !('view' in from)) throw new Error(`no such row: ${end}`);
    return from.view({ token });
  };
  return { view, answer };
}

const ethereum = (at: number): ChainState => ({
  chain: { chain: 'ethereum', block: 21, gas_gwei: 0.25, updated_at: at, grown_at: at },
  supplies: [
    { token: 'USDC', chain: 'ethereum', total_supply: 40e9, updated_at: at },
    { token: 'USDT', chain: 'ethereum', total_supply: 80e9, updated_at: at - 1_000 },
  ],
  wallets: [
    {
      label: 'okx_hot',
      chain: 'ethereum',
      eth_balance: 1.5,
      usdc_balance: 2,
      usdt_balance: 3,
      updated_at: at,
    },
  ],
  stuck: false,
  received: at,
});

const bitcoin = (at: number): ChainState => ({
  chain: { chain: 'bitcoin', block: 900_000, gas_gwei: null, updated_at: at, grown_at: at },
  supplies: [],
  wallets: [],
  stuck: false,
  received: at,
});

t.test('rows in the order of the chains, times in seconds', async (t) => {
  const { view, answer } = open();
  view.accept('bitcoin', bitcoin(now), now);
  t.equal(dataOf(answer('gas')), 'warming_up', 'bitcoin has no gas');
  view.accept('ethereum', ethereum(now), now);
  const updated_at = 1_700_000_000;
  t.same(dataOf(answer('gas')), [{ chain: 'ethereum', gas_gwei: 0.25, block: 21, updated_at }]);
  t.same(dataOf(answer('blocks')), [
    { chain: 'ethereum', block_number: 21, gas_gwei: 0.25, updated_at },
    { chain: 'bitcoin', block_number: 900_000, gas_gwei: null, updated_at },
  ]);
  t.same(dataOf(answer('supply', 'USDT')), [
    { token: 'USDT', chain: 'ethereum', total_supply: 80e9, updated_at: updated_at - 1 },
  ]);
  t.equal(dataOf(answer('supply')).length, 2);
  t.match(answer('supply', 'USDT'), { asOf: now }, 'the newest row of any kind');
  let calls = 0;
  view.source.listen(undefined, () => calls++);
  view.accept('bitcoin', bitcoin(now), now);
  t.equal(calls, 1);
  t.match(dataOf(answer('flows')), [{ label: 'okx_hot', eth_balance: 1.5, updated_at }]);
});

t.test('what is older than three polls is served and marked', async (t) => {
  const { view, answer } = open();
  view.accept('ethereum', ethereum(now), now);
  view.expire(now + 179_500);
  t.notOk('stale' in dataOf(answer('gas'))[0]);
  t.match(dataOf(answer('supply', 'USDT')), [{ stale: true }]);
  const before = answer('gas');
  view.expire(now + 179_600);
  t.equal(answer('gas'), before, 'nothing is built anew for nothing');
  view.expire(now + 180_000);
  t.notOk('stale' in dataOf(answer('gas'))[0]);
  view.expire(now + 180_001);
  view.accept('ethereum', ethereum(now), now);
  t.match(dataOf(answer('gas')), [{ gas_gwei: 0.25, updated_at: 1_700_000_000, stale: true }]);
  view.accept('ethereum', ethereum(now + 181_000), now + 181_000);
  t.notOk('stale' in dataOf(answer('gas'))[0], 'fresh again');
});
