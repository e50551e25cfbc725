import t from 'tap';
import { mexc } from '../../../../actors/venues/mexc/index.ts';
import { received } from '../fixtures.ts';
import { wholeVenue } from '../suite/index.ts';

const { parse } = mexc.feeds.instruments.parts.contracts;
const nothing = { received, instruments: new Map() };

t.test('scales in names, dated contracts, metals, names in Chinese', async (t) => {
  const detail = (symbol: string, baseCoin: string, over = {}) => ({
    symbol,
    baseCoin,
    quoteCoin: 'USDT',
    settleCoin: 'USDT',
    contractSize: 10,
    state: 0,
    isHidden: false,
    ...over,
  });
  const data = [
    detail('1000RATS_USDT', 'RATS'),
    detail('PEPE_USDT', 'PEPE', { futureType: 1 }),
    detail('BTC_USDT_260925', 'BTC', { futureType: 2 }),
    detail('GOLD(XAUT)_USDT', 'GOLD(XAUT)'),
    detail('LONGXIA_USDT', 'LONGXIA', { baseCoinName: '龙虾' }),
    detail('FUN_USDT', 'FUN', { baseCoinName: 'FUNTOKEN' }),
  ];
  const { rows } = parse([{ success: true, code: 0, data }], nothing).instruments;
  t.match(rows, [
    { symbol: 'RATS', scale: 1000, kind: 'perpetual' },
    { symbol: 'PEPE', scale: 1, kind: 'perpetual' },
    { symbol: 'BTC', kind: 'other' },
    { symbol: 'XAUT', kind: 'perpetual' },
    { symbol: '龙虾', kind: 'perpetual' },
    { symbol: 'FUN', kind: 'perpetual' },
  ]);
});

wholeVenue(t, mexc);
