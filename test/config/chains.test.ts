import { readFileSync } from 'node:fs';
import t from 'tap';
import { getAddress } from 'viem';
import {
  chainIds,
  chains,
  endpointUrls,
  evmChainIds,
  isChainId,
  isEvmChainId,
} from '../../config/chains.ts';
import { hotWallets, multicall3, stablecoins, supplyContracts } from '../../config/tokens.ts';
import { plain } from '../support/declared.ts';

t.test('nine chains, each with endpoints that can be read back as a setting', async (t) => {
  t.equal(chainIds.length, 9);
  t.same(evmChainIds, ['ethereum', 'base', 'arbitrum', 'polygon', 'bsc', 'optimism', 'avalanche']);
  for (const id of chainIds) {
    const { urls, blockTime } = chains[id];
    t.same(endpointUrls(urls.join(', ')), urls, id);
    t.ok(urls.every((url) => url.startsWith('https://')));
    t.ok(blockTime > 0);
    t.ok(urls.length >= (isEvmChainId(id) ? 4 : 2), `${id}: ${urls.length}`);
  }
  t.equal(new Set(evmChainIds.map((id) => chains[id].identity)).size, 7);
  t.notOk(isChainId('toString'));
  t.notOk(isEvmChainId('solana'));
});

t.test('what is declared of chains and contracts', async (t) => {
  const contracts = Object.entries(supplyContracts).map(([id, all]) => [`contracts of ${id}`, all]);
  const found = { ...chains, ...Object.fromEntries(contracts), hotWallets, multicall3 };
  const facts = new URL('../fixtures/declared/chains.json', import.meta.url);
  t.strictSame(plain(found), JSON.parse(readFileSync(facts, 'utf8')));
});

t.test('a setting that is not a list of URLs is refused without being shown', async (t) => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, at) => `https://host/${at}`).join();
  t.equal(endpointUrls(many(16)).length, 16);
  for (const bad of [
    '',
    ' , ',
    'eth.drpc.org/sekrit',
    'ftp://host/sekrit',
    'wss://host/sekrit',
    'https://user:sekrit@host',
    'https://host/#sekrit',
    'https://good, nonsense-sekrit',
    many(17),
  ]) {
    t.throws(() => endpointUrls(bad), /^from 1 to 16 URLs that begin with https/, bad);
    t.throws(() => endpointUrls(bad), { message: /^(?!.*sekrit)/ });
  }
  const given = 'https://a/key,http://127.0.0.1:8545?key=b,https://a/key';
  t.same(endpointUrls(given), ['https://a/key', 'http://127.0.0.1:8545?key=b'], 'once each');
});

t.test('contracts and wallets have their checksums and stand once', async (t) => {
  for (const chain of evmChainIds) {
    const contracts = stablecoins.flatMap((token) => [...supplyContracts[chain][token]]);
    for (const { address, decimals } of contracts) {
      t.equal(getAddress(address), address);
      t.equal(decimals, chain === 'bsc' ? 18 : 6);
    }
    t.equal(new Set(contracts.map(({ address }) => address)).size, contracts.length);
  }
  t.equal(getAddress(multicall3), multicall3);
  t.same(
    hotWallets.map(({ label, chain }) => [label, chain]),
    [
      ['binance_hot', 'ethereum'],
      ['okx_hot', 'ethereum'],
    ],
  );
  const addresses = hotWallets.flatMap((group) => [...group.addresses]);
  t.equal(new Set(addresses).size, 7);
  for (const address of addresses) t.equal(getAddress(address), address);
});
