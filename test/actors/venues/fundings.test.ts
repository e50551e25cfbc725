/** Settled fundings by tables: their columns, their hours, which there are, and what is asked for beside a range. */
import t from 'tap';
import type { UpstreamRequest } from '../../../actors/upstream/request.ts';
import { binance } from '../../../actors/venues/binance/index.ts';
import { bitget } from '../../../actors/venues/bitget/index.ts';
import { fundingStep, fundings, withHours } from '../../../actors/venues/fundings.ts';
import { htx } from '../../../actors/venues/htx/index.ts';
import { kucoin } from '../../../actors/venues/kucoin/index.ts';
import { instrument } from '../../support/makers.ts';
import { sameRows } from '../../support/table.ts';

const hour = 3_600_000;
/** 2023-11-13 22:00 UTC. */
const start = 1_699_912_800_000;
const now = start + 24 * hour;
/** A contract is 10 lots of 1,000 coins. */
const pepe = instrument({
  market: 'PEPE',
  symbol: 'PEPE',
  scale: 1_000,
  contract: 10,
  funding_hours: 8,
});
const asked = { market: 'PEPE', part: 'linear', instrument: pepe, now, limit: 100 };
const table = {
  page: 200,
  rows: 'data',
  at: 't',
  requests: () => [{ api: 'rest', path: '/series' }],
};
const bodyOf = (...rows: object[]) => [{ data: rows }];

t.test('settled fundings, by the hour or with the hours between them', async (t) => {
  const rows = [0, 4, 12].map((hours, i) => ({
    t: start + hours * hour,
    r: `0.000${i + 1}`,
    p: `0.00${i + 4}`,
    m: `${i + 5}000`,
    x: `-0.0${i + 1}`,
  }));
  const columns = { rate: 'r', predicted: 'p', mark: 'm', premium: 'x' };
  sameRows(t, fundings({ ...table, columns }).parse(bodyOf(...rows), asked).points)`
    timestamp            rate   hours predicted mark premium
    ${start}             0.0001 4     0.004     5    -0.01
    ${start + 4 * hour}  0.0002 4     0.005     6    -0.02
    ${start + 12 * hour} 0.0003 8     0.006     7    -0.03
  `;
  const hourly = fundings({ ...table, hours: 1, columns: { rate: 'r' } });
  t.strictSame(hourly.parse(bodyOf(...rows.slice(0, 2)), asked).points, [
    { timestamp: start, rate: 0.0001, hours: 1 },
    { timestamp: start + 4 * hour, rate: 0.0002, hours: 1 },
  ]);
  const vague = { t: start, r: '0', p: 'x', m: '0', x: '' };
  const lone = (at: number) =>
    fundings({ ...table, columns }).parse(bodyOf(vague), { ...asked, now: at }).points;
  t.strictSame(lone(now), [{ timestamp: start, rate: 0, hours: 8 }], 'the hours of its instrument');
  t.match(lone(now + 1), [{ hours: null }], 'those of today are not those of an older row');
});

t.test('which fundings an exchange has', async (t) => {
  const columns = { rate: 'r' };
  const some = fundings({ ...table, columns, has: (part) => part === 'linear' });
  t.match(some.page(asked), { limit: 176 }, 'those of a day before them are asked for too');
  t.equal(some.page({ ...asked, part: 'inverse' }), null);
  t.equal(some.page({ ...asked, instrument: { ...pepe, kind: 'spot' } }), null);
  const all = fundings({ ...table, columns, whole: true, has: (part) => part === 'linear' });
  const range = { ...asked, from: start, to: start + hour, kind: 'perpetual' as const };
  t.strictSame(all.page(range), { market: 'PEPE', kind: 'perpetual', limit: 200 });
  t.equal(all.page({ ...range, part: 'inverse' }), null);
  const wrong = [
    { t: start, r: '1' },
    ...Array.from({ length: 4 }, (_, i) => ({ t: start + i + 1, r: 0 })),
  ];
  t.equal(all.ttl, 300_000);
  for (const one of [some, fundings({ ...table, columns, hours: 1 })]) {
    const { points } = one.parse(bodyOf(...wrong), asked);
    t.equal(points.length, 4, 'no exchange charges the whole position');
  }
});

t.test('the hours of fundings; rows that cannot be used stay, to be counted', async (t) => {
  const points = [NaN, NaN, 0.99, -0.99].map((rate, i) => ({
    timestamp: i + 1,
    rate,
    hours: null,
  }));
  const late = { timestamp: 4 * hour, rate: 0, hours: null };
  const spoiled = [0, NaN].map((timestamp) => ({ ...late, timestamp }));
  const short = { ...pepe, funding_hours: 4 };
  const at = { running: 4, now: 5 * hour, isCut: false };
  t.strictSame(
    withHours([...spoiled, ...points, late], at).map((one) => [one.timestamp, one.hours]),
    [
      [0, null],
      [NaN, null],
      [1, null],
      [2, null],
      [3, 1],
      [4, 1],
      [4 * hour, 4],
    ],
  );
  t.match(withHours([{ timestamp: 1, rate: 0, hours: null }], at), [{ hours: 4 }]);
  const cut = withHours([...points, late], { ...at, isCut: true });
  t.strictSame(
    cut.map((one) => one.hours),
    [null, null, null, 1, 4],
    'of the first one nothing is known where those before it are missing',
  );
  const steps = [short, { ...pepe, funding_hours: null }, { ...pepe, kind: 'spot' as const }];
  t.strictSame(
    steps.map((one) => fundingStep({ instrument: one })),
    [4 * hour, 8 * hour, null],
  );
});

t.test(
  'the rows of a day before a range are asked for: the hours of its first one need them',
  async (t) => {
    const { fundingHistory } = binance.queries;
    const range = { from: now - 80 * hour, to: now - hour };
    const page = fundingHistory.page?.({ ...asked, part: 'linear', ...range });
    const question = { ...asked, part: 'linear' as const, ...page, instrument: pepe, now };
    t.match(fundingHistory.requests(question), [
      { query: { startTime: range.from - 24 * hour, endTime: range.to, limit: 1000 } },
    ]);
    // The last of 8 hours is the first of the range.
    const rows = [-8, 0, 1, 2].map((at) => ({
      fundingTime: range.from + at * hour,
      fundingRate: '0.0008',
    }));
    const whole = fundingHistory.parse([rows], question, now);
    t.strictSame(
      fundingHistory
        .slice?.(whole, { ...question, ...range, limit: 9 })
        ?.points.map(({ timestamp, hours }) => [(timestamp - range.from) / hour, hours]),
      [
        [0, 8],
        [1, 1],
        [2, 1],
      ],
    );
  },
);

t.test(
  'Binance: the rows up to a time are the last ones before it, whatever the interval was',
  async (t) => {
    const { fundingHistory } = binance.queries;
    const to = Date.UTC(2023, 10, 1);
    // Of one hour in the last forty days, of eight before that and today.
    const settled = [
      ...Array.from({ length: 960 }, (_, i) => to - i * hour),
      ...Array.from({ length: 1_100 }, (_, i) => to - 960 * hour - i * 8 * hour),
    ].toReversed();
    const question = {
      ...asked,
      kind: 'perpetual' as const,
      to,
      instrument: { ...pepe, funding_hours: 8 },
    };
    const page = {
      ...question,
      ...fundingHistory.page?.(question),
      instrument: question.instrument,
      now,
    };
    const bodies = fundingHistory.requests(page).map(({ query = {} }) => {
      const [start, end] = [Number(query.startTime), Number(query.endTime)];
      return settled
        .filter((at) => at >= start && at <= end)
        .slice(0, Number(query.limit))
        .map((at) => ({ fundingTime: at, fundingRate: '0.0001' }));
    });
    const found = fundingHistory.parse(bodies, page, now);
    const { points } = fundingHistory.slice?.(found, question) ?? found;
    t.strictSame(
      points.map(({ timestamp, hours: of }) => [(to - timestamp) / hour, of]),
      Array.from({ length: 100 }, (_, i) => [99 - i, 1]),
    );
  },
);

t.test(
  'Bitget: the rows up to a time, of a contract that had another interval before',
  async (t) => {
    const { fundingHistory } = bitget.queries;
    /** Of four hours in the last fifty days, of `hours` before that, newest first. */
    const settled = (hours: number) => [
      ...Array.from({ length: 300 }, (_, i) => start - i * 4 * hour),
      ...Array.from({ length: 4_000 }, (_, i) => start - 300 * 4 * hour - i * hours * hour),
    ];
    const upTo = (hours: number, days: number) => {
      const to = start - days * 24 * hour;
      const four = { ...pepe, funding_hours: 4 };
      const question = { ...asked, part: 'usdt-futures', limit: 50, to, instrument: four };
      const paged = { ...question, ...fundingHistory.page?.(question), instrument: four, now };
      const bodies = fundingHistory.requests(paged).map(({ query = {} }) => {
        const first = (Number(query.pageNo) - 1) * 100;
        const times = settled(hours).slice(first, first + 100);
        return { data: times.map((at) => ({ fundingTime: `${at}`, fundingRate: '0.0001' })) };
      });
      const found = fundingHistory.parse(bodies, paged, now);
      const { points } = fundingHistory.slice?.(found, question) ?? found;
      return points.map(({ timestamp, hours: of }) => [(to - timestamp) / hour, of]);
    };
    const last = (hours: number) => Array.from({ length: 50 }, (_, i) => [(49 - i) * hours, hours]);
    t.strictSame(upTo(4, 150), last(4));
    t.strictSame(upTo(8, 150), last(8));
    t.throws(() => upTo(1, 150), { name: 'ShapeError' }, 'not on these pages');
  },
);

/** Of four hours in the last sixty days, of one in the twenty before, of eight before that; newest first, with their hours. */
const changing = [
  ...Array.from({ length: 360 }, (_, i) => ({ at: start - i * 4 * hour, hours: 4 })),
  ...Array.from({ length: 480 }, (_, i) => ({ at: start - (1_440 + i) * hour, hours: 1 })),
  ...Array.from({ length: 900 }, (_, i) => ({ at: start - (1_920 + i * 8) * hour, hours: 8 })),
];

/** What an exchange answers that gives the newest hundred rows of a range. */
const newestOf = (first = 0, last = now) =>
  changing.filter(({ at }) => at >= first && at <= last).slice(0, 100);
const answers: Readonly<Record<string, (request: UpstreamRequest) => object>> = {
  kucoin: ({ query = {} }: UpstreamRequest) => ({
    data: newestOf(Number(query.from), Number(query.to)).map(({ at }) => ({
      timepoint: at,
      fundingRate: 0.0001,
    })),
  }),
  htx: ({ query = {} }: UpstreamRequest) => ({
    data: newestOf(Number(query.start_time), Number(query.end_time)).map(({ at }) => ({
      funding_time: `${at}`,
      funding_rate: '0.0001',
    })),
  }),
};

t.test('KuCoin, HTX: the hours of old fundings are those that were charged', async (t) => {
  const four = { ...pepe, funding_hours: 4 };
  for (const [name, part, query] of [
    ['kucoin', 'futures', kucoin.queries.fundingHistory],
    ['htx', 'linear', htx.queries.fundingHistory],
  ] as const) {
    const ask = (range: { from?: number; to: number; limit: number }) => {
      const question = { ...asked, kind: 'perpetual' as const, part, ...range, instrument: four };
      const paged = { ...question, ...query.page?.(question), instrument: four, now };
      const bodies = query.requests(paged).map((request) => answers[name]?.(request));
      const whole = query.parse(bodies, paged, now);
      return query.slice?.(whole, question) ?? whole;
    };
    for (let days = 0; days <= 120; days++) {
      const to = start - days * 24 * hour;
      const before = changing.filter(({ at }) => at <= to);
      const upTo = ask({ to, limit: 60 }).points;
      t.strictSame(
        upTo.map(({ timestamp: at, hours }) => ({ at, hours })),
        before.slice(0, 60).toReversed(),
        `${name}: up to ${days} days ago`,
      );
      for (const [long, limit] of [
        [0, 1],
        [5, 10],
        [120, 500],
      ] as const) {
        const from = to - long * hour;
        const { points, reached = to } = ask({ from, to, limit });
        t.strictSame(
          points.map(({ timestamp: at, hours }) => ({ at, hours })),
          before
            .filter(({ at }) => at >= from && at <= reached)
            .toReversed()
            .slice(0, limit),
          `${name}: ${long} hours, ${days} days ago`,
        );
      }
    }
  }
});
