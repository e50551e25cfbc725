import type { Instrument } from '../../../../actors/topics/index.ts';
import { byPath, replayed } from '../ccxt.ts';
import type { ProbedVenue } from '../probes/pairs.ts';
import {
  bars,
  book,
  handMade,
  instruments,
  type Loose,
  perpetual,
  polled,
  type RecordedVenue,
  refusal,
} from '../probes/recorded.ts';

export const probed: ProbedVenue = {
  load: (lists) => replayed('cryptocom', byPath({ 'get-instruments': lists('all')[0] })),
  probes: {
    instruments: {},
    prices: { at: 'result.data', id: 'i' },
    derivatives: { alone: true },
    openInterest: { alone: true },
    candles: { at: 'result.data' },
    books: { at: 'result.data.0' },
  },
};

/** The markets of the other recordings, which the recorded list lacks. */
const cryptocomMore: readonly Instrument[] = [
  perpetual('AVAXUSD-PERP', { symbol: 'AVAX', quote: 'USD' }),
  perpetual('BTCUSD-PERP', { symbol: 'BTC', quote: 'USD' }),
  handMade('BTC_USD', { symbol: 'BTC', quote: 'USD' }),
];

const cryptocomList = (read: (name: string) => Loose) => {
  const body = read('instruments');
  const more = cryptocomMore.map(({ market, kind, symbol, quote }) => ({
    symbol: market,
    inst_type: kind === 'spot' ? 'CCY_PAIR' : 'PERPETUAL_SWAP',
    base_ccy: symbol,
    quote_ccy: quote,
    tradable: true,
    contract_size: '1',
  }));
  return { ...body, result: { ...body.result, data: [...body.result.data, ...more] } };
};

export const recorded: RecordedVenue = {
  load: (read) =>
    replayed(
      'cryptocom',
      byPath({ 'get-instruments': cryptocomList(read), 'get-tickers': read('tickers') }),
    ),
  lists: { all: cryptocomList },
  known: { all: cryptocomMore },
  received: 1_687_892_400_000,
  bodies: [
    polled('prices', 'all', ['tickers']),
    polled('openInterest', 'all', ['tickers']),
    polled('derivatives', 'all', ['funding-current']),
    book('all', 'order-book', 'BTC_USD'),
    bars('all', 'candles', 'BTC_USD'),
  ],
  checks: [
    // Dated futures and warrants are not followed.
    instruments('all', 7, {
      but: (_, { spot, swap, contractSize }) => ({
        followed: spot || swap,
        contract: swap ? contractSize : undefined,
      }),
    }),
    refusal('rest', 'error-invalid-instrument', 'unknown_instrument'),
    refusal('rest', 'error-unknown-path', null),
  ],
};
