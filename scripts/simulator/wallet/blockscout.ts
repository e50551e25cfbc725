/**
 * Blockscout v2: one instance a chain, and the host of all chains. https://docs.blockscout.com/devs/apis/rest
 * The host of all chains wants a key. A request's headers are not seen here, so that one without `apikey` in its query
 * counts as having sent it in `Authorization`; only a key that cannot be one is refused.
 */
import { formatUnits, getAddress } from 'viem';
import { chains, type EvmChainId, evmChainIds } from '../../../config/chains.ts';
import { heightAt } from '../chains/ledger.ts';
import { source } from '../defi/source.ts';
import { plain } from '../format.ts';
import { mix, seedOf } from '../noise.ts';
import { type Ask, Refused, type SimulatedVenue } from '../venue.ts';
import { evmDigits, showcase } from './accounts.ts';
import type { Holding } from './holdings.ts';
import { type Portfolio, portfolioAt } from './portfolio.ts';
import { dollarsOf } from './prices.ts';
import { natives } from './tokens.ts';

/** Chains with an instance, and its host. */
export const blockscoutHosts = {
  ethereum: 'eth.blockscout.com',
  base: 'base.blockscout.com',
  arbitrum: 'arbitrum.blockscout.com',
  polygon: 'polygon.blockscout.com',
  optimism: 'optimism.blockscout.com',
} as const satisfies Partial<Record<EvmChainId, string>>;

type BlockscoutChain = keyof typeof blockscoutHosts;
const isCovered = (chain: EvmChainId): chain is BlockscoutChain =>
  Object.hasOwn(blockscoutHosts, chain);
const covered = evmChainIds.filter(isCovered);

/** Rows of a page. */
const most = 50;
/** Its prices are some minutes old; rows keep their order for as long, from page to page. */
const priced = 600_000;

interface Row extends Holding {
  id: number;
  /** US dollars of one coin and of all of them; null where it has no price. */
  rate: number | null;
  fiat: number | null;
}

/** The balance that a page begins behind: the row's place in the order. */
type Key = Pick<Row, 'fiat' | 'raw' | 'id'>;

const descending = <T extends number | bigint>(a: T, b: T): number => (a > b ? -1 : a < b ? 1 : 0);

/** Worth most first, what has no price last. */
const order = (a: Key, b: Key): number =>
  descending(a.fiat ?? -1, b.fiat ?? -1) || descending(a.raw, b.raw) || descending(a.id, b.id);

function rowOf({ token, raw }: Holding, index: number, { model, now }: Ask): Row {
  const at = Math.floor(now / priced) * priced;
  const rate = token.known ? dollarsOf(model, token, at) : null;
  const coins = Number(formatUnits(raw, token.decimals ?? 0));
  const id = 1e5 * (mix(seedOf(0, token.address), 3) % 1e5) + index;
  return { token, raw, id, rate, fiat: rate === null ? null : rate * coins };
}

/** The address in a path, in lower case; throws a refusal for what is none. */
function asked({ path }: Ask): string {
  const [, address = ''] = /\/addresses\/([^/]+)/.exec(path) ?? [];
  if (evmDigits(address) !== null) return address.toLowerCase();
  const detail = 'Invalid format. Expected ~r/^0x([A-Fa-f0-9]{40})$/';
  const source = { pointer: '/address_hash' };
  throw new Refused(422, { errors: [{ title: 'Invalid value', source, detail }] });
}

function portfolioOf(chain: BlockscoutChain, ask: Ask): Portfolio {
  const found = portfolioAt(chain, asked(ask), ask);
  if (!found) throw new Refused(404, { message: 'Not found' });
  return found;
}

/** Facts of an account that is a contract with a name, and of one that is neither. */
const delegate = '0x5A7FC11397E9a8AD41BF10bf13F22B0a63f96f6d';
const named = {
  creation_status: 'success',
  ens_domain_name: 'vitalik.eth',
  implementations: [{ address_hash: delegate, name: 'AmbireAccount7702' }],
  is_contract: true,
  is_verified: true,
  proxy_type: 'eip7702',
};
const plainAccount: Readonly<Record<keyof typeof named, unknown>> = {
  creation_status: null,
  ens_domain_name: null,
  implementations: [],
  is_contract: false,
  is_verified: false,
  proxy_type: null,
};

function address(chain: BlockscoutChain, ask: Ask) {
  const { native, tokens } = portfolioOf(chain, ask);
  const hash = getAddress(asked(ask));
  const { symbol, rest } = natives[chain];
  const coin = { coin: symbol, rest, name: null };
  return {
    block_number_balance_updated_at: heightAt(chain, ask.now) - 5,
    coin_balance: String(native),
    creation_transaction_hash: null,
    creator_address_hash: null,
    exchange_rate: plain(dollarsOf(ask.model, coin, Math.floor(ask.now / priced) * priced), 6),
    has_beacon_chain_withdrawals: false,
    has_logs: false,
    has_token_transfers: tokens.length > 0,
    has_tokens: tokens.length > 0,
    has_validated_blocks: false,
    hash,
    is_scam: false,
    metadata: null,
    name: null,
    private_tags: [],
    public_tags: [],
    reputation: 'ok',
    token: null,
    watchlist_address_id: null,
    watchlist_names: [],
    ...(hash === showcase.evm ? named : plainAccount),
  };
}

function itemOf({ token, raw, rate }: Row) {
  const { address, symbol, name, decimals, scam } = token;
  const seed = seedOf(0, address);
  return {
    token: {
      address_hash: address,
      circulating_market_cap: rate === null ? null : plain(rate * 1e8, 2),
      decimals: decimals === null ? null : String(decimals),
      exchange_rate: rate === null ? null : plain(rate, 18),
      holders_count: String(10 + (mix(seed, 4) % 100_000)),
      icon_url: null,
      name,
      reputation: scam ? 'scam' : 'ok',
      symbol,
      total_supply: String(raw * 1000n),
      type: 'ERC-20',
      volume_24h: rate === null ? null : plain(rate * 1e6, 2),
    },
    token_id: null,
    token_instance: null,
    value: String(raw),
  };
}

function rowsOf(chain: BlockscoutChain, ask: Ask): Row[] {
  const rows = portfolioOf(chain, ask).tokens.map((one, index) => rowOf(one, index, ask));
  const type = ask.query.get('type');
  // No wallet holds tokens of another type.
  return type && !type.split(',').includes('ERC-20') ? [] : rows.sort(order);
}

/** Where the page begins; null for the first, which is also what a part of the keys gives. */
function keyOf({ query }: Ask): Key | null {
  const [fiat, value, id] = ['fiat_value', 'value', 'id'].map((name) => query.get(name));
  if (fiat == null || !value || !id) return null;
  if (!/^\d+$/.test(value) || !/^\d+$/.test(id) || !Number.isFinite(Number(fiat))) return null;
  return { fiat: fiat === '' ? null : Number(fiat), raw: BigInt(value), id: Number(id) };
}

function tokens(chain: BlockscoutChain, ask: Ask) {
  const key = keyOf(ask);
  const left = rowsOf(chain, ask).filter((row) => !key || order(key, row) < 0);
  const page = left.slice(0, most);
  const last = left.length > most ? page.at(-1) : undefined;
  const next = last && {
    fiat_value: last.fiat === null ? null : String(last.fiat),
    id: last.id,
    items_count: most,
    value: String(last.raw),
  };
  return { items: page.map(itemOf), next_page_params: next ?? null };
}

const balances = (chain: BlockscoutChain, ask: Ask) => rowsOf(chain, ask).map(itemOf);

const paths = [
  ['', address],
  ['/tokens', tokens],
  ['/token-balances', balances],
] as const;

const instance = (chain: BlockscoutChain): SimulatedVenue =>
  source({
    id: `blockscout-${chain}`,
    hosts: [blockscoutHosts[chain]],
    most: 180,
    limited: { message: '429 Too Many Requests' },
    answers: paths.map(([end, answer]) => [
      new RegExp(`^/api/v2/addresses/[^/]+${end}$`),
      (ask) => answer(chain, ask),
    ]),
  });

const refuse = (status: number, error: string) =>
  new Refused(status, { error, source: 'internal' });

/** What the host of all chains makes of a request before it passes it on. */
function chainOf({ path, query }: Ask): BlockscoutChain {
  const key = query.get('apikey');
  if (key !== null && !key.startsWith('proapi_')) throw refuse(401, 'Invalid API key');
  const [, id] = path.split('/');
  const chain = covered.find((one) => String(chains[one].identity) === id);
  if (!chain) throw refuse(404, 'Network not supported');
  return chain;
}

const everyChain = source({
  id: 'blockscout',
  hosts: ['api.blockscout.com'],
  most: 300,
  limited: { error: 'Too many requests', source: 'internal' },
  answers: paths.map(([end, answer]) => [
    new RegExp(`^/\\d+/api/v2/addresses/[^/]+${end}$`),
    (ask) => answer(chainOf(ask), ask),
  ]),
});

/** The instances, and the host of all chains. */
export const blockscout: readonly SimulatedVenue[] = [...covered.map(instance), everyChain];
