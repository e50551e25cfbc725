/** DefiLlama, prices of coins and tokens. https://api-docs.defillama.com */
import { type ChainId, chains } from '../../../config/chains.ts';
import { hour } from '../../../config/time.ts';
import { ShapeError } from '../../failure.ts';
import { asRow, field, required } from '../../read.ts';
import { record } from '../../sources/define.ts';
import type { UpstreamAnswer } from '../../upstream/request.ts';
import { tokenKey } from '../holding.ts';
import { amount, label } from '../read.ts';
import type { Request } from './api.ts';

/** The source's data on a token or coin. */
export interface Coin {
  symbol: string;
  /** US dollars; null where the source is unsure or has not looked lately. */
  price: number | null;
}

/** From 0 to 1; a price with less confidence is ignored. */
const leastConfidence = 0.5;
/** A price this old is ignored, ms. */
const oldest = 6 * hour;

/** Its word for a chain where it differs from the service's. */
const words: Partial<Record<ChainId, string>> = { avalanche: 'avax' };

/** Its ids of the native coins, by symbol; the second of POL is the one from before the coin was renamed. */
const natives: Readonly<Record<(typeof chains)[ChainId]['native'], readonly string[]>> = {
  ETH: ['coingecko:ethereum'],
  BNB: ['coingecko:binancecoin'],
  SOL: ['coingecko:solana'],
  BTC: ['coingecko:bitcoin'],
  POL: ['coingecko:polygon-ecosystem-token', 'coingecko:matic-network'],
  AVAX: ['coingecko:avalanche-2'],
};

const request = (keys: readonly string[]): Request => ({
  api: 'coins',
  path: `/prices/current/${keys.join(',')}`,
});

/** Asks for tokens; 60 of them make an address of 4 kB. */
export const coinsRequest = (chain: ChainId, contracts: readonly string[]): Request =>
  request(contracts.map((contract) => `${words[chain] ?? chain}:${contract}`));

/** Asks for all native coins, so that wallets of every chain share the request. */
export const nativesRequest: Request = request(Object.values(natives).flat());

/** With more than this share of coins without a number as price or time the body is another than is documented. */
const mostUnreadable = 0.2;

const isReadable = (value: unknown): boolean => {
  const { price, timestamp } = asRow(value);
  return !Number.isNaN(required(price)) && !Number.isNaN(required(timestamp));
};

function coin(value: unknown, received: number): Coin {
  const row = asRow(value);
  const [price, age] = [amount(row.price), received - required(row.timestamp) * 1_000];
  const sure = price > 0 && required(row.confidence) >= leastConfidence && age < oldest;
  return { symbol: label(row.symbol), price: sure ? price : null };
}

/** Reads tokens, by `tokenKey`. Unknown tokens are absent. Throws ShapeError. */
export function parseCoins(
  { body, received }: Pick<UpstreamAnswer, 'body' | 'received'>,
  chain: ChainId,
): ReadonlyMap<string, Coin> {
  const coins = Object.entries(record(field(body, 'coins'), 'coins'));
  const unreadable = coins.filter(([, value]) => !isReadable(value)).length;
  if (unreadable > mostUnreadable * coins.length) {
    throw new ShapeError(`${unreadable} of ${coins.length} coins are unreadable`);
  }
  // Its keys come as they were asked, chain first; those of EVM chains possibly in another case.
  return new Map(
    coins.map(([key, value]) => [
      tokenKey(chain, key.slice(key.indexOf(':') + 1)),
      coin(value, received),
    ]),
  );
}

/** Reads the price of a chain's native coin, or null. */
export function parseNative(
  { body, received }: Pick<UpstreamAnswer, 'body' | 'received'>,
  chain: ChainId,
): number | null {
  const coins = record(field(body, 'coins'), 'coins');
  const prices = natives[chains[chain].native].map((key) => coin(coins[key], received).price);
  return prices.find((price) => price !== null) ?? null;
}
