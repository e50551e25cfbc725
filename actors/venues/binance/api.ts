/** The hosts of Binance, one API for each part, and their limits. */
import type { Apis, RequestOf } from '../../sources/define.ts';
import type { Api, Query } from '../../upstream/request.ts';
import { budgets, faultsOf } from './form.ts';

/** USD-M and COIN-M. */
export type Contracts = 'linear' | 'inverse';
export type PartName = 'spot' | Contracts;

/** Lists of instruments are several MB. */
const api = (weight: number, ...hosts: [string, ...string[]]) =>
  ({
    hosts,
    budgets: budgets(weight),
    faults: faultsOf('Binance'),
    maxBody: 32 * 2 ** 20,
  }) satisfies Api;

/** `/futures/data` and the funding lists have limits of their own, for each host and address. */
const contracts = (weight: number, host: string) => {
  const { budgets, ...others } = api(weight, host);
  const own = {
    statistics: { weight: 1000, per: 300_000 },
    funding: { weight: 500, per: 300_000 },
  };
  return { ...others, budgets: { ...budgets, ...own } };
};

const prefixes: Readonly<Record<PartName, string>> = {
  spot: '/api/v3',
  linear: '/fapi/v1',
  inverse: '/dapi/v1',
};

export const apis = {
  spot: api(
    6000,
    // Market data only, served where api.binance.com answers 451.
    'https://data-api.binance.vision',
    'https://api.binance.com',
    'https://api-gcp.binance.com',
    'https://api1.binance.com',
    'https://api2.binance.com',
    'https://api3.binance.com',
    'https://api4.binance.com',
  ),
  linear: contracts(2400, 'https://fapi.binance.com'),
  // Sources disagree, from 1200 to 6000; the header corrects it.
  inverse: contracts(1200, 'https://dapi.binance.com'),
} as const satisfies Apis;

export type Ask = RequestOf<typeof apis>;

/** Each part is an API of its own. */
export const get = (part: PartName, path: string, weight: number, query: Query = {}): Ask => ({
  api: part,
  path: `${prefixes[part]}${path}`,
  query,
  weight,
});
