import t from 'tap';
import { okx } from '../../../../actors/venues/okx/index.ts';
import { contextOf, instrumentOf, ownPoll } from '../fixtures.ts';
import { context as listing } from '../stream-suite.ts';
import { wholeVenue } from '../suite/index.ts';

const nothing = { received: 0, instruments: new Map() };

t.test('a live contract without a size is dropped', async (t) => {
  const row = { instId: 'BTC-USDT-SWAP', instType: 'SWAP', state: 'live', ctMult: '1' };
  const rows = [
    { ...row, ctType: 'linear', ctVal: '' },
    { ...row, ctType: '', ctVal: '1' },
    { ...row, ctType: 'linear', ctVal: '0' },
    { ...row, instId: 'BTCUSDT', ctType: 'linear', ctVal: '1' },
  ];
  const listed = ownPoll(okx, 'instruments', 'swap');
  const parsed = listed.parse([{ code: '0', data: rows }], nothing);
  t.strictSame(parsed.rows, []);
  t.strictSame(parsed.dropped.at(-1), { key: 'BTCUSDT', code: 'bad_row' }, 'not an OKX id');
});

t.test('a contract of which nothing is matched for a while stays listed', async (t) => {
  const contract = { instType: 'SWAP', ctType: 'linear', ctVal: '0.1', ctMult: '1' };
  const states = ['live', 'post_only', 'suspend', 'preopen', 'rebase', 'test'];
  const data = states.map((state) => ({ ...contract, instId: `${state}-USDT-SWAP`, state }));
  const listed = ownPoll(okx, 'instruments', 'swap');
  t.strictSame(
    listed.parse([{ code: '0', data }], nothing).rows.map(({ kind }) => kind),
    ['perpetual', 'perpetual', 'other', 'other', 'other', 'other'],
  );
});

t.test('derivatives: one quote may have no index, all of them may not', async (t) => {
  const swap = ownPoll(okx, 'derivatives', 'swap');
  const listed = listing([{ market: 'A-USDT-SWAP' }, { market: 'B-USDT-SWAP' }]);
  const body = (...data: object[]) => ({ code: '0', msg: '', data });
  const marks = body({ instId: 'A-USDT-SWAP', markPx: '2', ts: '9' });
  const funding = body({ instId: 'B-USDT-SWAP', fundingRate: '0.1' });
  const index = body({ instId: 'A-USDT', idxPx: '3' });
  const { rows } = swap.parse([marks, funding, body(), index, body()], listed);
  t.match(rows, [
    { market: 'A-USDT-SWAP', mark: 2, index: 3, funding_rate: null, next_funding: null },
  ]);
  for (const bodies of [
    [marks, funding, body(), body(), body()],
    [marks, body(), index, index, index],
    [body(), funding, index, index, index],
    [undefined, funding, index, index, index],
  ]) {
    t.throws(() => swap.parse(bodies, listed), { name: 'ShapeError' });
  }
  const alone = swap.parse([marks, undefined, undefined, undefined, undefined], listed);
  t.match(alone.rows, [{ market: 'A-USDT-SWAP', mark: 2, index: null, funding_rate: null }]);
});

t.test('open interest: coins that the contracts beside them contradict are doubted', async (t) => {
  const swap = ownPoll(okx, 'openInterest', 'swap');
  const found = (instId: string, oi: string, oiCcy: string) => {
    const body = { code: '0', data: [{ instId, oi, oiCcy }] };
    const marks = { code: '0', data: [{ instId, markPx: '100000' }] };
    return swap.parse([body, marks], contextOf(okx, 'swap')).rows[0]?.doubt;
  };
  t.equal(found('BTC-USDT-SWAP', '2500000', '25000'), undefined, 'of 0.01 BTC each');
  t.equal(found('BTC-USDT-SWAP', '2500000', '25000000000'), 'unit');
  t.equal(found('BTC-USD-SWAP', '2000000', '2000'), undefined, 'of 100 USD each');
  t.equal(found('BTC-USD-SWAP', '2000000', '2'), 'unit');
});

t.test(
  'before its interval changes, the running rate is for the hours since the last funding',
  async (t) => {
    const swap = ownPoll(okx, 'derivatives', 'swap');
    const id = 'QRS-USDT-SWAP';
    const at = Date.UTC(2026, 2, 1, 16);
    const hoursOf = (since: number | '', next: number) => {
      const time = (hours: number) => `${at + hours * 3_600_000}`;
      const row = {
        instId: id,
        fundingRate: '0.0008',
        fundingTime: `${at}`,
        prevFundingTime: since && time(-since),
        nextFundingTime: time(next),
      };
      const bodies = [{ data: [{ instId: id, markPx: '2.5' }] }, { data: [row] }];
      const { rows } = swap.parse(bodies, listing([{ market: id }]));
      return rows.map(({ funding_hours, funding_rate_8h }) => [funding_hours, funding_rate_8h]);
    };
    t.strictSame(hoursOf(8, 1), [[8, 0.0008]], 'from 8 hours to 1');
    t.strictSame(hoursOf(1, 8), [[1, 0.0064]], 'from 1 hour to 8');
    t.strictSame(hoursOf('', 4), [[4, 0.0016]], 'the first funding of a contract');
    t.strictSame(hoursOf(5, 8), [[8, 0.0008]], 'what was left of 8 hours at a change');
  },
);

wholeVenue(t, okx);

t.test('statistics of a currency are asked by its name at OKX: GRAM is TON there', async (t) => {
  const { longShort, takerVolume } = okx.queries;
  const asked = { interval: '1h', limit: 5, now: 0, kind: undefined } as const;
  const of = (part: 'spot' | 'swap', market: string) => ({
    ...asked,
    part,
    market,
    range: null,
    of: 'accounts' as const,
    instrument: {
      ...instrumentOf(okx, part, part === 'spot' ? 'BTC-USDT' : 'BTC-USDT-SWAP'),
      market,
      symbol: 'GRAM',
    },
  });
  t.match(longShort?.requests(of('swap', 'TON-USDT-SWAP')), [{ query: { ccy: 'TON' } }]);
  t.match(takerVolume?.requests(of('spot', 'TON-USDT')), [{ query: { ccy: 'TON' } }]);
});
