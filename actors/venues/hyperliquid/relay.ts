/**
 * Channels of Hyperliquid in its own form, for clients of that form: a subscription is JSON in its normal order, and so is the one that a
 * frame belongs to. https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/websocket/subscriptions
 */
import { asRow, isRecord, text } from '../../read.ts';
import type { RelayStream } from '../../sources/streams/stream.ts';
import { publicSubscription } from '../../topics/hyperliquid-info.ts';
import { refused } from '../books.ts';
import { connection } from './streams.ts';

/** The fields of the subscription that a frame belongs to, by its channel. */
const fieldsOf: Readonly<Record<string, (data: Readonly<Record<string, unknown>>) => object>> = {
  allMids: ({ dex }) => ({ dex }),
  l2Book: ({ coin }) => ({ coin }),
  bbo: ({ coin }) => ({ coin }),
  candle: ({ s: coin, i: interval }) => ({ coin, interval }),
  activeAssetCtx: ({ coin }) => ({ coin }),
};

/** A spot market has another channel than its subscription, and trades are a list. */
function subscriptionOf(channel: string, data: unknown): object | null {
  const type = channel === 'activeSpotAssetCtx' ? 'activeAssetCtx' : channel;
  if (type === 'trades') {
    const [first] = Array.isArray(data) ? data : [];
    return { type, coin: asRow(first).coin };
  }
  const fields = Object.hasOwn(fieldsOf, type) ? fieldsOf[type] : undefined;
  return fields && isRecord(data) ? { type, ...fields(data) } : null;
}

export const relay: RelayStream = {
  ...connection,
  silence: 60_000,
  channels: (wanted) =>
    [...wanted.keys()].map((one) => `{"method":"subscribe","subscription":${one}}`),
  nameOf(message) {
    const { channel, data } = asRow(message);
    if (channel === 'error') throw refused(data);
    const subscription = subscriptionOf(text(channel), data);
    return subscription && publicSubscription(subscription);
  },
};
