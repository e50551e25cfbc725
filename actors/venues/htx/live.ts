/**
 * Prices of HTX, and mark prices, indices and funding of its contracts, by stream.
 * https://www.htx.com/en-us/opend (market tickers, market detail, funding rate)
 */
import { ShapeError } from '../../failure.ts';
import { asRow, bulk, field, positive, required, text, time } from '../../read.ts';
import type { InstrumentMap, Parsed } from '../../sources/define.ts';
import type { LatestStream } from '../../sources/streams/stream.ts';
import type { DerivativeRow, PriceRow } from '../../topics/index.ts';
import { memoryOf } from '../memory.ts';
import { by, derivativeOf, marketRows } from '../rows.ts';
import { notification, notified } from './notifications.ts';
import { contractTickers, spotTickers, statedIn } from './rows.ts';
import { connection, subscription, topicOf } from './stream.ts';

const unknown = required(null);

const spot: LatestStream<PriceRow> = {
  ...connection,
  collect: 'latest',
  url: 'wss://api.huobi.pro/ws',
  channels: () => [subscription('market.tickers')],
  parse(message, { instruments }) {
    if (topicOf(message) === null) return null;
    return marketRows(
      bulk(field(message, 'data'), 'data'),
      instruments,
      spotTickers(statedIn(message)),
    );
  },
};

/** A message about one contract that was never traded is not a list without a price. */
const { id, read } = contractTickers;

/** Both sides are counted, as in the answers. `vol` counts contracts here, which the answers call `number_of`. */
function detail(message: unknown, instruments: InstrumentMap): Parsed<PriceRow> | null {
  const topic = topicOf(message);
  if (topic === null) return null;
  const tick = asRow(field(message, 'tick'));
  const row = {
    ...tick,
    number_of: tick.vol,
    contract_code: topic.split('.')[1],
    ts: statedIn(message),
  };
  return marketRows([row], instruments, { id, read });
}

/** No channel has all contracts. */
const contracts = (path: string): LatestStream<PriceRow> => ({
  ...connection,
  collect: 'latest',
  url: `wss://api.hbdm.com/${path}`,
  most: 100,
  channels: (instruments) =>
    [...instruments.keys()].map((market) => subscription(`market.${market}.detail`)),
  parse: (message, { instruments }) => detail(message, instruments),
});

/** The newest close of each topic of a connection. */
const closes = memoryOf(() => new Map<string, number>());

/** Mark prices and indices come as candles of a minute, whose last price is the newest one. */
const [markTopic, indexTopic] = ['mark_price', 'index'];
const topicFor = (market: string, what = ''): string => `market.${market}.${what}.1min`;

/** A row of mark and index when either moves; without a mark it waits. */
const marks: LatestStream<DerivativeRow> = {
  ...connection,
  collect: 'latest',
  url: 'wss://api.hbdm.com/ws_index',
  most: 100,
  channels: (instruments) =>
    [...instruments.keys()].flatMap((market) =>
      [markTopic, indexTopic].map((what) => subscription(topicFor(market, what))),
    ),
  parse(message, { instruments, connection: peer }) {
    const topic = topicOf(message);
    if (topic === null) return null;
    const [, market = '', what] = topic.split('.');
    if (what !== markTopic && what !== indexTopic) throw new ShapeError('ch: unknown');
    const close = positive(field(field(message, 'tick'), 'close'));
    const known = closes(peer);
    if (close > 0 && instruments.has(market)) known.set(topic, close);
    if (what === indexTopic && !known.has(topicFor(market, markTopic))) return null;
    const [mark, index] = [markTopic, indexTopic].map((one) =>
      required(known.get(topicFor(market, one))),
    );
    const stated = statedIn(message);
    return marketRows([{ market }], instruments, {
      id: (row) => text(row.market),
      read: (_row, listed) =>
        close > 0
          ? derivativeOf(listed, {
              ...{ mark: required(mark), index: required(index), rate: unknown, hours: unknown },
              ...{ next: null, stated },
            })
          : null,
    });
  },
};

/**
 * The funding of all contracts: `funding_rate` is the running estimate of what is charged at `settlement_time`
 * (`funding_time` is that of the estimate). The hours are as polled.
 */
const fundings = (path: string): LatestStream<DerivativeRow> => ({
  ...notification(path, 'public.*.funding_rate'),
  collect: 'latest',
  parse(message, { instruments }) {
    const rows = notified(message);
    const stated = statedIn(message);
    return (
      rows &&
      marketRows(rows, instruments, {
        id: by('contract_code'),
        read: (row, market) =>
          derivativeOf(market, {
            ...{ mark: unknown, index: unknown, rate: required(row.funding_rate), hours: unknown },
            ...{ next: time(row.settlement_time), stated },
          }),
      })
    );
  },
});

export const live = {
  prices: { spot, linear: contracts('linear-swap-ws'), inverse: contracts('swap-ws') },
  derivatives: { linear: marks, inverse: marks },
  funding: {
    linear: fundings('linear-swap-notification'),
    inverse: fundings('swap-notification'),
  },
};
