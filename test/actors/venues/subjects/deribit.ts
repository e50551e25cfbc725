import { answered, byPath, replayed } from '../ccxt.ts';
import type { ProbedVenue } from '../probes/pairs.ts';
import {
  bars,
  book,
  instruments,
  type Loose,
  polled,
  type RecordedVenue,
  refusal,
} from '../probes/recorded.ts';

/** The lists of quote currencies overlap; of two summaries the later one counts. */
const summaryOf = (bodies: readonly Loose[], market: string): Loose =>
  bodies
    .flatMap(({ result }) => result)
    .findLast(({ instrument_name }: Loose) => instrument_name === market);

export const probed: ProbedVenue = {
  load: (lists) => {
    const found = ['spot', 'linear', 'inverse'].flatMap((part) =>
      lists(part).flatMap(({ result }) => result),
    );
    return replayed('deribit', byPath({ get_instruments: { result: found } }));
  },
  probes: {
    prices: { row: summaryOf },
    derivatives: {
      row: summaryOf,
      theirs: (exchange, wire, market) => exchange.parseTicker(wire, market),
    },
    openInterest: { row: summaryOf },
    candles: {
      theirs: (exchange, body, { symbol }) =>
        answered(exchange, body, () => exchange.fetchOHLCV(symbol, '1h')),
    },
    books: { at: 'result' },
  },
};

export const recorded: RecordedVenue = {
  load: (read) =>
    replayed(
      'deribit',
      byPath({
        get_instruments: read('instruments'),
        get_book_summary_by_instrument: read('book-summary-perpetual'),
        get_tradingview_chart_data: read('candles'),
      }),
    ),
  lists: { inverse: 'instruments' },
  bodies: [
    polled('prices', 'inverse', ['book-summary-perpetual']),
    polled('derivatives', 'inverse', ['book-summary-perpetual']),
    polled('openInterest', 'inverse', ['book-summary-perpetual']),
    book('inverse', 'order-book', 'BTC-PERPETUAL'),
    bars('inverse', 'candles', 'BTC-PERPETUAL'),
  ],
  checks: [
    // Options are not followed, dated futures apart (`suite/futures.ts`). ccxt takes `contract_size` for a multiplier; amounts are dollars.
    instruments('inverse', 3, {
      but: (_, { swap, inverse }) => ({
        followed: swap,
        contract: swap ? 1 : undefined,
        inverse: swap ? inverse : undefined,
      }),
    }),
    refusal('rest', 'error-invalid-params', { code: 'refused', message: 'Deribit error -32602' }),
  ],
};
