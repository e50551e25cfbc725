/** The public connections of KuCoin that want no token. https://www.kucoin.com/docs-new (Pro API, WebSocket) */
import { isRecord } from '../../read.ts';

const hosts = { SPOT: 'x-push-spot.kucoin.com', FUTURES: 'x-push-futures.kucoin.com' };
export type TradeType = keyof typeof hosts;

/** The properties of every connection. Frames are binary, and uncompressed text. A greeting comes first; 30 messages a second, one ping at least every 18 s. */
export const connection = (tradeType: TradeType) => ({
  url: `wss://${hosts[tradeType]}`,
  ...{ pace: 100, settle: 1_000 },
  keepAlive: { every: 15_000, message: '{"id":"2","type":"ping"}' },
  silence: 45_000,
  acknowledges: (message: unknown) =>
    isRecord(message) && message.id === '1' && message.result === true ? 1 : 0,
});
