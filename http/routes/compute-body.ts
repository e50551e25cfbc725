/** The body of `POST /v1/indicators/compute`, checked as a whole. */
import { allIntervals, type ComputeParams, type Interval } from '../../actors/topics/index.ts';
import { catalogue } from '../../indicators/catalogue.ts';
import { outputsOf } from '../../indicators/job.ts';
import { bytesOf, ownRows, readCandles, rowsOf } from '../../indicators/job-columns.ts';
import { BadInput, type Entry, mostEntries, readEntries } from '../../indicators/job-entries.ts';
import { type ChosenSeries, checkInputs, readSeriesOf, seriesSchema } from './compute-series.ts';
import { type kit, params, s } from './kit.ts';

export const limits = { least: 51, most: 1_000, usual: 500 } as const;

/** Numbers of one answer at most: about 5 MB of text. */
export const mostValues = 250_000;

/** A body that its schema has let pass; the parts of it that are not typed are checked here. */
type Body = s.Static<ReturnType<typeof computeBody>>;
type Fields = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The word if it is one of `words`. Throws BadInput that lists them. */
function oneOf<W extends string>(body: Fields, name: string, words: readonly W[]): W | undefined {
  const value = body[name];
  if (value === undefined) return undefined;
  const found = words.find((word) => word === value);
  if (found === undefined) throw new BadInput(`${name} must be one of ${words.join(', ')}`);
  return found;
}

/** The candle length of a body without one. */
const usualInterval: Interval = '4h';

function readMarket(
  body: Body,
  exchanges: kit.CandleIntervals,
): NonNullable<ComputeParams['market']> {
  const given = { exchange: 'binance', interval: usualInterval, ...body };
  const exchange = oneOf(given, 'exchange', [...exchanges.keys()]) ?? '';
  const interval = oneOf(given, 'interval', exchanges.get(exchange) ?? []) ?? usualInterval;
  const marketKind = oneOf(body, 'kind', params.kind.enum);
  const { symbol } = body;
  if (typeof symbol !== 'string' || !/^[^\s\p{C}]{1,64}$/u.test(symbol)) {
    throw new BadInput('symbol must be 1 to 64 characters without spaces');
  }
  const market = exchange === 'binance' ? symbol.toUpperCase() : symbol;
  return { exchange, market, kind: marketKind, interval, limit: body.limit ?? limits.usual };
}

function readOwn(body: Body, now: number): NonNullable<ComputeParams['own']> {
  const block = readCandles(body.candles, now);
  const { interval = null, limit = rowsOf(block) } = body;
  return { rows: bytesOf(block), interval, limit };
}

/** Bounds the size of the answer of one request. */
function checkSize(entries: readonly Entry[], rows: number): void {
  const columns = entries.reduce((sum, entry) => sum + outputsOf(entry), 0);
  if (columns * rows <= mostValues) return;
  throw new BadInput(
    `${columns} series of ${rows} rows are more than ${mostValues} numbers: ask for fewer indicators or a smaller limit`,
  );
}

/** Indicators of a recorded series. */
export interface SeriesRequest {
  chosen: ChosenSeries;
  indicators: Entry[];
  limit: number;
}

/** The request in a body that names a recorded series; null for any other. Throws as `readComputeBody`. */
export function readSeriesBody(body: Body): SeriesRequest | null {
  if (!isRecord(body.series)) return null;
  const other = (['symbol', 'candles', 'markets'] as const).find((name) => name in body);
  if (other !== undefined) {
    throw new BadInput(`${other} and a recorded series exclude each other: give one of them`);
  }
  const chosen = readSeriesOf(body.series, body);
  const indicators = readEntries(body.indicators);
  checkInputs(indicators, chosen);
  const { limit = limits.usual } = body;
  if (chosen.full) checkSize(indicators, limit);
  return { chosen, indicators, limit };
}

/** The request in a body that arrived at `now`, Unix ms. Throws BadInput, which names the fault and the allowed values. */
export function readComputeBody(
  body: Body,
  { exchanges, now }: { exchanges: kit.CandleIntervals; now: number },
): ComputeParams {
  const own = body.candles === undefined ? null : readOwn(body, now);
  if (own && body.symbol !== undefined) {
    throw new BadInput('symbol and candles exclude each other: give one of them');
  }
  const market = own ? null : readMarket(body, exchanges);
  const entries = readEntries(body.indicators);
  const series = body.series === true;
  if (series) checkSize(entries, own?.limit ?? market?.limit ?? limits.most);
  return { market, own, indicators: entries, series };
}

/** Markets of one request, and indicators of each of several. */
export const mostOfMarkets = { markets: 20, indicators: 20 } as const;

/** A request about one market. */
export type MarketRequest = ComputeParams & { market: NonNullable<ComputeParams['market']> };

/** The request about one market of a list: what it does not state is that of the body. */
function readPart(
  body: Body,
  one: unknown,
  context: { exchanges: kit.CandleIntervals; now: number },
): MarketRequest {
  const own = isRecord(one) ? one : { symbol: one };
  const known = ['symbol', 'exchange', 'kind', 'interval'];
  const unknown = Object.keys(own).find((name) => !known.includes(name));
  if (unknown !== undefined) throw new BadInput(`the fields are ${known.join(', ')}`);
  const { markets: _, ...shared } = body;
  const stated = Object.entries(own).filter(([, value]) => value !== null);
  const request = readComputeBody({ ...shared, ...Object.fromEntries(stated) }, context);
  if (request.market === null) throw new BadInput('it must be a market');
  return { ...request, market: request.market };
}

/**
 * The requests in a body about several markets; null for any other. Throws as `readComputeBody`, with the place of the market
 * that is at fault.
 */
export function readMarketsBody(
  body: Body,
  context: { exchanges: kit.CandleIntervals; now: number },
): MarketRequest[] | null {
  const { markets: list } = body;
  if (list === undefined) return null;
  const other = (['symbol', 'candles'] as const).find((name) => name in body);
  if (other !== undefined) {
    throw new BadInput(`markets and ${other} exclude each other: give one of them`);
  }
  const { indicators } = mostOfMarkets;
  const entries = readEntries(body.indicators);
  if (entries.length > indicators) {
    throw new BadInput(`indicators of several markets may be ${indicators} at most`);
  }
  if (body.series === true) checkSize(entries, list.length * (body.limit ?? limits.usual));
  return list.map((one, i) => {
    try {
      return readPart(body, one, context);
    } catch (error) {
      if (!(error instanceof BadInput)) throw error;
      throw new BadInput(`markets[${i}]: ${error.message}`);
    }
  });
}

const entrySchema: kit.Schema = {
  description: `Name of the catalogue (${[...catalogue.keys()].join(', ')}), alone, with parameters in its order ("macd:8,21,5"), or as an object with parameters by name.`,
  anyOf: [
    { type: 'string', minLength: 1, maxLength: 128 },
    {
      type: 'object',
      title: 'IndicatorRequest',
      properties: {
        name: s.string('Name in the catalogue.'),
        id: s.string('Its name in the answer; made from name and parameters when absent.'),
        params: {
          type: 'object',
          description: 'Parameters by name; they may also stand beside the name.',
        },
      },
      required: ['name'],
    },
  ],
};

const field = <T>(schema: kit.Schema) => s.optional(s.unchecked<T>(schema));

const fields = {
  symbol: field<string>({
    type: 'string',
    minLength: 1,
    maxLength: 64,
    description:
      "The exchange's own symbol, a pair in a usual spelling (`BTC/USDT`) or a base asset; either this or candles.",
    examples: ['BTCUSDT'],
  }),
  markets: field<readonly unknown[]>({
    type: 'array',
    minItems: 1,
    maxItems: mostOfMarkets.markets,
    description: `Several markets instead of a symbol, each by its symbol or as an object with symbol, exchange, kind and interval in the place of those of the body; ${mostOfMarkets.indicators} indicators at most. It counts as so many requests.`,
    items: { anyOf: [{ type: 'string' }, { type: 'object' }] },
  }),
  kind: field<(typeof params.kind.enum)[number]>({
    type: 'string',
    enum: params.kind.enum,
    description: 'Which market is meant where an exchange uses one symbol for both.',
  }),
  interval: field<Interval>({
    type: 'string',
    enum: allIntervals,
    description: `Candle length, ${usualInterval} when absent; with candles of your own it is only repeated.`,
  }),
  limit: field<number>({
    type: 'integer',
    minimum: limits.least,
    maximum: limits.most,
    description: `Newest closed candles that are shown, ${limits.usual} when absent, all of your own. More are fetched before them, so that the start of averages does not show.`,
  }),
  indicators: s.unchecked<readonly unknown[]>({
    type: 'array',
    minItems: 1,
    maxItems: mostEntries,
    description: 'What to compute.',
    items: entrySchema,
  }),
  series: field<boolean | Fields>({
    description: 'Which values are wanted, or the recorded series to compute them from.',
    anyOf: [
      {
        type: 'boolean',
        description: 'Every value of the shown candles, or only the last ones as when absent.',
      },
      seriesSchema,
    ],
  }),
  candles: field<unknown>({
    type: 'array',
    minItems: ownRows.least,
    maxItems: ownRows.most,
    description:
      'Your own closed candles instead of a symbol, oldest first: objects as /v1/bars gives them, or [timestamp, open, high, low, close, volume].',
    items: { anyOf: [{ type: 'object' }, { type: 'array', items: {} }] },
  }),
};

/** JSON Schema of the body. `readComputeBody` checks the rest, such as parameters and their ranges. */
export const computeBody = (exchanges: kit.CandleIntervals) =>
  s.object({
    ...fields,
    exchange: field<string>({
      type: 'string',
      enum: [...exchanges.keys()],
      default: 'binance',
      description: 'Exchange id.',
    }),
  });
