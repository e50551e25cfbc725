/** DefiLlama's free APIs, a host each. https://api-docs.defillama.com */
import { type Apis, perMinute, type RequestOf } from '../../sources/define.ts';

export const apis = {
  rest: {
    hosts: ['https://api.llama.fi'],
    budgets: perMinute(30),
    maxBody: 64_000_000,
  },
  stablecoins: {
    hosts: ['https://stablecoins.llama.fi'],
    budgets: perMinute(30),
    maxBody: 16_000_000,
  },
  /** Changes hourly, at about minute 22. */
  yields: { hosts: ['https://yields.llama.fi'], budgets: perMinute(10), maxBody: 64_000_000 },
  /** The same bodies as those of `yields`, which is made of them. */
  'yields-origin': {
    hosts: ['https://defillama-datasets.llama.fi'],
    budgets: perMinute(10),
    maxBody: 64_000_000,
  },
  coins: { hosts: ['https://coins.llama.fi'], budgets: perMinute(300), maxBody: 1_000_000 },
} as const satisfies Apis;

export type Request = RequestOf<typeof apis>;
