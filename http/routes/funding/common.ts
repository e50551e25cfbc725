/** Fields that the rows about funding share. */
import * as s from '../../../actors/topics/schema.ts';

export const group = 'Funding';
export const common = { method: 'GET', group, access: 'key' } as const;

export const annualized = s.number('Rate of 365 days, a fraction, without interest on interest.');
export const open_interest_usd = s.numberOrNull('One side, USD.');
export const volume_24h_usd = s.numberOrNull('Turnover of 24 hours, USD.');
