/** Recorded answers, read into the specification's fields. */
import t from 'tap';
import { ShapeError } from '../../../actors/failure.ts';
import { defillama } from '../../../actors/providers/defillama/index.ts';
import { dexscreener } from '../../../actors/providers/dexscreener.ts';
import { geckoterminal } from '../../../actors/providers/geckoterminal.ts';
import { orca } from '../../../actors/providers/orca.ts';
import { raydium } from '../../../actors/providers/raydium.ts';
import { isRecord } from '../../../actors/read.ts';
import { absent, recording } from '../../support/recordings.ts';
import { likeRows, sameRows } from '../../support/table.ts';
import { context, now } from './bodies.ts';

if (absent) t.comment(`skipped: ${absent}`);
const options = { skip: absent };

/** The recorded body. */
function body(venue: string, name: string): unknown {
  const found = recording(venue, name);
  if (!found) throw new Error(`no recording ${venue}/${name}`);
  return found.response;
}
/** The value at `data`. */
const dataOf = (value: unknown) => (isRecord(value) ? value.data : undefined);

t.test('DexScreener', options, async (t) => {
  const { search, token } = dexscreener.queries;
  const found = search.parse(body('dexscreener', 'search'), 'WBTC USDC');
  t.strictSame(found.dropped, []);
  t.equal(found.rows.length, 3, 'ids that join addresses are read');
  t.strictSame(found.rows[1], {
    chain: 'solana',
    dex: 'orca',
    base_token: 'WBTC',
    base_address: '3NZ9JMVBmGAqocybic2c7LQCJScmgsAZ6vQqTDzcqmJh',
    quote_token: 'USDC',
    price_usd: 85_347.86,
    volume_24h: 16_185.96,
    liquidity_usd: 124_196.63,
    fdv: 329_382_655,
    pair_address: '55BrDTCLWayM16GwrMEQU57o4PTm6ceF9wavSdNZcEiy',
    url: 'https://dexscreener.com/solana/55brdtclwaym16gwrmequ57o4ptm6cef9wavsdnzceiy',
    price_change_5m: -0.02,
    price_change_1h: 0.07,
    price_change_24h: 0.57,
  });
  t.equal(found.rows[0]?.price_change_5m, 0, 'a change of zero is left out by the source');
  const weth = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2';
  const pools = token.parse(body('dexscreener', 'latest-dex-tokens'), weth);
  t.strictSame(
    pools.rows.map((row) => [row.chain, row.price_usd]),
    [
      ['pulsechain', 0.000009169],
      ['ethereum', 2700.99],
      ['ethereum', 2701.22],
    ],
  );
  t.strictSame(token.parse(body('dexscreener', 'error-null-pairs'), weth).rows, []);
});

t.test('GeckoTerminal', options, async (t) => {
  const page = body('geckoterminal', 'search-pools');
  const { rows, dropped } = geckoterminal.polls.uniswapPools.parse([page], context);
  sameRows(t, rows)`
    pool_id                                    token0 token1 fee_tier tvl_usd         volume_usd
    0x88e6A0c2dDD26FEEb64F039a2c41296FcB3f5640 USDC   WETH   500      98_125_716.2472 17_180_251.5051875
    0x8ad599c3A0ff1De082011EFDDc58f1908eb6e6D8 USDC   WETH   3000     47_597_881.7025 1_508_667.36987838
  `;
  t.equal(dropped.length, 1, 'a pool of version 4, which has no fee in its name');
  const found = geckoterminal.queries.search.parse(page, 'WETH USDC');
  likeRows(t, found.rows[0])`
    chain    dex        base_token base_address                               quote_token price_usd fdv                 price_change_24h
    ethereum uniswap_v3 WETH       0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2 USDC        2700.84   5_531_082_257.47789 0.577
  `;
  t.equal(found.rows.length, 3);
  const single = { data: [dataOf(body('geckoterminal', 'pool'))] };
  t.equal(geckoterminal.queries.search.parse(single, 'x').rows[0]?.liquidity_usd, 98_049_483.9936);
});

t.test('Raydium', options, async (t) => {
  // The pool objects of `ids` are those of the list, one level higher.
  const listed = { success: true, data: { data: dataOf(body('raydium', 'pools-info-ids-clmm')) } };
  const { rows, dropped } = raydium.polls.pools.parse([listed], context);
  t.strictSame(dropped, []);
  t.strictSame(rows, [
    {
      pool_id: '2AXXcN6oN9bBT5owwmTH53C7QHUXvhLeu718Kqt8rvY2',
      pool_type: 'Concentrated',
      mint_a: 'So11111111111111111111111111111111111111112',
      mint_b: '4k3Dyjzvzp8eMZWUXbBCjEvwSkkk59S5iCNLY3QrkX6R',
      symbol_a: 'WSOL',
      symbol_b: 'RAY',
      tvl: 2_775_159.6,
      volume_24h: 31_736_987.749155324,
      fee_24h: 15_868.493874577647,
      apr_24h: 213.80571968058473,
    },
  ]);
  const unknown = { data: { data: dataOf(body('raydium', 'pools-info-ids-unknown')) } };
  t.strictSame(raydium.polls.pools.parse([unknown], context).rows, []);
});

t.test('Orca', options, async (t) => {
  const one = { data: [dataOf(body('orca', 'pool-v2'))], meta: { cursor: null } };
  t.strictSame(orca.polls.pools.parse([one], context), {
    rows: [
      {
        address: 'Hp53XEtt4S8SvPCXarsLSdGfZBuUr5mMmZmX2DRNXQKp',
        token_a: 'So11111111111111111111111111111111111111112',
        token_b: 'J1toso1uCk3RLmjorhTtrVwY9HJ7X8V9yYac6Y7kGCPn',
        symbol_a: 'SOL',
        symbol_b: 'JitoSOL',
        price: 0.8311938345728264,
        tvl: 35_062_760.925637916,
        volume_24h: 12_923_205.7153276,
        fee_rate: 0.0001,
      },
    ],
    dropped: [],
  });
  const old = orca.polls.poolsV1.parse([body('orca', 'whirlpool-list-v1')], context);
  t.match(old.rows, [
    { price: 32.80229304851715, fee_rate: 0.003, volume_24h: 6_746_930.154514405 },
  ]);
});

t.test('DefiLlama yields', options, async (t) => {
  const { lending, uniswapPools } = defillama.polls;
  const joined = body('llama-yields', 'pools-borrow-pro');
  const found = lending.parse([joined, dataOf(joined)], context);
  t.strictSame(found.dropped, []);
  t.strictSame(found.rows, [
    {
      protocol: 'aave-v3',
      chain: 'ethereum',
      asset: 'WETH',
      pool_id: 'e880e828-ca59-4ec6-8d4f-27182a4dc23d',
      supply_apy: 3.98975,
      borrow_apy: 5.0324,
      tvl_usd: 604_781_668,
      utilization: 8_384_185_990 / 8_988_967_658,
      reward_apy: null,
      borrowable: true,
      updated_at: now,
    },
  ]);
  const others = body('llama-yields', 'pools');
  t.throws(() => lending.parse([others, dataOf(joined)], context), ShapeError, 'no lending in it');
  t.throws(() => uniswapPools.parse([others], context), ShapeError);
});

t.test('DefiLlama stablecoins', options, async (t) => {
  const recorded = body('llama-stablecoins', 'stablecoins');
  t.strictSame(defillama.polls.circulating.parse([recorded], context), {
    rows: [
      {
        name: 'Tether',
        symbol: 'USDT',
        peg_type: 'peggedUSD',
        circulating: 159_510_682_147.76874,
        chains: ['Ethereum', 'Tron', 'BSC'],
      },
    ],
    dropped: [],
  });
});
