import { replayed } from '../ccxt.ts';
import type { ProbedVenue } from '../probes/pairs.ts';
import {
  bars,
  book,
  handMade,
  instruments,
  type Loose,
  polled,
  type RecordedVenue,
  refusal,
} from '../probes/recorded.ts';

export const probed: ProbedVenue = {
  load: (lists) =>
    replayed('gate', (path, { settle }) => {
      if (path === 'currency_pairs') return lists('spot')[0];
      if (path !== '{settle}/contracts') return [];
      return settle === 'usdt'
        ? [...lists('usdt'), ...lists('usd1')].flat()
        : lists(String(settle)).flat();
    }),
  probes: {
    instruments: (part) => (part === 'spot' ? null : {}),
    prices: (part) => ({ id: part === 'spot' ? 'currency_pair' : 'contract' }),
    derivatives: { id: 'name' },
    openInterest: { alone: true },
    books: (part) =>
      part === 'spot'
        ? {}
        : {
            theirs: (exchange, body) =>
              exchange.parseOrderBook(body, '', undefined, 'bids', 'asks', 'p', 's'),
          },
  },
};

/** BTC_USDT, and 0G_USDT with the keys of today. */
const gateContracts = (read: (name: string) => Loose) =>
  ['perp-contracts-funding', 'perp-contracts'].flatMap((name) => read(name));

export const recorded: RecordedVenue = {
  load: (read) =>
    replayed('gate', (path, { settle }) => {
      if (path === 'currency_pairs') return read('spot-pairs');
      return path === '{settle}/contracts' && settle === 'usdt' ? gateContracts(read) : [];
    }),
  lists: { spot: 'spot-pairs', usdt: gateContracts },
  bodies: [
    polled('prices', 'spot', ['spot-tickers'], { known: [handMade('BTC3L_USDT')] }),
    polled('prices', 'usdt', ['perp-tickers']),
    polled('derivatives', 'usdt', [gateContracts, []]),
    polled('openInterest', 'usdt', [gateContracts, []]),
    book('spot', 'spot-orderbook', 'BTC_USDT'),
    book('usdt', 'perp-orderbook', 'BTC_USDT'),
    bars('spot', 'spot-candles', 'BTC_USDT'),
    bars('usdt', 'perp-candles', 'BTC_USDT'),
  ],
  checks: [
    instruments('spot', 3, { type: 'spot', delimiter: '_', but: { funding_hours: null } }),
    instruments('usdt', 2, { type: 'contract', delimiter: '_', but: { funding_hours: 8 } }),
    refusal('spot', 'error', 'refused'),
  ],
};
