/** Prices of HTX by stream. https://www.htx.com/en-us/opend (market tickers, market detail) */
import { asRow, bulk, field } from '../../read.ts';
import type { InstrumentMap, Parsed } from '../../sources/define.ts';
import type { LatestStream } from '../../sources/stream.ts';
import type { PriceRow } from '../../topics/index.ts';
import { marketRows } from '../rows.ts';
import { contractTickers, spotTickers, statedIn } from './rows.ts';
import { connection, subscription, topicOf } from './stream.ts';

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
  collect: 'latest',
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
