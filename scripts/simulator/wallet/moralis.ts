/**
 * Moralis: tokens of a wallet on bsc and avalanche. https://docs.moralis.com/web3-data-api/evm/reference/wallet-api
 * It wants a key in a header, which is not seen here: every request counts as having one.
 */
import { formatUnits } from 'viem';
import type { EvmChainId } from '../../../config/chains.ts';
import { heightAt } from '../chains/ledger.ts';
import { count, source } from '../defi/source.ts';
import { round } from '../defi/world.ts';
import { type Ask, Refused } from '../venue.ts';
import { evmDigits } from './accounts.ts';
import { portfolioAt } from './portfolio.ts';
import { dollarsOf } from './prices.ts';
import { natives, type WalletToken } from './tokens.ts';

/** What it calls the chains. */
const words: ReadonlyMap<string, EvmChainId> = new Map([
  ['bsc', 'bsc'],
  ['0x38', 'bsc'],
  ['avalanche', 'avalanche'],
  ['0xa86a', 'avalanche'],
]);

/** The address that stands for native coins. */
const nativeAddress = `0x${'e'.repeat(40)}`;

const refuse = (message: string) => new Refused(400, { message });

interface Row {
  token: Pick<WalletToken, 'address' | 'symbol' | 'name' | 'decimals' | 'scam'>;
  raw: bigint;
  /** US dollars of one coin, or null. */
  price: number | null;
  native: boolean;
}

function rowsOf(chain: EvmChainId, ask: Ask): Row[] {
  const address = ask.path.split('/')[4] ?? '';
  if (evmDigits(address) === null) {
    throw refuse(`address with value '${address}' is not a valid hex address`);
  }
  const { native, tokens } = portfolioAt(chain, address, ask) ?? { native: 0n, tokens: [] };
  const { symbol, rest } = natives[chain];
  const own = { address: nativeAddress, symbol, name: symbol, decimals: 18, scam: false };
  const price = dollarsOf(ask.model, { coin: symbol, rest, name: null }, ask.now);
  const dropped = ask.query.get('exclude_spam') === 'true';
  const rows = tokens.map(({ token, raw }) => ({
    token,
    raw,
    price: token.known ? dollarsOf(ask.model, token, ask.now) : null,
    native: false,
  }));
  const shown = rows.filter(({ token }) => !dropped || !token.scam);
  const first = { token: own, raw: native, price, native: true };
  return ask.query.get('exclude_native') === 'true' ? shown : [first, ...shown];
}

const logo = 'https://cdn.moralis.io/eth/0x.png';
const ofNative = { logo, thumbnail: logo.replace('0x', '0x_thumb'), verified_contract: true };
const ofToken = { logo: null, thumbnail: null, verified_contract: false };

const supplyOf = ({ native, raw, token }: Row) =>
  native
    ? {
        total_supply: null,
        total_supply_formatted: null,
        percentage_relative_to_total_supply: null,
      }
    : {
        total_supply: String(raw * 1000n),
        total_supply_formatted: formatUnits(raw * 1000n, token.decimals ?? 0),
        percentage_relative_to_total_supply: 0.1,
      };

const coinsIn = ({ token, raw }: Row) => formatUnits(raw, token.decimals ?? 0);
const worthOf = (row: Row) => (row.price === null ? null : row.price * Number(coinsIn(row)));
const part = (value: number | null, of: number) => (value === null ? null : value * of);

function resultOf(row: Row, total: number) {
  const { token, raw, price, native } = row;
  const value = worthOf(row);
  return {
    token_address: token.address.toLowerCase(),
    symbol: token.symbol,
    name: token.name,
    decimals: token.decimals ?? 0,
    balance: String(raw),
    possible_spam: token.scam,
    security_score: null,
    balance_formatted: coinsIn(row),
    usd_price: price,
    usd_price_24hr_percent_change: part(price && 1, 0.5),
    usd_price_24hr_usd_change: part(price, 0.005),
    usd_value: value,
    usd_value_24hr_usd_change: part(value, 0.005),
    native_token: native,
    portfolio_percentage: round((100 * (value ?? 0)) / total, 4),
    ...supplyOf(row),
    ...(native ? ofNative : ofToken),
  };
}

/** A cursor says where the page begins. */
const cursorOf = (from: number) => Buffer.from(JSON.stringify({ from })).toString('base64url');

function beginning(cursor: string | null): number {
  if (!cursor) return 0;
  const [, from] = /^\{"from":(\d{1,6})\}$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (from === undefined) throw refuse('Invalid cursor');
  return Number(from);
}

function tokens(ask: Ask) {
  const chain = words.get((ask.query.get('chain') ?? '').toLowerCase());
  if (!chain)
    throw refuse("chain must be a valid enum value: 'bsc', '0x38', 'avalanche', '0xa86a'");
  const rows = rowsOf(chain, ask);
  const from = beginning(ask.query.get('cursor'));
  const size = count(ask, 'limit', [100, 100]);
  const total = rows.reduce((sum, row) => sum + (worthOf(row) ?? 0), 0);
  return {
    page: Math.floor(from / size) + 1,
    page_size: size,
    block_number: heightAt(chain, ask.now),
    cursor: from + size < rows.length ? cursorOf(from + size) : null,
    result: rows.slice(from, from + size).map((row) => resultOf(row, total || 1)),
  };
}

export const moralis = source({
  id: 'moralis',
  hosts: ['deep-index.moralis.io'],
  most: 600,
  answers: [[/^\/api\/v2\.2\/wallets\/[^/]+\/tokens$/, tokens]],
});
