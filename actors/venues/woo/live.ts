/**
 * Prices of WOO X by stream: the tickers of all markets, sent about once a second. The newer v3 has them market by market
 * only. https://docs.woox.io/#24h-tickers
 */
import { ShapeError } from '../../failure.ts';
import { asRow, bulk, field, isRecord, positive, required, text, time } from '../../read.ts';
import type { LatestStream } from '../../sources/stream.ts';
import type { Instrument, PriceRow } from '../../topics/index.ts';
import { by, changedRows, changeOf, priceOf, type Reader } from '../rows.ts';
import { neverTradedBy } from '../wire.ts';
import { type PartName, prefixes } from './rows.ts';

/** `volume` is in base, `amount` in quote. The time is that of the message. */
const tickers = (stated: number | null): Reader<Instrument, PriceRow> => ({
  id: by('symbol'),
  isUntraded: neverTradedBy('close', 'volume'),
  read(row, market) {
    const last = positive(row.close);
    const change = changeOf(last, positive(row.open));
    return priceOf(market, {
      ...{ last, volume: required(row.amount), base: required(row.volume), change, stated },
      ...{ high: positive(row.high), low: positive(row.low) },
    });
  },
});

const eventOf = (message: unknown): string => (isRecord(message) ? text(message.event) : '');

/** Both parts stand in one list. */
const ticking = (part: PartName): LatestStream<PriceRow> => ({
  url: 'wss://wss.woox.io/ws/stream',
  channels: () => ['{"id":"1","topic":"tickers","event":"subscribe"}'],
  reply: (message) =>
    eventOf(message) === 'ping'
      ? JSON.stringify({ event: 'pong', ts: time(field(message, 'ts')) })
      : null,
  acknowledges: (message) =>
    isRecord(message) && message.event === 'subscribe' && message.success === true ? 1 : 0,
  silence: 30_000,
  collect: 'latest',
  parse(message, { instruments }) {
    if (field(message, 'success') === false) throw new ShapeError('WOO X refuses the topic');
    if (eventOf(message) !== '') return null;
    const own = bulk(field(message, 'data'), 'tickers').filter((row) =>
      text(asRow(row).symbol).startsWith(prefixes[part]),
    );
    return changedRows(own, instruments, tickers(time(field(message, 'ts'))));
  },
});

export const livePrices = { spot: ticking('spot'), perp: ticking('perp') };
