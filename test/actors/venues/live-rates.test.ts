/** Mark prices, funding and open interest by stream: genuine recordings where there are any, and the simulator. `suite/rates.ts` has their fixtures. */
import t from 'tap';
import type { InstrumentMap } from '../../../actors/sources/define.ts';
import type { Venue } from '../../../actors/sources/venue.ts';
import type { Instrument } from '../../../actors/topics/index.ts';
import { venues } from '../../../actors/venues/registry.ts';
import type { Market } from '../../../scripts/simulator/market.ts';
import { absent, recording } from '../../support/recordings.ts';
import { context, rounded } from './stream-suite.ts';
import { type Row, ratesOf } from './suite/rates.ts';
import { model, now, tellings } from './telling.ts';

const beside = Object.values<Venue>(venues).flatMap(ratesOf);

/** What is wrong with a streamed row, by the world; fields that are null are not sent. */
function faults(market: Market | undefined, row: Row): string[] {
  if (market === undefined) return [`${row.market} is none`];
  const worth = market.openInterest(now) * market.exact(now);
  const [mark, index] = [market.exact(now) / market.scale, market.index(now) / market.scale];
  const { next } = market.fundingTimes(now);
  // Bitfinex states the rate that was set at the funding before.
  const at = row.market.endsWith(':USTF0') ? next - 28_800_000 : next;
  const charged = market.fundingRate(at) * (8 / market.fundingHours);
  const pairs: [number | null, number, number][] =
    'value' in row
      ? [[row.value, worth, 0.01]]
      : [
          [row.mark, mark, 0.001],
          [row.index, index, 0.001],
          // Some send the rate of the running hour.
          [row.next_funding === next ? row.funding_rate_8h : null, charged, 0.02],
        ];
  const isWrong = ([ours, truth, error]: (typeof pairs)[number]) =>
    ours !== null && Math.abs(ours - truth) > error * Math.abs(truth);
  return pairs.filter(isWrong).map(([ours, truth]) => `${row.market}: ${ours}, not ${truth}`);
}

/** The perpetuals of a part. */
const perpetualsOf = (part: string, all: InstrumentMap): InstrumentMap =>
  new Map(
    [...all].filter(
      ([, { kind, inverse }]) =>
        kind === 'perpetual' && part.endsWith(inverse ? '/linear' : '/inverse') === false,
    ),
  );

t.test('the simulator sends the mark prices, funding and open interest of its world', async (t) => {
  for (const { id, name, stream, host } of beside) {
    const channels = (all: InstrumentMap) => host.channels(perpetualsOf(name, all));
    const { told, instruments } = tellings(
      id,
      { ...host, channels },
      { wants: 'perpetual', first: true },
    );
    const at = { received: now, instruments: perpetualsOf(name, instruments), connection: {} };
    const rows = told.flatMap((message) => stream.parse(message, at)?.rows ?? []);
    t.not(rows.length, 0, `${name}: there are some`);
    const markets = new Map(
      model
        .markets(id, now)
        .filter(({ kind }) => kind === 'perpetual')
        .map((market) => [market.id, market]),
    );
    const wrong = rows.flatMap((row) => faults(markets.get(row.market), row));
    t.strictSame(wrong, [], `${name}: they are right`);
  }
});

const wncg = { symbol: 'WNCG', market: 'WNCG-USDT-SWAP' };
const xbt = { symbol: 'BTC', market: 'XBTUSDTM', contract: 0.001 };
const btc = { symbol: 'BTC', market: 'tBTCF0:USTF0' };
const subscribed = { event: 'subscribed', channel: 'status', chanId: 759_363 };

/** Recorded frames of one connection (or what comes before them), the instrument that they are about, and the row of the last. */
const recorded: readonly [
  stream: string,
  frames: readonly (string | object)[],
  instrument: Partial<Instrument>,
  row: object,
][] = [
  [
    'derivatives okx/swap',
    ['ws-mark-price'],
    wncg,
    { mark: 2.1729, funding_rate: null, stated: 1_640_131_259_180 },
  ],
  [
    'openInterest okx/swap',
    ['ws-mark-price', 'ws-open-interest'],
    wncg,
    { units: 644_195, value: 644_195 * 2.1729, stated: 1_640_131_258_756 },
  ],
  [
    'derivatives kucoin/futures',
    ['ws-uta-funding-fee', 'ws-uta-mark-price'],
    xbt,
    {
      mark: 86_201.79,
      index: 86_248.81,
      funding_rate: -0.000_076,
      funding_hours: 8,
      next_funding: 1_790_121_600_000,
      stated: 1_790_113_097_000,
    },
  ],
  [
    'openInterest kucoin/futures',
    ['ws-uta-mark-price'],
    xbt,
    { units: 11_481.754, value: 11_481.754 * 86_201.79 },
  ],
  [
    'derivatives bitfinex/all',
    [{ ...subscribed, key: 'deriv:tBTCF0:USTF0' }, 'ws-perp-status'],
    btc,
    {
      // The rate of the running 8 hours is 0; 0.00015317 has accrued for the next funding.
      mark: 86_676.3172,
      index: 86_670.5,
      funding_rate: 0,
      funding_hours: 8,
      next_funding: 1_790_150_400_000,
      stated: 1_790_133_734_000,
    },
  ],
  [
    'openInterest bitfinex/all',
    [{ ...subscribed, key: 'deriv:tBTCF0:USTF0' }, 'ws-perp-status'],
    btc,
    { units: 8_851.893_528_31 },
  ],
  [
    'derivatives bingx/linear',
    ['ws-perp-mark-price'],
    { symbol: 'BTC', market: 'BTC-USDT' },
    { mark: 86_379.1, index: null, stated: 1_790_127_588_636 },
  ],
  [
    'derivatives htx/linear',
    ['ws-perp-linear-mark-kline'],
    { symbol: 'BTC', market: 'BTC-USDT', contract: 0.001 },
    { mark: 86_826.6, index: null, stated: 1_790_135_117_624 },
  ],
  [
    'funding htx/linear',
    ['ws-perp-linear-funding'],
    { symbol: 'BTC', market: 'BTC-USDT', contract: 0.001 },
    {
      mark: null,
      index: null,
      funding_rate: 0.000_064_355_479_737_646,
      next_funding: 1_790_150_400_000,
      stated: 1_790_135_117_894,
    },
  ],
  [
    'funding mexc/contracts',
    ['ws-perp-funding'],
    { symbol: 'BTC', market: 'BTC_USDT', contract: 0.0001 },
    {
      mark: null,
      index: null,
      funding_rate: 0.000_081,
      next_funding: 1_789_516_800_000,
      stated: 1_789_498_561_049,
    },
  ],
];

t.test('recorded frames', { skip: absent }, (t) => {
  for (const [name, frames, instrument, row] of recorded) {
    const stream = beside.find(({ topic, name: of }) => `${topic} ${of}` === name)?.stream;
    const [, venue = ''] = /(\w+)\//.exec(name) ?? [];
    const at = { ...context([instrument]), connection: {} };
    const read = frames.map((frame) => {
      const message = typeof frame === 'string' ? recording(venue, frame)?.response : frame;
      return stream?.parse(message, at)?.rows;
    });
    t.match(rounded(read.at(-1) ?? []), rounded([row]), name);
  }
  t.end();
});
