/** The public archives: a row for each exchange. */
import { hour } from '../../config/time.ts';
import type { Api } from '../upstream/request.ts';
import type { Form } from './archive-files.ts';

/** What a file is about: minutes or hours of a market, or its settled fundings. */
export interface ArchiveSubject {
  kind: 'spot' | 'perpetual';
  market: string;
  of: '1m' | '1h' | 'fundings';
}

/** Where an archive has what, and in which form. */
export interface Archive {
  exchange: 'binance' | 'okx';
  api: Api;
  /** The path of the file of a day or a month, by its name: `2026-01-31` or `2026-01`. */
  path(subject: ArchiveSubject, period: string): string;
  /** Whether it has candles of hours besides those of minutes. */
  hasHours: boolean;
  /** Whether a text with the SHA-256 of each file lies beside it. */
  hasChecksum: boolean;
  /** So long before those of UTC its days and months may begin, ms: a row belongs where its own time is. */
  early: number;
  candles: Form;
  fundings: Form;
}

/** The archives are stores of files without a stated limit. */
const apiOf = (host: string): Api => ({
  hosts: [host],
  budgets: { default: { weight: 2, per: 1_000 } },
  maxBody: 16 * 2 ** 20,
});

const everyOf = (period: string) => (period.length === 7 ? 'monthly' : 'daily');

/** https://github.com/binance/binance-public-data */
const binance: Archive = {
  exchange: 'binance',
  api: apiOf('https://data.binance.vision'),
  path({ kind, market, of }, period) {
    const folder = `/data/${kind === 'spot' ? 'spot' : 'futures/um'}/${everyOf(period)}`;
    return of === 'fundings'
      ? `${folder}/fundingRate/${market}/${market}-fundingRate-${period}.zip`
      : `${folder}/klines/${market}/${of}/${market}-${of}-${period}.zip`;
  },
  hasHours: true,
  hasChecksum: true,
  early: 0,
  candles: {
    order:
      'open_time,open,high,low,close,volume,close_time,quote_volume,count,taker_buy_volume,taker_buy_quote_volume,ignore',
    columns: {
      time: 'open_time',
      close: 'close',
      turnover: 'quote_volume',
      bought: 'taker_buy_quote_volume',
    },
  },
  fundings: {
    order: 'calc_time,funding_interval_hours,last_funding_rate',
    columns: { time: 'calc_time', rate: 'last_funding_rate', hours: 'funding_interval_hours' },
  },
};

/**
 * https://www.okx.com/historical-data, by the files themselves: they have no description. Days and months are those of UTC+8. `confirm`
 * says nothing: it is 0 in whole months. The fundings of all markets by day (`allswap-…`) are not read: older ones of them state the
 * expected rate and the time of the next settlement.
 */
const okx: Archive = {
  exchange: 'okx',
  api: apiOf('https://static.okx.com'),
  path({ market, of }, period) {
    const [folder, what] =
      of === 'fundings' ? ['swaprates', 'fundingrates'] : ['candlesticks', 'candlesticks'];
    const place = `${folder}/${everyOf(period)}/${period.replaceAll('-', '')}`;
    return `/cdn/okex/traderecords/${place}/${market}-${what}-${period}.zip`;
  },
  hasHours: false,
  hasChecksum: false,
  early: 8 * hour,
  candles: {
    order: 'instrument_name,open,high,low,close,vol,vol_ccy,vol_quote,open_time,confirm',
    columns: { market: 'instrument_name', time: 'open_time', close: 'close' },
  },
  fundings: {
    order: 'instrument_name,funding_rate,funding_time',
    columns: { market: 'instrument_name', time: 'funding_time', rate: 'funding_rate' },
  },
};

/** In the order in which they are asked: that of Binance states what takers bought as well. */
export const archives = [binance, okx] as const;
