import { listing } from '../ccxt.ts';
import type { ProbedVenue } from '../probes/pairs.ts';
import {
  bars,
  book,
  instruments,
  type Loose,
  perpetual,
  polled,
  type RecordedVenue,
  refusal,
} from '../probes/recorded.ts';

/** A market and its context in one object, as the library joins them before it parses. */
const joined = ([[{ universe }, contexts]]: readonly Loose[], market: string): Loose => {
  const i = universe.findIndex(({ name }: Loose) => name === market);
  return contexts[i] && { ...universe[i], ...contexts[i] };
};

export const probed: ProbedVenue = {
  // The library counts perpetuals by position; here each has its name.
  load: (lists) => {
    const [body] = lists('perp');
    const rows = body[0].universe.map((market: object, i: number) => ({
      ...market,
      ...body[1][i],
      baseId: i,
    }));
    return listing('hyperliquid', rows).then((exchange: Loose) =>
      Object.assign(exchange, {
        markets_by_id: Object.fromEntries(
          Object.values<Loose>(exchange.markets).map((market) => [market.info.name, [market]]),
        ),
      }),
    );
  },
  probes: {
    prices: (part) => (part === 'spot' ? { alone: true } : { row: joined }),
    derivatives: { row: joined },
    openInterest: {
      row: joined,
      theirs: (exchange, info, market) => exchange.parseOpenInterest({ info }, market),
    },
    candles: (part) => (part === 'spot' ? null : {}),
    books: (part) =>
      part === 'spot'
        ? null
        : {
            at: 'levels',
            theirs: (exchange, body) =>
              exchange.parseOrderBook(body, '', undefined, '0', '1', 'px', 'sz'),
          },
  },
};

/** All of them. */
const recordedJoined = ([body]: readonly Loose[]): Loose[] =>
  body[0].universe.map((market: object, i: number) => ({ ...market, ...body[1][i] }));

const perpNames = ['meta-and-asset-ctxs', 'analytics-meta-and-asset-ctxs'];

export const recorded: RecordedVenue = {
  // The library counts perpetuals by position.
  load: (read) =>
    listing(
      'hyperliquid',
      recordedJoined([read('meta-and-asset-ctxs')]).map((row, i) => ({ ...row, baseId: i })),
    ),
  lists: { spot: 'spot-meta-and-asset-ctxs', perp: 'meta-and-asset-ctxs' },
  received: 1_750_000_001_000,
  bodies: [
    ...perpNames.flatMap((name) => [
      polled('prices', 'perp', [name]),
      polled('derivatives', 'perp', [name]),
      polled('openInterest', 'perp', [name]),
    ]),
    polled('prices', 'spot', ['spot-meta-and-asset-ctxs']),
    book('perp', 'order-book', 'DYDX'),
    bars('perp', 'candles', 'kPEPE', { instrument: perpetual('kPEPE', { scale: 1000 }) }),
  ],
  checks: [
    instruments('perp', 1, {
      native: recordedJoined,
      theirs: (exchange, { name }) => exchange.market(`${name}/USDC:USDC`),
      // The library makes one out of the price: five significant digits.
      but: { step: undefined },
    }),
    // The library reads spot lists inside a request only; token 1 is PURR, token 0 USDC.
    instruments('spot', 1, {
      native: () => [{}],
      theirs: () => ({ base: 'PURR', quote: 'USDC', active: true, spot: true }),
      but: { market: 'PURR/USDC', swap: false },
    }),
    refusal('info', 'error-unknown-coin-book', { code: 'unknown_instrument', status: 200 }),
    refusal('info', 'error-unknown-type', null),
  ],
};
