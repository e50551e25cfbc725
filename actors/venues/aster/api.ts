/** The two APIs of Aster. https://github.com/asterdex/api-docs */
import type { Apis, RequestOf } from '../../sources/define.ts';
import type { Api, Query } from '../../upstream/request.ts';
import { budgets, faultsOf } from '../binance/form.ts';

export type PartName = 'spot' | 'linear';

const api = (host: string, weight: number) =>
  ({
    hosts: [host],
    budgets: budgets(weight),
    faults: faultsOf('Aster'),
  }) as const satisfies Api;

export const apis = {
  // The documentation's examples disagree, from 1200 to 6000; the header corrects it.
  spot: api('https://sapi.asterdex.com', 1200),
  linear: api('https://fapi.asterdex.com', 2400),
} as const satisfies Apis;

export type Ask = RequestOf<typeof apis>;

export const get = (part: PartName, path: string, weight: number, query: Query = {}): Ask => ({
  api: part,
  path: `${part === 'spot' ? '/api/v3' : '/fapi/v3'}${path}`,
  query,
  weight,
});
