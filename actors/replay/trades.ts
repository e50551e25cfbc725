/** Trades and liquidations of a recording, each once: exchanges repeat them after a reconnect. */
import { RecentKeys } from '../../indicators/derivatives/recent-keys.ts';
import type { Trade } from '../../indicators/derivatives/trade-fold.ts';
import { rounded } from '../../indicators/digits.ts';
import type { InstrumentMap } from '../sources/define.ts';
import type { NoteLine } from '../sources/recording/format.ts';
import type { EachStream } from '../sources/streams/stream.ts';
import type { Instrument, Liquidation } from '../topics/index.ts';
import type { TradeEvent } from './events.ts';
import type { Lists, Peer } from './streams.ts';

type RecoveredLine = Extract<NoteLine, { kind: 'recovered' }>;

/** For how long repeats are known, ms, and how many of them. */
const memory = { keep: 600_000, maxKeys: 200_000 };

export class Trades {
  readonly #emit: (event: TradeEvent) => void;
  /** By part and market: the number of the last trade; the connection where trades have neither number nor name. */
  readonly #last = new Map<string, number>();
  readonly #by = new Map<string, Peer>();
  readonly #named = new RecentKeys(memory);

  constructor(emit: (event: TradeEvent) => void) {
    this.#emit = emit;
  }

  take(
    trades: readonly Trade[],
    peer: Peer,
    { local, list }: { local: number; list: InstrumentMap },
  ): void {
    const { part } = peer;
    for (const trade of trades) {
      const instrument = list.get(trade.market);
      if (!instrument || !this.#isNew(trade, peer, local)) continue;
      const { price, quantity: amount } = trade;
      this.#emit({ ...eventOf(trade), part, instrument, local, price, amount });
    }
  }

  /** Trades that were asked for; those after them have been taken already. */
  recovered({ trades, part, t: local }: RecoveredLine, instrument: Instrument): void {
    for (const trade of trades) {
      const event = eventOf(trade);
      if (event.id !== null)
        this.#named.add(`${part}/${instrument.market}/${event.id}`, local / 1_000);
      const price = rounded(trade.price * instrument.scale);
      const amount = nativeAmount({ ...trade, quantity_base: trade.quantity }, instrument);
      this.#emit({ ...event, part, instrument, local, price, amount, recovered: true });
    }
  }

  /** Its trades without names may come by another one. */
  ended(peer: Peer): void {
    for (const [market, by] of this.#by) if (by === peer) this.#by.delete(market);
  }

  gap(): void {
    this.#by.clear();
  }

  #isNew({ market, id, name }: Trade, peer: Peer, local: number): boolean {
    const key = `${peer.part}/${market}`;
    if (id !== null) {
      if (id <= (this.#last.get(key) ?? Number.NEGATIVE_INFINITY)) return false;
      this.#last.set(key, id);
      return true;
    }
    if (name !== undefined) return this.#named.add(`${key}/${name}`, local / 1_000);
    const by = this.#by.get(key) ?? peer;
    this.#by.set(key, by);
    return by === peer;
  }
}

/** What a trade says without regard to units. */
const eventOf = ({ id, name, timestamp, bought }: Trade) => ({
  type: 'trade' as const,
  id: name ?? (id === null ? null : `${id}`),
  timestamp: timestamp * 1_000,
  side: bought ? ('buy' as const) : ('sell' as const),
});

/** The quantity as the exchange counts it. */
function nativeAmount(
  { quantity_base, price }: Pick<Liquidation, 'quantity_base' | 'price'>,
  { scale, contract, inverse }: Instrument,
) {
  return rounded(inverse ? (quantity_base * price) / contract : quantity_base / (contract * scale));
}

export class Liquidations {
  readonly #emit: (event: TradeEvent) => void;
  readonly #known = new RecentKeys(memory);

  constructor(emit: (event: TradeEvent) => void) {
    this.#emit = emit;
  }

  take(
    rows: readonly Liquidation[],
    { keyOf }: Pick<EachStream<Liquidation>, 'keyOf'>,
    { part, local, lists }: { part: string; local: number; lists: Lists },
  ): void {
    for (const row of rows) {
      const instrument = lists.listed.get(row.contract);
      if (!instrument || !this.#known.add(keyOf(row), local / 1_000)) continue;
      this.#emit({
        type: 'liquidation',
        part,
        instrument,
        local,
        timestamp: row.timestamp * 1_000,
        id: row.id ?? null,
        side: row.side === 'short' ? 'buy' : 'sell',
        price: rounded(row.price * instrument.scale),
        amount: nativeAmount(row, instrument),
      });
    }
  }
}
