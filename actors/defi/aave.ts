/**
 * Aave v3 read on its own contracts: the second source of lending rates. One multicall for each of three steps
 * (`located`, `listed`, `read`). https://aave.com/docs/aave-v3/smart-contracts/view-contracts
 */
import type { Address, Hex } from 'viem';
import { decodeFunctionResult, encodeFunctionData, formatUnits, parseAbi } from 'viem/utils';
import type { Call } from '../chains/multicall.ts';
import { ShapeError } from '../failure.ts';
import { label } from '../providers/read.ts';
import { evmAddress } from '../providers/uniswap.ts';
import { required } from '../read.ts';
import type { Parsed } from '../sources/define.ts';
import type { LendingPool } from '../topics/defi.ts';

export const aaveAbi = parseAbi([
  'struct Token { string symbol; address tokenAddress; }',
  'function getPoolDataProvider() view returns (address)',
  'function getPriceOracle() view returns (address)',
  'function getAllReservesTokens() view returns (Token[])',
  'function getReserveData(address asset) view returns (uint256 unbacked, uint256 accruedToTreasuryScaled, uint256 totalAToken, uint256 totalStableDebt, uint256 totalVariableDebt, uint256 liquidityRate, uint256 variableBorrowRate, uint256 stableBorrowRate, uint256 averageStableBorrowRate, uint256 liquidityIndex, uint256 variableBorrowIndex, uint40 lastUpdateTimestamp)',
  'function getReserveConfigurationData(address asset) view returns (uint256 decimals, uint256 ltv, uint256 liquidationThreshold, uint256 liquidationBonus, uint256 reserveFactor, bool usageAsCollateralEnabled, bool borrowingEnabled, bool stableBorrowRateEnabled, bool isActive, bool isFrozen)',
  'function getAssetPrice(address asset) view returns (uint256)',
]);

const elsewhere: Address = '0xa97684ead0e402dC232d5A977953DF7ECBaB3CDb';

/** By chain, the PoolAddressesProvider: it never changes and knows the contracts that do. */
export const aaveMarkets = {
  ethereum: '0x2f39d218133AFaB8F2B819B1066c7E434Ad94E9e',
  base: '0xe20fCBdBfFC4Dd138cE8b2E6FBb6CB49777ad64D',
  arbitrum: elsewhere,
  polygon: elsewhere,
  optimism: elsewhere,
  avalanche: elsewhere,
  bsc: '0xff75B6da14FfbbfD355Daf7a2731456b3562Ba6D',
} as const satisfies Readonly<Record<string, Address>>;

/** A chain on which Aave v3 is read. */
export type AaveChain = keyof typeof aaveMarkets;

/** The decoded bytes; undefined where they have another form. */
function decoded<T>(decode: () => T): T | undefined {
  try {
    return decode();
  } catch {
    return undefined;
  }
}

/** Contracts of a market that each upgrade of the protocol may replace. */
export interface AaveContracts {
  chain: AaveChain;
  dataProvider: Address;
  oracle: Address;
}

/** Step 1, rarely: where the contracts are. */
export const located = {
  calls(chain: AaveChain): Call[] {
    const to = aaveMarkets[chain];
    const names = ['getPoolDataProvider', 'getPriceOracle'] as const;
    return names.map((functionName) => ({
      to,
      data: encodeFunctionData({ abi: aaveAbi, functionName }),
    }));
  },
  /** Throws ShapeError when one of them is not known. */
  read([provider, oracle]: readonly (Hex | null)[], chain: AaveChain): AaveContracts {
    const names = ['getPoolDataProvider', 'getPriceOracle'] as const;
    const [one, other] = [provider, oracle].map((data, at) => {
      const functionName = names[at];
      if (!data || !functionName) return null;
      return evmAddress(decoded(() => decodeFunctionResult({ abi: aaveAbi, functionName, data })));
    });
    if (!one || !other) throw new ShapeError(`Aave on ${chain}: no data provider or no oracle`);
    return { chain, dataProvider: one, oracle: other };
  },
};

/** An asset of a market. */
export interface Reserve {
  symbol: string;
  /** Lower case. */
  token: Address;
}

/** Most reserves that are read of a market; there were about 60 in the largest. */
const mostReserves = 200;

/** Step 2: which assets the market has. */
export const listed = {
  calls: ({ dataProvider: to }: AaveContracts): Call[] => [
    { to, data: encodeFunctionData({ abi: aaveAbi, functionName: 'getAllReservesTokens' }) },
  ],
  /** Throws ShapeError when there is none. */
  read([data]: readonly (Hex | null)[]): Reserve[] {
    const functionName = 'getAllReservesTokens';
    const tokens =
      data && decoded(() => decodeFunctionResult({ abi: aaveAbi, functionName, data }));
    if (!tokens || tokens.length === 0) throw new ShapeError('Aave: no reserves');
    return tokens.slice(0, mostReserves).map(({ symbol, tokenAddress }) => ({
      symbol: label(symbol).toUpperCase(),
      token: evmAddress(tokenAddress) ?? tokenAddress,
    }));
  },
};

const perReserve = ['getReserveData', 'getReserveConfigurationData', 'getAssetPrice'] as const;

/** Through decimal text: dividing by a power of ten that no double holds exactly would cost the last digits. */
const scaled = (value: bigint, decimals: number): number => required(formatUnits(value, decimals));

/** A rate a year in ray (1e27 is 100 %) as percent. Not compounded: DefiLlama states Aave's rates so too. */
export const percentOf = (ray: bigint): number => scaled(ray, 25);

interface Answers {
  data: Hex;
  configuration: Hex;
  price: Hex;
}

/** The three decoded answers about a reserve; undefined where one of them is not readable. */
const figuresOf = ({ data, configuration, price }: Answers) =>
  decoded(() => ({
    state: decodeFunctionResult({ abi: aaveAbi, functionName: 'getReserveData', data }),
    rules: decodeFunctionResult({
      abi: aaveAbi,
      functionName: 'getReserveConfigurationData',
      data: configuration,
    }),
    price: decodeFunctionResult({ abi: aaveAbi, functionName: 'getAssetPrice', data: price }),
  }));

/** Decimals of the prices, which are US dollars. */
const priceDecimals = 8;
/** Most decimals of a token: 10^36 units are more than any has. */
const mostDecimals = 36n;
/** Percent a year above which a rate is an error. */
const maxRate = 1e6;

type Figures = NonNullable<ReturnType<typeof figuresOf>>;

/** Null where the figures are impossible. */
function poolOf({ symbol, token }: Reserve, figures: Figures, at: Stamp): LendingPool | null {
  const { state, rules, price } = figures;
  const [, , supplied, stableDebt, variableDebt, liquidityRate, borrowRate] = state;
  const [decimals, , , , , , borrowable] = rules;
  const [supply, borrow] = [percentOf(liquidityRate), percentOf(borrowRate)];
  const debt = stableDebt + variableDebt;
  const left = supplied > debt ? supplied - debt : 0n;
  if (symbol === '' || decimals > mostDecimals || price === 0n) return null;
  if (supply > maxRate || borrow > maxRate) return null;
  const tvl = scaled(left * price, Number(decimals) + priceDecimals);
  if (!(tvl <= 1e15)) return null;
  return {
    protocol: 'aave-v3',
    chain: at.chain,
    asset: symbol,
    pool_id: `aave-v3:${at.chain}:${token}`,
    supply_apy: supply,
    borrow_apy: borrowable ? borrow : 0,
    tvl_usd: tvl,
    utilization: supplied === 0n ? 0 : Math.min(1, Number(debt) / Number(supplied)),
    reward_apy: null,
    borrowable,
    updated_at: at.received,
  };
}

interface Stamp {
  chain: AaveChain;
  /** Unix ms. */
  received: number;
}

function reading(answers: readonly (Hex | null)[], reserve: Reserve, at: Stamp) {
  const [data, configuration, price] = answers;
  const figures = data && configuration && price ? figuresOf({ data, configuration, price }) : null;
  if (!figures) return null;
  const [, , , , , , , , active, frozen] = figures.rules;
  return active && !frozen ? poolOf(reserve, figures, at) : 'left_out';
}

/** Step 3: rates and amounts of every reserve, three calls each. */
export const read = {
  calls: ({ dataProvider, oracle }: AaveContracts, reserves: readonly Reserve[]): Call[] =>
    reserves.flatMap(({ token }) =>
      perReserve.map((functionName) => ({
        to: functionName === 'getAssetPrice' ? oracle : dataProvider,
        data: encodeFunctionData({ abi: aaveAbi, functionName, args: [token] }),
      })),
    ),
  /** Frozen and inactive reserves are left out. Rewards are not on these contracts: `reward_apy` is null. */
  rows(
    answers: readonly (Hex | null)[],
    reserves: readonly Reserve[],
    at: Stamp,
  ): Parsed<LendingPool> {
    const parsed: Parsed<LendingPool> = { rows: [], dropped: [] };
    for (const [index, reserve] of reserves.entries()) {
      const row = reading(answers.slice(index * 3, index * 3 + 3), reserve, at);
      if (row === 'left_out') continue;
      if (row) parsed.rows.push(row);
      else parsed.dropped.push({ key: reserve.token, code: 'bad_row' });
    }
    return parsed;
  },
};
