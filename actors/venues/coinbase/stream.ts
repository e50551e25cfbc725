/** The connections of Coinbase Advanced Trade. https://docs.cdp.coinbase.com/advanced-trade/docs/ws-overview */

/** The properties of every connection. Heartbeats come every second; eight messages a second. */
export const connection = {
  url: 'wss://advanced-trade-ws.coinbase.com',
  pace: 150,
  silence: 30_000,
  opening: ['{"type":"subscribe","channel":"heartbeats"}'],
} as const;

/** Subscribes to a channel of products, or ends that. */
export const said = (type: string, channel: string, product_ids: readonly string[]): string =>
  JSON.stringify({ type, channel, product_ids });
