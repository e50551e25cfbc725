/** What each upstream says of the facts of a test, in its own words. */
import {
  decodeFunctionData,
  encodeFunctionResult,
  isHex,
  multicall3Abi,
  numberToHex,
  toFunctionSelector,
} from 'viem';
import { isRecord } from '../../../actors/read.ts';
import { chains } from '../../../config/chains.ts';

/** A token of the world's wallet, and what each source says of it. */
export interface Token {
  contract: string;
  symbol: string | null;
  decimals: number | null;
  raw: string;
  /** What the contract itself says; nothing when absent. */
  held?: bigint;
  /** What it says that balances are multiplied with, in 10^-18. */
  factor?: bigint;
  /** DexScreener's pool; unknown there when absent. */
  pool?: { price: string; liquidity: number | null };
  /** DefiLlama's price; unknown there when absent. */
  coin?: { price: number; confidence?: number; age?: number };
  /** The index's own price, as text. */
  rate?: string;
  /** Marked by the index. */
  spam?: boolean;
  /** What the issuer multiplies balances with to be shown. */
  multiplier?: number;
  /** On solana: an account under Token-2022. */
  newer?: boolean;
}

/** What the upstreams know; change it as the test goes on. */
export interface Facts {
  native: bigint;
  /** US dollars by DefiLlama's id; null where it has none. */
  natives: Record<string, number> | null;
  tokens: Token[];
}

/** One request. */
export interface Asked {
  host: string;
  /** Without the gateway in front. */
  url: URL;
  body: string;
  now: number;
}

/** A body and its status. */
export type Answer = [body: unknown, status?: number];

const spl = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const slice = <T>(items: readonly T[], from: number, size: number) => ({
  part: items.slice(from, from + size),
  next: from + size < items.length ? from + size : null,
});

const blockscoutRow = ({ contract, symbol, decimals, raw, rate, spam, multiplier }: Token) => ({
  token: {
    address_hash: contract,
    symbol,
    name: symbol,
    decimals: decimals === null ? null : `${decimals}`,
    type: multiplier === undefined ? 'ERC-20' : 'ERC-8056',
    exchange_rate: rate ?? null,
    ui_multiplier: multiplier === undefined ? null : `${multiplier * 1e6}${'0'.repeat(12)}`,
    reputation: spam ? 'scam' : 'ok',
  },
  token_id: null,
  token_instance: null,
  value: raw,
});

function blockscout({ tokens }: Facts, { url }: Asked): Answer {
  const { part, next } = slice(tokens, Number(url.searchParams.get('items_count') ?? 0), 50);
  const cursor = { fiat_value: null, id: 7, items_count: next, value: '1000' };
  return [{ items: part.map(blockscoutRow), next_page_params: next === null ? null : cursor }];
}

const moralisRow = ({ contract, symbol, decimals, raw, rate, spam }: Token) => ({
  token_address: contract,
  symbol,
  decimals,
  balance: raw,
  usd_price: rate ?? null,
  possible_spam: spam ?? false,
  native_token: false,
});

function moralis({ tokens, native }: Facts, { url }: Asked): Answer {
  const { part, next } = slice(tokens, Number(url.searchParams.get('cursor') ?? 0), 100);
  const coin = {
    token_address: `0x${'e'.repeat(40)}`,
    symbol: 'BNB',
    decimals: 18,
    balance: `${native}`,
    native_token: true,
  };
  return [{ cursor: next === null ? '' : `${next}`, result: [coin, ...part.map(moralisRow)] }];
}

const pair = (chainId: string, { contract, symbol, pool }: Token) => ({
  chainId,
  dexId: 'x',
  pairAddress: `pair-${contract}`,
  baseToken: { address: contract, symbol: symbol ?? 'NAMED', name: 'x' },
  quoteToken: { address: 'other', symbol: 'USDC' },
  priceUsd: pool?.price,
  ...(pool?.liquidity !== null && { liquidity: { usd: pool?.liquidity } }),
});

function dexscreener({ tokens }: Facts, { url }: Asked): Answer {
  const [chain = '', list = ''] = url.pathname.split('/').slice(3);
  const asked = new Set(list.split(','));
  const known = tokens.filter(({ contract, pool }) => pool && asked.has(contract));
  return [known.map((token) => pair(chain, token))];
}

function llama({ tokens, natives }: Facts, { url, now }: Asked): Answer {
  const keys = decodeURIComponent(url.pathname.replace('/prices/current/', '')).split(',');
  const entry = (key: string): [string, unknown][] => {
    const [chain, id] = key.split(':');
    const native = chain === 'coingecko' ? natives?.[id ?? ''] : undefined;
    const found = tokens.find(({ contract }) => contract === id);
    const coin = native === undefined ? found?.coin : { price: native };
    if (!coin) return [];
    const { price, confidence = 0.99, age = 60_000 } = coin;
    const timestamp = Math.floor((now - age) / 1_000);
    return [[key, { price, confidence, timestamp, symbol: found?.symbol ?? 'NAMED' }]];
  };
  return [{ coins: Object.fromEntries(keys.flatMap(entry)) }];
}

const account = ({ contract, decimals, raw, multiplier = 1 }: Token) => ({
  pubkey: contract,
  account: {
    data: {
      program: 'spl-token',
      parsed: {
        info: {
          mint: contract,
          tokenAmount: {
            amount: raw,
            decimals,
            uiAmountString: String((Number(raw) * multiplier) / 10 ** (decimals ?? 0)),
          },
        },
        type: 'account',
      },
      space: 165,
    },
    executable: false,
    lamports: 2_039_280,
    owner: spl,
    rentEpoch: 2 ** 64,
    space: 165,
  },
});

function accounts({ tokens }: Facts, filter: unknown) {
  const newer = isRecord(filter) && filter.programId !== spl;
  return tokens.filter((token) => (token.newer ?? false) === newer).map(account);
}

const uiMultiplier = toFunctionSelector('uiMultiplier()');

/** Multicall3 over the contracts of the tokens; they know `balanceOf` and `uiMultiplier` alone. */
function multicall({ tokens }: Facts, call: unknown): unknown {
  const data = isRecord(call) ? call.data : undefined;
  if (!isHex(data)) return undefined;
  const { functionName, args } = decodeFunctionData({ abi: multicall3Abi, data });
  if (functionName !== 'aggregate3') return undefined;
  const result = args[0].map(({ target, callData }) => {
    const found = tokens.find(({ contract }) => contract.toLowerCase() === target.toLowerCase());
    const answer = callData.startsWith(uiMultiplier) ? found?.factor : found?.held;
    return answer === undefined
      ? { success: false, returnData: '0x' as const }
      : { success: true, returnData: numberToHex(answer, { size: 32 }) };
  });
  return encodeFunctionResult({ abi: multicall3Abi, functionName, result });
}

/** The node of an EVM chain or of solana. */
function node(facts: Facts, { host, body }: Asked): Answer {
  const chain = Object.entries(chains).find(([id]) => host === `node.${id}.test`)?.[1];
  const inContext = (value: unknown) => ({ context: { slot: 1 }, value });
  const results: Record<string, (params: readonly unknown[]) => unknown> = {
    eth_chainId: () => `0x${Number(chain?.identity).toString(16)}`,
    eth_blockNumber: () => '0x64',
    eth_getBalance: () => `0x${facts.native.toString(16)}`,
    eth_call: ([call]) => multicall(facts, call),
    getGenesisHash: () => chain?.identity,
    getSlot: () => 100,
    getBalance: () => inContext(Number(facts.native)),
    getTokenAccountsByOwner: ([, filter]) => inContext(accounts(facts, filter)),
  };
  const one = ({ id, method, params }: { id: unknown; method: string; params: unknown[] }) => ({
    jsonrpc: '2.0',
    id,
    result: results[method]?.(params),
  });
  const calls = JSON.parse(body);
  return [Array.isArray(calls) ? calls.map(one) : one(calls)];
}

function esplora({ native }: Facts, { url }: Asked): Answer {
  if (url.pathname === '/blocks/tip/height') return [900_000];
  const stats = (funded: number, spent: number) => ({
    funded_txo_sum: funded,
    spent_txo_sum: spent,
  });
  return [{ chain_stats: stats(Number(native) + 5, 5), mempool_stats: stats(77, 0) }];
}

/** The answer of whoever lives at the host. */
export function answerOf(facts: Facts, ask: Asked): Answer {
  const { host } = ask;
  if (/blockscout\.com$|^explorer\.optimism\.io$/.test(host)) return blockscout(facts, ask);
  if (host === 'deep-index.moralis.io') return moralis(facts, ask);
  if (host === 'api.dexscreener.com') return dexscreener(facts, ask);
  if (host === 'coins.llama.fi') return llama(facts, ask);
  if (host === 'node.bitcoin.test') return esplora(facts, ask);
  return host.startsWith('node.') ? node(facts, ask) : [{ message: 'no such host' }, 404];
}
