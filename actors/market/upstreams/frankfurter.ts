/** Frankfurter: the daily fixings of the European Central Bank. https://frankfurter.dev */
import { isRecord, positive } from '../../read.ts';
import { field } from '../../venues/rows.ts';
import type { AssetDay } from '../assets.ts';
import { dateOf, dayAt, dayLength, dayOf } from '../days.ts';
import { dollarIndex } from '../formulas/dollar-index.ts';
import { defineUpstream, type Figure, noFaults, perMinute, readRows, record } from '../upstream.ts';

const currencies = ['EUR', 'JPY', 'GBP', 'CAD', 'SEK', 'CHF'];

/** Units of each currency for a dollar by date, of which the ICE dollar index is made. */
const dollar: Figure<AssetDay> = {
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

export const frankfurter = defineUpstream({
  id: 'frankfurter',
  name: 'European Central Bank by Frankfurter',
  apis: {
    rest: { hosts: ['https://api.frankfurter.dev'], budgets: perMinute(10), fault: noFaults },
  },
  figures: { dollar },
});
