/** Frankfurter: the daily fixings of the European Central Bank. https://frankfurter.dev */
import { dateOf, dayAt, dayLength, dayOf } from '../../indicators/market/days.ts';
import { dollarIndex } from '../../indicators/market/dollar-index.ts';
import { field, isRecord, positive } from '../read.ts';
import {
  type Apis,
  defineSource,
  type Poll,
  perMinute,
  type RequestOf,
  readRows,
  record,
} from '../sources/define.ts';
import type { AssetDay } from './assets.ts';

const currencies = ['EUR', 'JPY', 'GBP', 'CAD', 'SEK', 'CHF'];

/** Units of each currency for a dollar by date, of which the ICE dollar index is made. */
const dollar: Poll<AssetDay, Request> = {
  requests({ now, from = 0, to = dayAt(now) - dayLength }) {
    const query = { base: 'USD', symbols: currencies.join(',') };
    return [{ api: 'rest', path: `/v1/${dateOf(from)}..${dateOf(to)}`, query }];
  },
  parse([body]) {
    const rates = record(field(body, 'rates'), 'rates');
    return readRows(
      Object.entries(rates).map(([date, day]) => ({ date, day })),
      ({ date }) => String(date),
      ({ date, day }) => {
        const perDollar = isRecord(day) ? day : {};
        const value = dollarIndex({
          eur: positive(perDollar.EUR),
          jpy: positive(perDollar.JPY),
          gbp: positive(perDollar.GBP),
          cad: positive(perDollar.CAD),
          sek: positive(perDollar.SEK),
          chf: positive(perDollar.CHF),
        });
        const at = dayOf(date);
        return at > 0 && value > 0 ? { asset: 'dxy' as const, day: at, value } : null;
      },
    );
  },
};

const apis = {
  rest: { hosts: ['https://api.frankfurter.dev'], budgets: perMinute(10) },
} as const satisfies Apis;

type Request = RequestOf<typeof apis>;

export const frankfurter = defineSource({
  id: 'frankfurter',
  name: 'European Central Bank by Frankfurter',
  apis,
  polls: { dollar },
});
