import { byPath, replayed } from '../ccxt.ts';
import type { ProbedVenue } from '../probes/pairs.ts';
import {
  type Body,
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

/** ccxt refuses an empty list. */
const htxDated = {
  symbol: 'BTC',
  contract_code: 'BTC211126',
  contract_size: 100,
  contract_status: 1,
  delivery_date: '20211126',
  delivery_time: '1637913600000',
};

export const probed: ProbedVenue = {
  load: (lists) =>
    replayed(
      'htx',
      byPath({
        'common/symbols': lists('spot')[0],
        'linear-swap-api/v1/swap_contract_info': lists('linear')[0],
        '/swap_contract_info': lists('inverse')[0],
        contract_contract_info: { data: [htxDated] },
      }),
    ),
  probes: {
    instruments: (part) => (part === 'spot' ? null : {}),
    prices: (part) => (part === 'spot' ? { at: 'data' } : { at: 'ticks', id: 'contract_code' }),
    candles: { at: 'data' },
    books: { at: 'tick' },
    derivatives: {
      row: (bodies, market) =>
        bodies
          .flatMap((body) => body?.data ?? [])
          .find((row: Loose) => row.contract_code === market && row.funding_rate !== undefined),
    },
    openInterest: {
      row: (bodies, market) =>
        bodies
          .flatMap((body) => body?.data ?? [])
          .find((row: Loose) => row.contract_code === market),
    },
  },
};

const htxSpot = (symbol: string, base: string, quote: string) => ({
  symbol,
  'base-currency': base,
  'quote-currency': quote,
  state: 'online',
});

const htxIndices = { data: [{ contract_code: 'BTC-USD', index_price: 64000 }] };

const htxRate = (body: Body, market: string) =>
  polled('derivatives', 'inverse', [body, htxIndices], {
    known: [perpetual(market, { quote: 'USD', inverse: true })],
  });

/** Contracts: ccxt leaves both sides of volumes and open interest. */
export const recorded: RecordedVenue = {
  // The recorded spot list holds a leveraged token only; coin-margined swaps and futures have none.
  load: (read) =>
    replayed(
      'htx',
      byPath({
        'common/symbols': {
          data: [
            ...[...read('spot-symbols').data, htxSpot('btcusdt', 'btc', 'usdt')],
            ...[htxSpot('smtusdt', 'smt', 'usdt'), htxSpot('ltcht', 'ltc', 'ht')],
          ],
        },
        'linear-swap-api/v1/swap_contract_info': read('perp-linear-contracts'),
        '/swap_contract_info': {
          data: [
            { symbol: 'BTC', contract_code: 'BTC-USD', contract_size: 100, contract_status: 1 },
          ],
        },
        contract_contract_info: { data: [htxDated] },
        'market/tickers': read('spot-tickers'),
        'v5/market/open_interest': read('perp-linear-open-interest-v5'),
        'swap-api/v1/swap_open_interest': read('perp-inverse-open-interest'),
      }),
    ),
  lists: { linear: 'perp-linear-contracts', spot: 'spot-symbols' },
  bodies: [
    polled('prices', 'spot', ['spot-tickers'], {
      known: ['smtusdt', 'ltcht'].map((id) => handMade(id)),
    }),
    polled('prices', 'linear', ['perp-linear-tickers'], {
      known: [perpetual('BTC-USDT', { contract: 0.001 })],
    }),
    polled('derivatives', 'linear', [htxIndices, 'perp-linear-funding-v5'], {
      known: [perpetual('BTC-USDT')],
    }),
    htxRate('perp-batch-funding-shape', 'MANA-USDT'),
    // next_funding_time null; ccxt then has no interval.
    htxRate(
      (read) => ({ ...read('perp-inverse-funding'), data: [read('perp-inverse-funding').data] }),
      'BTC-USD',
    ),
    polled('openInterest', 'linear', ['perp-linear-open-interest-v5'], {
      known: [perpetual('BTC-USDT')],
    }),
    polled('openInterest', 'inverse', ['perp-inverse-open-interest'], {
      known: [perpetual('BTC-USD', { quote: 'USD', contract: 100, inverse: true })],
    }),
    book('spot', 'spot-orderbook', 'X'),
    book('linear', 'perp-orderbook', 'X', { instrument: handMade('X', { contract: 0.001 }) }),
    bars('spot', 'spot-candles', 'btcusdt'),
    bars('linear', 'perp-candles', 'BTC-USDT'),
  ],
  checks: [
    instruments('linear', 4, { but: (_, { swap }) => ({ followed: swap }) }),
    // ccxt follows leveraged tokens.
    instruments('spot', 1, { but: { market: 'xrp3susdt', symbol: 'XRP3S', followed: false } }),
    refusal('spot', 'error', { code: 'refused', message: 'HTX error o-amount-min-error' }),
    refusal('spot', 'error-v5', { code: 'refused', message: 'HTX error 1003' }),
  ],
};
