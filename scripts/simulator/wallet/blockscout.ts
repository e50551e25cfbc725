/** Blockscout v2: the tokens of a wallet, one instance a chain. https://docs.blockscout.com/devs/apis/rest */
import { formatUnits } from 'viem';
import type { EvmChainId } from '../../../config/chains.ts';
import { source } from '../defi/source.ts';
import { plain } from '../format.ts';
import { type Ask, Refused, type SimulatedVenue } from '../venue.ts';
import { dollarsOf, type Holding, holdingsOf, isSeen } from './holdings.ts';

const hosts = {
  ethereum: 'eth.blockscout.com',
  base: 'base.blockscout.com',
  arbitrum: 'arbitrum.blockscout.com',
  polygon: 'polygon.blockscout.com',
  optimism: 'explorer.optimism.io',
} as const satisfies Partial<Record<EvmChainId, string>>;
type Chain = keyof typeof hosts;

/** Rows of a page. */
const most = 50;
/** Its prices are some minutes old; rows keep their order for as long, from page to page. */
const priced = 600_000;

interface Row extends Holding {
  /** US dollars of one coin; null where it has no price. */
  rate: number | null;
  /** US dollars of all of them. */
  worth: number;
}

function rowOf({ token, raw }: Holding, { model, now }: Ask): Row {
  const at = Math.floor(now / priced) * priced;
  const rate = token.known ? dollarsOf(model, token, at) : null;
  return { token, raw, rate, worth: (rate ?? 0) * Number(formatUnits(raw, token.decimals)) };
}

const itemOf = ({ token, raw, rate }: Row) => ({
  token: {
    address_hash: token.address,
    decimals: String(token.decimals),
    exchange_rate: rate === null ? null : plain(rate, 18),
    name: token.name,
    reputation: token.scam ? 'scam' : 'ok',
    symbol: token.symbol,
    type: 'ERC-20',
  },
  token_id: null,
  value: String(raw),
});

/** Tokens worth most first; a page begins behind the count that the keys of the one before state. */
function tokens(chain: Chain, ask: Ask) {
  const address = ask.query.get('address') ?? '';
  if (!/^0x[0-9a-f]{40}$/i.test(address)) {
    throw new Refused(422, { errors: [{ title: 'Invalid value', detail: 'Invalid format' }] });
  }
  if (!isSeen(address)) throw new Refused(404, { message: 'Not found' });
  const rows = holdingsOf(chain, address).map((one) => rowOf(one, ask));
  rows.sort((a, b) => b.worth - a.worth);
  const from = Number(ask.query.get('items_count') ?? 0);
  const more = from + most < rows.length;
  return {
    items: rows.slice(from, from + most).map(itemOf),
    next_page_params: more ? { items_count: from + most, fiat_value: null } : null,
  };
}

const instance = (chain: Chain): SimulatedVenue =>
  source(`blockscout-${chain}`, hosts[chain], {
    '/api/v2/addresses/{address}/tokens': (ask) => tokens(chain, ask),
  });

const chains: readonly Chain[] = ['ethereum', 'base', 'arbitrum', 'polygon', 'optimism'];

export const blockscout: readonly SimulatedVenue[] = chains.map(instance);
