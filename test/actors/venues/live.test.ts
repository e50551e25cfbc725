/** Every stream of prices in the registry: genuine recordings where there are any, and the simulator. `suite/streams.ts` has their fixtures. */
import t from 'tap';
import type { Venue } from '../../../actors/sources/venue.ts';
import { venues } from '../../../actors/venues/registry.ts';
import { guarded } from '../../support/guarded.ts';
import { absent, recording } from '../../support/recordings.ts';
import { tableOf, wordIn } from '../../support/table.ts';
import { upstream, worldOf } from './readings.ts';
import { context, instrumentIn, rounded } from './stream-suite.ts';
import { pricesOf } from './suite/streams.ts';
import { now, tellings } from './telling.ts';

const streams = Object.values<Venue>(venues).flatMap((venue) =>
  pricesOf(venue).map((one) => ({
    ...one,
    listed: () => worldOf(venue, one.part, upstream(venue)),
  })),
);

/** Recorded frames: the stream, an instrument, and its price, high and turnover; none where the frame has no price. */
const recorded = tableOf('recorded/prices');

const subscribed = { event: 'subscribed', channel: 'ticker', chanId: 147_794, symbol: 'tBTCUSD' };
/** The messages of a connection where the recording is a part of one, or needs one before it. */
const whole: Readonly<Record<string, (frame: unknown) => readonly unknown[]>> = {
  'binance/ws-spot-mini-ticker': (one) => [[one]],
  'bitfinex/ws-spot-ticker': (frame) => [subscribed, frame],
  'cryptocom/ws-perp-ticker': (result) => [{ id: -1, method: 'subscribe', code: 0, result }],
};

t.test('recorded frames', { skip: absent }, async (t) => {
  for (const row of recorded) {
    const [file, name] = [wordIn(row.file), wordIn(row.stream)];
    const [venue = '', frame = ''] = file.split('/');
    const message = recording(venue, frame)?.response;
    const stream = streams.find((one) => one.name === name)?.stream;
    const at = { ...context([instrumentIn(row)]), connection: {} };
    const sent = whole[file]?.(message) ?? [message];
    const parsed = sent.map((one) => stream?.parse(one, at)).at(-1) ?? { rows: [], dropped: [] };
    const { rows } = guarded('prices', parsed, Number.MAX_SAFE_INTEGER);
    const found = rows.map(({ price, high, volume }) => [price, high, volume]);
    const wanted = row.price === undefined ? [] : [[row.price, row.high, row.volume]];
    t.strictSame(rounded(found), rounded(wanted), file);
  }
});

t.test('the simulator sends the prices of its world', async (t) => {
  for (const { name, id, stream, listed } of streams) {
    const wants = name.endsWith('/spot') ? 'spot' : 'perpetual';
    const { own, told, instruments } = tellings(id, stream, { wants, first: false });
    const at = { received: now, instruments, connection: {} };
    const parsed = told.map((message) => stream.parse(message, at));
    const rows = parsed.flatMap((found) => found?.rows ?? []);
    const list = listed();
    const all = own.filter(({ market }) => list.has(market)).length;
    t.ok(
      rows.length >= Math.min(3, all) && rows.length > (all === 1 ? 0 : 1),
      `${name}: there are some`,
    );
    const wrong = rows.filter(({ market, price }) => {
      const truth = own.find((one) => one.market === market);
      return !truth || Math.abs(price / truth.price - 1) > 0.001;
    });
    t.strictSame(wrong, [], `${name}: they are right`);
  }
});
