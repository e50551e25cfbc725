import t from 'tap';
import { wholeCoins } from '../../../actors/chains/amount.ts';
import { chainIds, evmChainIds } from '../../../config/chains.ts';
import { hotWallets, supplyContracts } from '../../../config/tokens.ts';
import {
  balanceAt,
  contractAt,
  gasPriceAt,
  heightAt,
  supplyAt,
} from '../../../scripts/simulator/chains/ledger.ts';
import { hostOf, read, seed, stage, start, urlsOf } from './stage.ts';

for (const chain of chainIds) {
  t.test(`${chain}: block and times`, async (t) => {
    const s = await stage(t);
    const reader = s.reader(chain);
    const first = await read(reader);
    t.equal(first.chain.block, heightAt(chain, start));
    t.match(first.chain, { chain, updated_at: start, grown_at: start });
    t.equal(first.host, hostOf(urlsOf(chain)[0]), 'the preferred endpoint answers');
    t.equal(first.stuck, false);
    t.same(first.dropped, []);
    await s.clock.advance(600_000);
    const later = await read(reader);
    t.equal(later.chain.block, heightAt(chain, start + 600_000));
    t.equal(later.chain.grown_at, start + 600_000);
  });
}

for (const chain of evmChainIds) {
  t.test(
    `${chain}: gas and supplies, in two requests beside those for chain and height`,
    async (t) => {
      const s = await stage(t);
      const reader = s.reader(chain);
      const { chain: row, supplies, wallets } = await read(reader);
      t.equal(row.gas_gwei, wholeCoins(gasPriceAt(chain, seed, start), 9));
      t.ok((row.gas_gwei ?? 0) > 0);
      t.same(
        supplies.map(({ token }) => token),
        ['USDC', 'USDT'],
      );
      for (const { token, total_supply, ...rest } of supplies) {
        const contracts = supplyContracts[chain][token];
        let raw = 0n;
        for (const { address } of contracts) {
          const contract = contractAt(chain, address);
          if (contract) raw += supplyAt(contract, seed, start);
        }
        t.equal(
          total_supply,
          wholeCoins(raw, contracts[0].decimals),
          `${token} over all contracts`,
        );
        t.same(rest, { chain, updated_at: start });
      }
      t.equal(wallets.length, chain === 'ethereum' ? 2 : 0);
      const before = s.seen.length;
      await s.clock.advance(60_000);
      await read(reader);
      t.equal(s.seen.length - before, 2 * urlsOf(chain).length + 2);
    },
  );
}

t.test('hot wallets are summed per exchange', async (t) => {
  const s = await stage(t);
  const { wallets } = await read(s.reader('ethereum'));
  t.same(
    wallets.map(({ label }) => label),
    ['binance_hot', 'okx_hot'],
  );
  for (const [at, { addresses }] of hotWallets.entries()) {
    const sum = (address: string | null, decimals: number) => {
      const token = address === null ? null : (contractAt('ethereum', address) ?? null);
      let raw = 0n;
      for (const holder of addresses) {
        raw += balanceAt({ chain: 'ethereum', holder, token }, seed, start);
      }
      return wholeCoins(raw, decimals);
    };
    const { USDC, USDT } = supplyContracts.ethereum;
    t.match(wallets[at], {
      chain: 'ethereum',
      eth_balance: sum(null, 18),
      usdc_balance: sum(USDC[0].address, 6),
      usdt_balance: sum(USDT[0].address, 6),
      updated_at: start,
    });
    t.ok((wallets[at]?.eth_balance ?? 0) > 10_000);
  }
});

t.test('solana and bitcoin have a height and nothing else', async (t) => {
  const s = await stage(t);
  for (const chain of ['solana', 'bitcoin'] as const) {
    const reading = await read(s.reader(chain));
    t.equal(reading.chain.gas_gwei, null);
    t.same([reading.supplies, reading.wallets, reading.dropped], [[], [], []]);
  }
});
