/** Accounts on the simulated Solana and Bitcoin. */
import { Connection, PublicKey } from '@solana/web3.js';
import t from 'tap';
import { chains } from '../../../config/chains.ts';
import { unseenBitcoin } from '../../../scripts/simulator/chains/esplora.ts';
import { showcase, solanaWallet } from '../../../scripts/simulator/wallet/accounts.ts';
import { holdingsOf } from '../../../scripts/simulator/wallet/holdings.ts';
import { absent, recording } from '../../support/recordings.ts';
import { bothBodies, differences, sameShape } from '../../support/shape.ts';
import { list, record, walletStage } from './wallet-stage.ts';

const [node] = chains.solana.urls;
const spl = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const token2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';
const parsed = { encoding: 'jsonParsed', commitment: 'confirmed' };
const method = 'getTokenAccountsByOwner';

t.test('Solana: the shape of the recording', { skip: absent }, async (t) => {
  const { rpc } = await walletStage(t);
  const real = recording('solana-rpc', method)?.response;
  const ours = await rpc(node, method, [showcase.solana, { programId: spl }, parsed]);
  t.strictSame(differences(real, ours), []);
  t.match(ours.result, {
    context: { slot: Number },
    value: [{ account: { rentEpoch: 2 ** 64, owner: spl } }],
  });
});

t.test('Solana: web3.js reads accounts of both programs, all of them once', async (t) => {
  const { url } = await walletStage(t);
  const connection = new Connection(node.replace('https:/', url), {
    commitment: 'confirmed',
    disableRetryOnRateLimit: true,
  });
  for (const count of [0, 1, 31, 500]) {
    const owner = new PublicKey(solanaWallet(count));
    const read = async (program: string) => {
      const programId = new PublicKey(program);
      return (await connection.getParsedTokenAccountsByOwner(owner, { programId })).value;
    };
    const [plain, extended] = [await read(spl), await read(token2022)];
    const held = holdingsOf('solana', owner.toBase58());
    const found = [...plain, ...extended].map(({ account }) => {
      const { mint, tokenAmount } = record(account.data.parsed.info);
      return `${mint} ${record(tokenAmount).amount}`;
    });
    t.strictSame(
      found.sort(),
      held.map(({ token, raw }) => `${token.address} ${raw}`).sort(),
      `${count} tokens`,
    );
    t.equal(held.length, count);
    const keys = [...plain, ...extended].map(({ pubkey }) => pubkey.toBase58());
    t.equal(new Set(keys).size, count, 'every account has its own address');
    if (count > 3) t.ok(plain.length > extended.length && extended.length > 0, 'both programs');
    t.ok((await connection.getBalance(owner)) > 0, 'and native coins');
  }
});

t.test('Solana: the wallet with a token of every kind', async (t) => {
  const { rpc } = await walletStage(t);
  const infos = async (programId: string) => {
    const { result } = await rpc(node, method, [showcase.solana, { programId }, parsed]);
    return list(record(result).value).map(({ account }) => {
      const { data } = record(account);
      return record(record(record(data).parsed).info);
    });
  };
  const [plain, extended] = [await infos(spl), await infos(token2022)];
  const usdc = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
  t.equal(plain.filter(({ mint }) => mint === usdc).length, 2, 'two accounts of one mint');
  t.equal(plain.filter(({ isNative }) => isNative).length, 1, 'wrapped SOL');
  const amounts = plain.map(({ tokenAmount }) => record(tokenAmount));
  t.ok(
    amounts.some((one) => one.amount === '0'),
    'an account that is empty',
  );
  t.ok(
    amounts.some((one) => one.amount === '1' && one.decimals === 0),
    'what is not fungible',
  );
  t.match(extended, [{ extensions: [{ extension: 'immutableOwner' }] }]);
});

t.test('errors of Solana', async (t) => {
  const { rpc } = await walletStage(t);
  const system = '11111111111111111111111111111111';
  t.match(await rpc(node, 'getBalance', [system]), { result: { value: 0 } }, 'never seen');
  const none = await rpc(node, method, [system, { programId: spl }, parsed]);
  t.match(none, { result: { value: [] } });
  for (const bad of ['0OIl', showcase.evm, '', 7]) {
    t.match(await rpc(node, 'getBalance', [bad]), { error: { code: -32602 } });
    const refused = await rpc(node, method, [bad, { programId: spl }, parsed]);
    t.match(refused, { error: { code: -32602, message: /Invalid param/ } });
  }
  const { error } = await rpc(node, method, [showcase.solana, { programId: system }, parsed]);
  t.match(error, { code: -32602, message: /unrecognized/ });
});

t.test('Bitcoin: the shape of the recording, the same at both hosts', async (t) => {
  const { get, url } = await walletStage(t);
  const addresses = [
    showcase.bitcoin,
    '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
    '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy',
    'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
  ];
  for (const address of addresses) {
    const bodies = await Promise.all(
      chains.bitcoin.urls.map(async (host) => get(`${host}/address/${address}`)),
    );
    t.strictSame(bodies[0], bodies[1], address);
    const { chain_stats: stats } = record(bodies[0]?.body);
    const { funded_txo_sum: funded, spent_txo_sum: spent } = record(stats);
    t.ok(Number(funded) - Number(spent) > 0, `${address} has coins`);
  }
  const [host] = chains.bitcoin.urls;
  const upper = await get(`${host}/address/${showcase.bitcoin.toUpperCase()}`);
  t.strictSame(upper, await get(`${host}/address/${showcase.bitcoin}`), 'in capitals');
  const empty = await get(`${host}/address/${unseenBitcoin}`);
  t.match(empty, { status: 200, body: { chain_stats: { funded_txo_sum: 0, tx_count: 0 } } });
  for (const bad of ['1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb', 'tb1qxyz', showcase.evm]) {
    const refused = await get(`${host}/address/${bad}`);
    t.strictSame(refused, { status: 400, body: 'Invalid Bitcoin address' }, bad);
  }
  const unknown = await fetch(`${url}/mempool.space/api/address`);
  t.equal(unknown.status, 404, 'no address at all');
  await unknown.text();
  if (absent) return t.comment(absent);
  const recorded = ['address-stats', recording('esplora', 'address-stats')] as const;
  await sameShape(t, url, recorded);
  const { real, ours } = await bothBodies(t, url, recorded);
  t.strictSame(ours, real, 'the recorded address has what was recorded');
});
