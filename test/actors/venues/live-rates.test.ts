/** Mark prices, funding and open interest by stream: genuine recordings where there are any, and the simulator. `suite/streams.ts` has their fixtures. */
import t from 'tap';
import type { InstrumentMap } from '../../../actors/sources/define.ts';
import type { Venue } from '../../../actors/sources/venue.ts';
import { venues } from '../../../actors/venues/registry.ts';
import type { Market } from '../../../scripts/simulator/market.ts';
import { absent, recording } from '../../support/recordings.ts';
import { tableOf, wordIn } from '../../support/table.ts';
import { context, instrumentIn, rounded } from './stream-suite.ts';
import { type Row, ratesOf } from './suite/streams.ts';
import { model, now, tellings } from './telling.ts';

const beside = Object.values<Venue>(venues).flatMap(ratesOf);

/** What is wrong with a streamed row, by the world; fields that are null are not sent. */
function faults(market: Market | undefined, row: Row): string[] {
  if (market === undefined) return [`${row.market} is none`];
  const worth = market.openInterest(now) * market.exact(now);
  const [mark, index] = [market.exact(now) / market.scale, market.index(now) / market.scale];
  const { next } = market.fundingTimes(now);
  const charged = market.fundingRate(next) * (8 / market.fundingHours);
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

/** The frames of one connection joined by `+`, the instrument that they are about, and what the row of the last one states. */
const recorded = tableOf('recorded/rates');
const status = { event: 'subscribed', channel: 'status', key: 'deriv:tBTCF0:USTF0' };
const subscription = { ...status, chanId: 759_363 };

t.test('recorded frames', { skip: absent }, (t) => {
  for (const row of recorded) {
    const { topic, stream: of, frames, market, symbol, contract, ...stated } = row;
    const stream = beside.find((one) => one.topic === topic && one.name === of)?.stream;
    const [venue = ''] = wordIn(of).split('/');
    const at = { ...context([instrumentIn(row)]), connection: {} };
    const read = wordIn(frames)
      .split('+')
      .map((frame) => (frame === 'subscribed' ? subscription : recording(venue, frame)?.response))
      .map((message) => stream?.parse(message, at)?.rows);
    t.match(rounded(read.at(-1) ?? []), rounded([stated]), `${topic} ${of}`);
  }
  t.end();
});
