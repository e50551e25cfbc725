/** What a publisher makes of the bodies of a poll, one poll after the other. */
import t from 'tap';
import { type Failure, failed, ShapeError } from '../../../../actors/failure.ts';
import type { Parsed } from '../../../../actors/sources/define.ts';
import {
  type Gathered,
  Publisher,
  type PublisherOptions,
} from '../../../../actors/sources/polling/publisher.ts';
import { StatusRow } from '../../../../actors/sources/status/status.ts';
import type { PriceRow, Reading } from '../../../../actors/topics/index.ts';
import { price } from '../../../support/feed-stage.ts';
import { rowsAlone } from '../../../support/guarded.ts';
import { listed } from '../../venues/stream-suite.ts';

const start = 1_700_000_000_000;
const timeout = failed('timeout', 'late').failure;
const reading = (rows: PriceRow[], received = start): Reading<PriceRow> => ({
  source: 'x',
  part: 'all',
  asked: received,
  received,
  rows,
});
const four = ['B', 'C', 'D', 'E'].map((market) => price(market, 1));

/** A publisher whose bodies are the parsed rows; a text is a body that cannot be read. */
function setup(options: Partial<PublisherOptions<PriceRow>> = {}) {
  const published: Reading<PriceRow>[] = [];
  const state = { unknown: 0, frozen: false, refusal: null as Failure | null };
  const watched: unknown[] = [];
  const status = new StatusRow({ source: 'x', topic: 'prices', part: 'all' }, () => {});
  const publisher = new Publisher<PriceRow>({
    source: 'x',
    topic: 'prices',
    part: 'all',
    partial: false,
    status,
    rows: rowsAlone().of('prices', 'all', 30_000),
    parse([body]) {
      if (typeof body === 'string') throw new ShapeError(body);
      return body as Parsed<PriceRow>;
    },
    previous: async () => undefined,
    publish: async (one) => {
      if (state.refusal === null) published.push(one);
      return state.refusal;
    },
    watch(rows, received) {
      watched.push([rows.length, received]);
      return state.frozen;
    },
    onUnknown: () => state.unknown++,
    ...options,
  });
  const take = (body: unknown, after = 0, more: Partial<Gathered> = {}) => {
    const received = start + after;
    const around = { bodies: [body], asked: received - 40, received, lost: 0, missing: null };
    const context = { received, instruments: listed([{ market: 'A' }, { market: 'B' }]) };
    return publisher.take({ ...around, ...more }, context);
  };
  return { publisher, published, state, status, take, watched };
}

t.test('a reading is published with its times, and the status says so', async (t) => {
  const { published, status, take, watched } = setup();
  t.equal(await take({ rows: [price('A', 1)], dropped: [] }), null);
  t.strictSame(published, [{ ...reading([price('A', 1)]), asked: start - 40 }]);
  t.strictSame(watched, [[1, start]]);
  const up = { state: 'up', reason: null, last_success: start, latency_ms: 40, rows: 1 };
  t.match(status.values, { ...up, dropped: {}, failures: 0, last_error: null });
});

t.test('rows that are not used are counted by reason', async (t) => {
  const { published, state, status, take } = setup();
  const dropped = ['NEW', 'ODD'].map((key) => ({ key, code: 'unknown_instrument' }));
  const rows = [price('A', 1), price('B', 2), price('A', 3), price('A', 1)];
  await take({ rows, dropped }, 0, { lost: 1, missing: timeout });
  t.strictSame(published[0]?.rows, [price('A', 1), price('B', 2)], 'the first row of a market');
  t.strictSame(status.values.dropped, {
    request_failed: 1,
    unknown_instrument: 2,
    duplicate: 2,
  });
  t.match(status.values, { state: 'up', last_error: { code: 'timeout', at: start } });
  t.equal(state.unknown, 1, 'the lists are read again');
  await take({ rows, dropped: [{ key: 'A', code: 'bad_row' }] });
  t.equal(state.unknown, 1);
});

t.test('a body of a wrong shape and too many bad rows are refused whole', async (t) => {
  const { published, state, status, take } = setup();
  t.match(await take('not a list'), { code: 'shape', message: 'not a list' });
  const bad = ['X', 'Y'].map((key) => ({ key, code: 'bad_row' }));
  const message = '2 of 6 rows are unreadable';
  t.match(await take({ rows: four, dropped: bad }), { code: 'shape', message });
  state.refusal = timeout;
  t.equal(await take({ rows: four, dropped: [] }), timeout, 'the bus has not taken it');
  t.match(status.values, { state: 'waiting', last_success: null });
  state.refusal = null;
  t.equal(await take({ rows: four, dropped: bad.slice(1) }), null, 'a fifth is accepted');
  t.match(published, [{ rows: four }]);
});

t.test('a bad row keeps its last good value until that is too old', async (t) => {
  const { published, take } = setup();
  await take({ rows: [price('A', 7), ...four], dropped: [] });
  const kept = async (after: number) => {
    await take({ rows: four, dropped: [{ key: 'A', code: 'bad_row' }] }, after);
    return published.at(-1)?.rows.slice(4);
  };
  const own = [{ ...price('A', 7), received: start }];
  t.strictSame([await kept(30_000), await kept(300_000), await kept(300_001)], [own, own, []]);
});

t.test('the last reading of another process is used', async (t) => {
  const before = reading([price('A', 3)], start - 60_000);
  const { publisher, published, status, take } = setup({ previous: async () => before });
  await publisher.open();
  t.match(status.values, { state: 'waiting', last_success: start - 60_000, rows: 1 });
  await take({ rows: four, dropped: [{ key: 'A', code: 'bad_row' }] });
  t.match(published[0]?.rows.at(-1), { market: 'A', price: 3, received: start - 60_000 });
  await publisher.open();
  t.match(status.values, { last_success: start, rows: 5 }, 'the status knows better');
  const none = setup();
  await none.publisher.open();
  t.match(none.status.values, { last_success: null, rows: 0 });
});

t.test('a poll of some markets keeps the rows of the others that are listed', async (t) => {
  const previous = async () => reading([price('A', 1), price('B', 1), price('GONE', 1)]);
  for (const partial of [true, false]) {
    const { publisher, published, take } = setup({ partial, previous });
    await publisher.open();
    await take({ rows: [price('A', 1.1)], dropped: [] }, 50);
    const others = partial ? [{ ...price('B', 1), received: start }] : [];
    t.strictSame(published[0]?.rows, [price('A', 1.1), ...others]);
  }
  const { publisher, published, take } = setup({ partial: true, previous });
  await publisher.open();
  const kept = async (after: number) => {
    await take({ rows: [], dropped: [] }, after);
    return published.at(-1)?.rows.map(({ market }) => market);
  };
  t.strictSame([await kept(300_000), await kept(300_001)], [['A', 'B'], []], 'not what is too old');
});

t.test('rows that are held back are named, and their last good ones are kept', async (t) => {
  const many = Array.from({ length: 21 }, (_, at) => price(`M${at}`, 1));
  const previous = async () => reading([price('A', 1), ...many]);
  const { publisher, published, status, take } = setup({ previous });
  await publisher.open();
  const jumped = many.map((row) => ({ ...row, price: 2 }));
  const dropped = [{ key: 'A', code: 'bad_row' }];
  await take({ rows: [...jumped, ...four], dropped }, 50);
  const kept = [...many, price('A', 1)].map((row) => ({ ...row, received: start }));
  t.match(published[0]?.rows, [...kept.slice(0, 21), ...four, ...kept.slice(21)]);
  const named = many.map(({ market, symbol }) => ({ market, symbol }));
  t.strictSame(published[0]?.suspect, named);
  t.strictSame(status.values.dropped, { bad_row: 1, suspect: 21 });
  const names = named.slice(0, 20).map(({ market }) => market);
  t.strictSame(status.values.suspect, names, 'the first twenty of them');
});

t.test('a frozen part is marked, a closed one states its reason', async (t) => {
  const { published, state, status, take } = setup();
  const good = { rows: [price('A', 1)], dropped: [] };
  const closed = { rows: [], dropped: [], closed: 'every market is PAUSED' };
  const states = async (body: unknown) => {
    await take(body);
    return [status.values.state, status.values.reason, published.at(-1)?.frozen];
  };
  state.frozen = true;
  t.strictSame(await states(good), ['frozen', null, true]);
  t.strictSame(await states(closed), ['closed', closed.closed, true]);
  state.frozen = false;
  t.strictSame(await states(closed), ['closed', closed.closed, undefined]);
  t.strictSame(published.at(-1)?.rows, [], 'its prices leave');
  t.strictSame(await states(good), ['up', null, undefined]);
});
