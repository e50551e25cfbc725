import t from 'tap';
import { okx } from '../../../../actors/venues/okx/index.ts';
import { sameRows } from '../../../support/table.ts';
import { contextOf, instrumentOf, kindsOf, ownPoll } from '../fixtures.ts';
import { context as listing } from '../stream-suite.ts';
import { wholeVenue } from '../suite/index.ts';

const nothing = { received: 0, instruments: new Map() };

t.test('what is followed: live crypto, spot and perpetual', async (t) => {
  const kinds = (part: string) =>
    Object.fromEntries([...contextOf(okx, part).instruments].map(([id, i]) => [id, i.kind]));
  t.match(kinds('spot'), {
    'BTC-USDT': 'spot',
    'ETH-BTC': 'spot',
    'USDC-USD': 'spot', // instCategory ''
    'OLD-USDT': 'other', // suspended
    'TSLAX-USDT': 'other', // instCategory 3, a share
    'NEW-USDT': 'other', // preopen: nothing but its id
  });
  t.strictSame(kindsOf(okx, 'swap'), {
    perpetual: 'BTC-USD-SWAP BTC-USDT-SWAP PEPE-USDT-SWAP ETH-USDC-SWAP',
    // SOL-USDT-SWAP: xperp; MUU-USDT-SWAP: a share
    other:
      'ETH-USD_UM-SWAP ETH-USD_UM_XPERP-310404 SOL-USDT-SWAP MUU-USDT-SWAP OLD-USDT-SWAP NEW-USDT-SWAP',
    future: 'BTC-USDT-260925',
  });
});

t.test('instruments', async (t) => {
  sameRows(t, [instrumentOf(okx, 'spot', 'BTC-USDT'), instrumentOf(okx, 'swap', 'BTC-USD-SWAP')])`
    market       kind      symbol quote scale contract inverse funding_hours tick
    BTC-USDT     spot      BTC    USDT  1     1        false   - 0.1
    BTC-USD-SWAP perpetual BTC    USD   1     100      true    - 0.1 // funding_hours: the funding rates say
  `;
  t.equal(instrumentOf(okx, 'swap', 'ETH-USDC-SWAP').contract, 0.01, 'ctVal 0.001 x ctMult 10');
});

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

wholeVenue(t, okx);
