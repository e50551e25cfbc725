/** Numbers of markets whose names count coins, and of tokens that have the name of another coin. */
import t from 'tap';
import { gate } from '../../../actors/venues/gate/index.ts';
import { hyperliquid } from '../../../actors/venues/hyperliquid/index.ts';
import { context, rounded } from './stream-suite.ts';

t.test('Gate: MBABYDOGE is a million BABYDOGE; MART and ART are two coins', async (t) => {
  const contract = (name: string, mark_price: string, quanto_multiplier: string) => ({
    ...{ name, type: 'direct', quanto_multiplier, mark_price, index_price: mark_price },
    ...{ funding_rate: '0.0001', funding_interval: 14_400, funding_next_apply: 1_790_006_400 },
    ...{ position_size: 30_000, status: 'trading', in_delisting: false, contract_type: '' },
  });
  const list = [
    contract('MBABYDOGE_USDT', '0.0005', '200'),
    contract('MART_USDT', '0.25', '10'),
    contract('ART_USDT', '0.75', '10'),
  ];
  const { instruments } = gate.feeds.instruments.parts.usdt.parse([list, []], context([]));
  const at = context(instruments.rows);
  t.match(rounded(gate.feeds.openInterest.parts.usdt.parse([list, []], at).openInterest.rows), [
    // 30,000 contracts of 200 million coins each, at 5e-10
    { symbol: 'BABYDOGE', units: 6e12, value: 3_000, mark: 5e-10 },
    { symbol: 'MART', units: 300_000, value: 75_000 },
    { symbol: 'ART', units: 300_000, value: 225_000 },
  ]);
  const ticker = {
    contract: 'MBABYDOGE_USDT',
    last: '0.0004',
    volume_24h_base: '7000',
    volume_24h_quote: '2.8',
    volume_24h: '35',
  };
  const { prices } = gate.feeds.prices.parts.usdt.parse([[ticker]], at);
  t.match(rounded(prices.rows), [{ symbol: 'BABYDOGE', price: 4e-10, base: 7e9, volume: 2.8 }]);
});

t.test('Hyperliquid: PUMP is the token of Unit, not the one that calls itself so', async (t) => {
  const token = (index: number, name: string, fullName: string | null) => ({
    index,
    name,
    fullName,
  });
  const tokens = [
    token(0, 'USDC', null),
    token(31, 'PUMP', null),
    token(299, 'UPUMP', 'Unit Pump'),
    token(402, 'FXRP', 'FXRP'),
  ];
  const universe = [
    { name: '@20', tokens: [31, 0], index: 20 },
    { name: '@190', tokens: [299, 0], index: 190 },
    { name: '@310', tokens: [402, 0], index: 310 },
  ];
  const about = (coin: string, midPx: string) => ({
    coin,
    midPx,
    markPx: midPx,
    prevDayPx: midPx,
    dayNtlVlm: '500',
    dayBaseVlm: '20',
  });
  const body = [
    { tokens, universe },
    [about('@20', '0.031'), about('@190', '0.0052'), about('@310', '2.25')],
  ];
  const { instruments } = hyperliquid.feeds.instruments.parts.spot.parse([body], context([]));
  const { prices } = hyperliquid.feeds.prices.parts.spot.parse([body], context(instruments.rows));
  t.strictSame(
    prices.rows.map(({ market, symbol, price }) => [market, symbol, price]),
    [
      ['@20', 'PUMPHYPERLIQUID', 0.031],
      ['@190', 'PUMP', 0.0052],
      ['@310', 'XRP', 2.25],
    ],
  );
});
