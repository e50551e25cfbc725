import { answered, byPath, replayed } from '../ccxt.ts';
import type { ProbedVenue } from '../probes/pairs.ts';
import {
  bars,
  book,
  instruments,
  type Loose,
  polled,
  type Read,
  type RecordedVenue,
  refusal,
} from '../probes/recorded.ts';

const withBothNames = 'each recorded row has its numbers under the names of two versions';

export const probed: ProbedVenue = {
  skipped: {
    'prices of linear': withBothNames,
    'derivatives of linear': withBothNames,
    'openInterest of linear': withBothNames,
  },
  load: (lists) => {
    const bodies = ['spot', 'linear', 'inverse'].map((part) => lists(part)[0].data);
    const data = {
      ...bodies[0],
      products: bodies.flatMap(({ products }, i) =>
        products.filter(({ type }: Loose) => type === (i === 0 ? 'Spot' : 'Perpetual') && i !== 1),
      ),
      perpProductsV2: bodies[1].perpProductsV2,
    };
    return replayed(
      'phemex',
      byPath({
        'public/products': { code: 0, data },
        'exchange/public/products': { code: 0, data: [] },
      }),
    );
  },
  probes: {
    instruments: (part) => (part === 'spot' ? null : {}),
    prices: (part) => ({ at: 'result', scaled: part !== 'linear' }),
    derivatives: (part) => ({ at: 'result', scaled: part !== 'linear' }),
    openInterest: (part) => ({ at: 'result', scaled: part !== 'linear' }),
    candles: (part) => ({ at: 'data.rows', scaled: part !== 'linear' }),
    books: (part) => ({
      scaled: part !== 'linear',
      theirs: (exchange, body, { symbol }) =>
        answered(exchange, body, () => exchange.fetchOrderBook(symbol, 20)),
    }),
  },
};

/** The recorded list, and the products with a recorded ticker or book that it is too short to hold. */
const products = (read: Read) => {
  const body = read('products');
  const [btcusd, sbtcusdt] = body.data.products;
  const [btcusdt] = body.data.perpProductsV2;
  return {
    ...body,
    data: {
      ...body.data,
      products: [
        ...[btcusd, { ...btcusd, symbol: 'ETHUSD', settleCurrency: 'ETH' }],
        ...[sbtcusdt, { ...sbtcusdt, symbol: 'sETHUSDT', baseCurrency: 'ETH' }],
      ],
      perpProductsV2: [
        ...[btcusdt, { ...btcusdt, symbol: 'ETHUSDT', baseCurrency: 'ETH' }],
        { ...btcusdt, symbol: 'SAMSUNGUSDT', baseCurrency: 'SAMSUNG' },
      ],
    },
  };
};

const phemexInstruments = (part: string, count: number, hours: number | null) =>
  instruments(part, count, {
    theirs: (exchange, { id }) => exchange.market(id),
    but: (_, { priceScale, contractSize, precision }) => ({
      scale: 10 ** Number(priceScale),
      contract: hours === null ? undefined : contractSize,
      funding_hours: hours,
      // Steps are decimals where prices are integers.
      step: undefined,
      tick: precision.price,
    }),
  });

const one = (name: string) => (read: Read) => ({ result: [read(name).result] });

/** Both the names of the fields that ccxt alone reads, and ours. */
const withBoth = (row: Loose) => {
  const last = row.lastRp ?? row.closeRp;
  const mark = row.markRp ?? row.markPriceRp;
  const index = row.indexRp ?? row.indexPriceRp;
  return {
    ...row,
    lastRp: last,
    markRp: mark,
    indexRp: index,
    closeRp: last,
    markPriceRp: mark,
    indexPriceRp: index,
  };
};

/** Linear tickers, with those of the WebSocket frame, which names its fields once for all. */
const linearTickers = (read: Read) => {
  const { fields, data, timestamp } = read('ws-perp-market24h-pack');
  const frame = data.map((values: unknown[]) => ({
    ...Object.fromEntries(fields.map((name: string, i: number) => [name, values[i]])),
    timestamp,
  }));
  const others = [read('ticker-linear-v2').result, ...read('tickers-linear-v3-row').result];
  return { result: [...others, ...frame].map(withBoth) };
};

const linearPart = ['linear', [linearTickers]] as const;

const loadPhemex = (read: Read, more: Readonly<Record<string, unknown>> = {}) =>
  replayed(
    'phemex',
    byPath({
      'public/products': products(read),
      'exchange/public/products': { code: 0, data: [] },
      ...more,
    }),
  );

export const recorded: RecordedVenue = {
  load: (read) => loadPhemex(read),
  lists: { spot: products, linear: products, inverse: products },
  bodies: [
    polled('prices', 'spot', [one('ticker-spot')]),
    polled('prices', 'inverse', [one('ticker-inverse')]),
    polled('derivatives', 'inverse', [one('ticker-inverse')]),
    polled('openInterest', 'inverse', [one('ticker-inverse')]),
    polled('prices', ...linearPart),
    polled('derivatives', ...linearPart),
    polled('openInterest', ...linearPart),
    book('spot', 'order-book-spot', 'sETHUSDT'),
    book('linear', 'order-book-linear', 'BTCUSDT'),
    bars('spot', 'candles-spot', 'sETHUSDT'),
  ],
  checks: [
    phemexInstruments('spot', 2, null),
    phemexInstruments('linear', 3, 8),
    phemexInstruments('inverse', 2, 8),
    refusal('rest', 'error-md-invalid', 'unknown_instrument'),
    refusal('rest', 'error-missing-parameter', 'refused'),
  ],
};
