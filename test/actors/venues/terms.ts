/** The units and forms of each part of each venue, as the simulator answers for it. */
import type { FailureCode } from '../../../actors/failure.ts';
import type { VenueId } from '../../../actors/venues/registry.ts';

/** Funding: the end of the interval of the stated rate, the hours that the rate is for, the time it is charged. */
export interface Charge {
  /** End of the market's own interval, of the running hour, of eight hours, of the hour before, or of the eight hours before. */
  of: 'own' | 'hour' | 'eight' | 'last hour' | 'last eight';
  hours: 'own' | 1 | 8;
  next: 'own' | 'hour' | 'eight';
}

export interface Terms {
  /** Columns that no row has: `prices.change`; `book.stated` and `candles.turnover` of the queries. */
  lacks: readonly string[];
  /** Columns that only some rows have: those of linear contracts. */
  linearOnly: readonly string[];
  charge: Charge;
  /** 24 h volume: the venue's own in quote, its base volume at the last price, or dollars whatever the quote. */
  volume: 'quote' | 'worth' | 'dollars';
  /** Largest relative errors, where the wire rounds. */
  errors: Readonly<Record<'price' | 'volume' | 'change' | 'mark' | 'units' | 'value', number>>;
  /** Milliseconds between the moment of the world and the time that rows state. */
  late: number;
  /** True where the index is the mark price. */
  oracle: boolean;
}

const own: Charge = { of: 'own', hours: 'own', next: 'own' };
const hourly: Charge = { of: 'hour', hours: 1, next: 'hour' };
const eight: Charge = { of: 'eight', hours: 8, next: 'eight' };

/** Turnovers and changes to a millionth; marks and contracts as the ticks and lots of the venues round them. */
const errors: Terms['errors'] = {
  price: 1e-9,
  volume: 1e-6,
  change: 1e-6,
  mark: 1e-5,
  units: 1e-5,
  value: 1e-5,
};
const usual: Terms = {
  lacks: [],
  linearOnly: [],
  charge: own,
  volume: 'quote',
  errors,
  late: 0,
  oracle: false,
};

type Part = Partial<Omit<Terms, 'errors'>> & { errors?: Partial<Terms['errors']> };

interface Row {
  /** What a ban is called. */
  ban: FailureCode;
  /** True where candles are not asked without the time. */
  timed?: true;
  /** By part; one that is not listed has the usual units and forms. */
  parts?: Readonly<Record<string, Part>>;
}

const quoteless = ['prices.bid', 'prices.ask'];
const rangeless = ['prices.high', 'prices.low'];
const untimed = ['prices.stated', 'derivatives.stated', 'openInterest.stated'];
/** Percents of two decimals. */
const percents = { errors: { change: 1e-4 } };
const deribit: Part = {
  lacks: ['derivatives.next_funding'],
  charge: { of: 'last hour', hours: 8, next: 'eight' },
};

const table: Readonly<Record<VenueId, Row>> = {
  aster: { ban: 'banned', parts: { linear: { lacks: quoteless } } },
  backpack: {
    ban: 'blocked',
    timed: true,
    parts: { all: { lacks: ['prices.stated', 'derivatives.stated', ...quoteless] } },
  },
  binance: {
    ban: 'banned',
    parts: {
      spot: { lacks: ['book.stated'] },
      linear: { lacks: quoteless },
      inverse: { lacks: quoteless },
    },
  },
  bingx: {
    ban: 'blocked',
    parts: {
      linear: { lacks: ['candles.turnover'] },
      inverse: {
        lacks: ['funding_rate_8h', 'funding_hours', 'stated'].map((key) => `derivatives.${key}`),
      },
    },
  },
  bitfinex: {
    ban: 'rate_limited',
    parts: {
      all: {
        lacks: ['prices.stated', 'book.stated', 'candles.turnover'],
        charge: { ...eight, of: 'last eight' },
        volume: 'worth',
      },
    },
  },
  bitget: {
    ban: 'blocked',
    parts: Object.fromEntries(
      ['spot', 'usdt-futures', 'usdc-futures', 'coin-futures'].map((part) => [
        part,
        { errors: { change: 1e-5 } },
      ]),
    ),
  },
  bitstamp: { ban: 'blocked', parts: { markets: { lacks: ['candles.turnover'], charge: eight } } },
  bybit: { ban: 'banned' },
  coinbase: {
    ban: 'blocked',
    timed: true,
    parts: {
      spot: { lacks: ['prices.stated', 'candles.turnover', ...quoteless, ...rangeless] },
      perpetual: { lacks: ['prices.change', 'candles.turnover', ...rangeless], charge: hourly },
    },
  },
  cryptocom: {
    ban: 'rate_limited',
    parts: {
      all: {
        ...percents,
        lacks: ['candles.turnover'],
        volume: 'dollars',
        charge: { of: 'own', hours: 1, next: 'hour' },
      },
    },
  },
  deribit: {
    ban: 'rate_limited',
    timed: true,
    parts: { spot: { volume: 'worth' }, linear: deribit, inverse: deribit },
  },
  dydx: {
    ban: 'blocked',
    parts: {
      perp: {
        lacks: [...untimed, 'book.stated', ...quoteless, ...rangeless, 'prices.base'],
        charge: hourly,
        oracle: true,
      },
    },
  },
  gate: {
    ban: 'blocked',
    parts: {
      spot: { ...percents, lacks: ['prices.stated'] },
      usdt: { ...percents, lacks: untimed },
      btc: { ...percents, lacks: untimed },
      usd1: { ...percents, lacks: untimed },
    },
  },
  htx: {
    ban: 'blocked',
    parts: { linear: { lacks: ['openInterest.mark'] }, inverse: { lacks: ['openInterest.mark'] } },
  },
  hyperliquid: {
    ban: 'blocked',
    parts: {
      spot: { lacks: ['prices.stated', 'candles.turnover', ...quoteless, ...rangeless] },
      perp: { lacks: [...untimed, 'candles.turnover', ...quoteless, ...rangeless], charge: hourly },
    },
  },
  kraken: {
    ban: 'blocked',
    parts: {
      spot: { lacks: ['prices.change', 'prices.stated', 'book.stated'] },
      futures: {
        lacks: ['candles.turnover'],
        linearOnly: [...rangeless, 'prices.base'],
        charge: hourly,
      },
    },
  },
  kucoin: {
    ban: 'blocked',
    parts: { futures: { lacks: [...untimed, 'candles.turnover', ...quoteless] } },
  },
  lighter: {
    ban: 'blocked',
    parts: {
      all: {
        lacks: [...untimed, 'derivatives.mark', 'derivatives.index', 'book.stated', ...quoteless],
        charge: { of: 'own', hours: 8, next: 'hour' },
      },
    },
  },
  // The turnover of mexc's spot is rounded by the ticker; woo's is summed from hourly candles.
  mexc: {
    ban: 'blocked',
    parts: {
      spot: { lacks: ['book.stated'], errors: { volume: 1e-2 } },
      contracts: { linearOnly: ['prices.base'] },
    },
  },
  okx: { ban: 'rate_limited', parts: { swap: { volume: 'worth' } } },
  phemex: {
    ban: 'blocked',
    parts: { spot: { late: 123 }, linear: { late: 123 }, inverse: { late: 123 } },
  },
  whitebit: {
    ban: 'blocked',
    parts: {
      spot: { ...percents, lacks: ['prices.stated', ...quoteless, ...rangeless] },
      futures: { lacks: ['prices.change', ...untimed] },
    },
  },
  woo: {
    ban: 'blocked',
    parts: {
      spot: {
        lacks: ['prices.change', ...quoteless, ...rangeless, 'prices.base'],
        errors: { volume: 1e-2 },
      },
      perp: { lacks: quoteless },
    },
  },
};

/** Whether an id is one of the registry. */
export const isVenueId = (id: string): id is VenueId => Object.hasOwn(table, id);

function rowOf(venue: string): Row {
  if (!isVenueId(venue)) throw new Error(`no terms of ${venue}`);
  return table[venue];
}

export function termsOf(venue: string, part: string): Terms {
  const { errors: own, ...more } = rowOf(venue).parts?.[part] ?? {};
  return { ...usual, ...more, errors: { ...errors, ...own } };
}

/** What a ban of a venue is called. */
export const banOf = (venue: string): FailureCode => rowOf(venue).ban;

/** True where the newest candles can be asked without the time. */
export const asksWithoutTime = (venue: string): boolean => !rowOf(venue).timed;
