/** `premiumIndex`, `fundingInfo`, `fundingRate` and `openInterest` of perpetual contracts. */
import type { DerivativeRow } from '../../../../actors/topics/index.ts';
import { jsonText } from '../../../answers/json.ts';
import { questionOf } from '../../../answers/queries.ts';
import type { Dated } from '../../../views/market-rows.ts';
import { apiError, kit, params, s } from '../../kit.ts';
import { range } from './candles.ts';
import { decimalOrNull, exchange, form } from './form.ts';
import { type Context, contracts, type Listed, type Listing, marketOf, newest } from './markets.ts';

const { at, part } = contracts;
const around = { noEnvelope: form } as const;

/** Mark prices and rates are written with eight digits. */
const digits = 8;

const id = s.ownId;

const premium = s.named(
  'BinancePremium',
  s.object({
    symbol: id,
    markPrice: s.stringOrNull('In quote.'),
    indexPrice: s.stringOrNull('In quote.'),
    lastFundingRate: s.stringOrNull('A fraction, charged at `nextFundingTime`.'),
    nextFundingTime: s.integerOrNull('Unix ms.'),
    time: s.integer('Unix ms.'),
  }),
);

const premiumOf = (row: Dated<DerivativeRow>, listed: Listed): s.Static<typeof premium> => ({
  symbol: listed.id,
  markPrice: listed.price(row.mark, digits),
  indexPrice: listed.price(row.index, digits),
  lastFundingRate: decimalOrNull(row.funding_rate, digits),
  nextFundingTime: row.next_funding,
  time: row.stated ?? row.received,
});

const premiumIndex = ({ fundingRows: rows }: Context, listing: Listing): kit.Route =>
  newest(
    { rows, listing, api: contracts },
    {
      path: `${at}/premiumIndex`,
      summary: 'Mark price, index price and running funding rate of one contract or of all',
      answer: premium,
      what: 'mark price',
      read: premiumOf,
    },
  );

const hoursOf = s.object({
  symbol: id,
  fundingIntervalHours: s.integer('Hours between two fundings.'),
});

const fundingInfo = ({ instruments }: Context, listing: Listing): kit.Route =>
  kit.document({
    ...around,
    path: `${at}/fundingInfo`,
    summary: 'Hours between two fundings, of every contract',
    params: {},
    answer: s.list(hoursOf),
    source: instruments.source,
    build() {
      const all = [...listing.all().values()];
      if (all.length === 0) return null;
      return all.flatMap(({ id: name, instrument: { funding_hours: hours } }) =>
        hours === null ? [] : [{ symbol: name, fundingIntervalHours: hours }],
      );
    },
  });

const interest = s.object({
  symbol: id,
  openInterest: s.stringOrNull('Base assets, one side.'),
  time: s.integer('Unix ms.'),
});

const openInterest = ({ interestRows }: Context, listing: Listing): kit.Route =>
  kit.document({
    ...around,
    path: `${at}/openInterest`,
    summary: 'Open interest of one contract',
    params: { symbol: marketOf(listing) },
    answer: interest,
    source: interestRows.source,
    keysOf: ({ listed }) => interestRows.keysOf(exchange, [listed.instrument.symbol]),
    build({ symbol: name, listed }) {
      const row = interestRows.one(exchange, part, name);
      if (row === null) return apiError('warming_up', `${name} has no open interest at present`);
      const openInterest = listed.quantity(row.units);
      const answer = { symbol: name, openInterest, time: row.stated ?? row.received };
      return jsonText(answer, row.received);
    },
  });

const settled = s.object({
  symbol: id,
  fundingTime: s.integer('Unix ms, to the full minute.'),
  fundingRate: s.stringOrNull('A fraction.'),
  markPrice: s.stringOrNull('At the settlement; null where it is not stated.'),
});

const fundingRate = (listing: Listing): kit.Route =>
  kit.queried({
    ...around,
    fails: ['upstream_failed'],
    path: `${at}/fundingRate`,
    summary: 'Settled funding rates of one contract',
    params: { symbol: marketOf(listing), ...range, limit: params.limit(100, 1_000, 'Most rows.') },
    answer: s.list(settled, 'Ascending by time.'),
    query: ({ symbol: name, listed, startTime, endTime, limit }) =>
      questionOf({
        source: exchange,
        name: 'fundingHistory',
        params: { market: name, kind: 'perpetual', limit, from: startTime, to: endTime },
        what: `the fundings of ${name}`,
        variant: 'binance',
        data: ({ points }) =>
          points.map(({ timestamp, rate, mark = null }) => ({
            symbol: name,
            fundingTime: timestamp,
            fundingRate: decimalOrNull(rate, digits),
            markPrice: listed.price(mark, digits),
          })),
      }),
  });

/** What contracts have besides prices. */
export const contractRoutes = (context: Context, listing: Listing): kit.Route[] => [
  premiumIndex(context, listing),
  fundingInfo(context, listing),
  fundingRate(listing),
  openInterest(context, listing),
];
