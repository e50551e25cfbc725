/** Prices of HTX by stream. https://www.htx.com/en-us/opend (market tickers, market detail) */
import { ShapeError } from '../../failure.ts';
import { asRow, bulk, field, isRecord, text, type WireRow } from '../../read.ts';
import type { InstrumentMap, Parsed } from '../../sources/define.ts';
import type { LatestStream } from '../../sources/stream.ts';
import type { PriceRow } from '../../topics/index.ts';
import { marketRows } from '../rows.ts';
import { contractTickers, spotTickers, statedIn } from './rows.ts';

const isPing = (message: unknown): message is WireRow => isRecord(message) && 'ping' in message;

/** Frames are gzip. The server asks every 5 s and closes what does not answer; 40 subscriptions a second. */
const connection = {
  codec: 'gzip',
  pace: 30,
  perConnection: 150,
  silence: 30_000,
  collect: 'latest',
  reply: (message: unknown) => (isPing(message) ? JSON.stringify({ pong: message.ping }) : null),
  acknowledges: (message: unknown) =>
    isRecord(message) && message.status === 'ok' && 'subbed' in message ? 1 : 0,
  channelIn: /"ch":"([^"]+)"/,
} as const;

const subscription = (topic: string): string => JSON.stringify({ sub: topic, id: '1' });

/** The topic of a message with data, or null; ShapeError for a refusal and for what is no message of HTX. */
function topicOf(message: unknown): string | null {
  if (field(message, 'status') === 'error')
    throw new ShapeError(`HTX error: ${text(field(message, 'err-msg'))}`);
  const topic = text(field(message, 'ch'));
  if (topic !== '') return topic;
  if (isPing(message) || field(message, 'subbed') !== undefined) return null;
  throw new ShapeError('ch: no text');
}

const spot: LatestStream<PriceRow> = {
  ...connection,
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

/** A message about one contract that was never traded is no list without a price. */
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
  url: `wss://api.hbdm.com/${path}`,
  most: 100,
  channels: (instruments) =>
    [...instruments.keys()].map((market) => subscription(`market.${market}.detail`)),
  parse: (message, { instruments }) => detail(message, instruments),
});

export const livePrices = {
  spot,
  linear: contracts('linear-swap-ws'),
  inverse: contracts('swap-ws'),
};
