/** What data providers are asked, and how often at most, as their documentation states it. */
import t from 'tap';
import { blockscout, blockscoutIndex } from '../../../actors/providers/blockscout.ts';
import { moralis, moralisIndex } from '../../../actors/providers/moralis.ts';
import { providers } from '../../../actors/providers/registry.ts';
import type { Poll, Source } from '../../../actors/sources/define.ts';
import { dayOf } from '../../../indicators/market/days.ts';
import { line } from '../../support/declared.ts';

const all: readonly Source[] = [...providers, blockscout('KEY'), moralis('KEY')];

t.test('hosts of data providers, their budgets and the largest body in megabytes', async (t) => {
  const found = all.flatMap(({ id, apis }) =>
    Object.entries(apis).map(([api, { hosts, budgets, maxBody }]) => {
      const rates = Object.values(budgets).map(
        ({ weight, per }) => `${weight} in ${per / 1_000} s`,
      );
      const size = maxBody === undefined ? [] : [`${maxBody / 1e6} MB`];
      return [`${id} ${api}`, ...hosts, ...rates, ...size].join(', ');
    }),
  );
  t.strictSame(found, [
    'alternative-me rest, https://api.alternative.me, 30 in 60 s',
    'blockchain-info rest, https://api.blockchain.info, 1 in 10 s',
    'coingecko rest, https://api.coingecko.com, 5 in 60 s',
    'coinlore rest, https://api.coinlore.net, 10 in 60 s',
    'coinpaprika rest, https://api.coinpaprika.com, 24 in 3600 s, 8 MB',
    'defillama rest, https://api.llama.fi, 30 in 60 s, 64 MB',
    'defillama stablecoins, https://stablecoins.llama.fi, 30 in 60 s, 16 MB',
    'defillama yields, https://yields.llama.fi, 10 in 60 s, 64 MB',
    'defillama yields-origin, https://defillama-datasets.llama.fi, 10 in 60 s, 64 MB',
    'defillama coins, https://coins.llama.fi, 300 in 60 s, 1 MB',
    'dexscreener rest, https://api.dexscreener.com, 200 in 60 s, 100 in 60 s, 4 MB',
    'frankfurter rest, https://api.frankfurter.dev, 10 in 60 s',
    'fred rest, https://fred.stlouisfed.org, 10 in 60 s',
    'geckoterminal rest, https://api.geckoterminal.com, 10 in 60 s, 2 MB',
    'mempool rest, https://mempool.space, 10 in 60 s',
    'orca v2, https://api.orca.so, 30 in 60 s, 8 MB',
    'orca v1, https://api.mainnet.orca.so, 2 in 60 s, 64 MB',
    'raydium rest, https://api-v3.raydium.io, 30 in 60 s, 4 MB',
    'yahoo rest, https://query1.finance.yahoo.com, https://query2.finance.yahoo.com, 10 in 60 s',
    'blockscout ethereum, https://eth.blockscout.com, 3 in 1 s, 2 MB',
    'blockscout base, https://base.blockscout.com, 3 in 1 s, 2 MB',
    'blockscout arbitrum, https://arbitrum.blockscout.com, 3 in 1 s, 2 MB',
    'blockscout polygon, https://polygon.blockscout.com, 3 in 1 s, 2 MB',
    'blockscout optimism, https://optimism.blockscout.com, 3 in 1 s, 2 MB',
    'blockscout multichain, https://api.blockscout.com, 5 in 1 s, 2 MB',
    'moralis rest, https://deep-index.moralis.io, 120 in 60 s, 4 MB',
  ]);
  t.match(blockscout('KEY').apis.multichain?.headers, { authorization: 'Bearer KEY' });
  t.match(moralis('KEY').apis.rest?.headers, { 'x-api-key': 'KEY' });
});

t.test('what a poll asks of a data provider', async (t) => {
  const plan = { now: dayOf('2025-06-15'), from: dayOf('2025-05-01'), to: dayOf('2025-05-31') };
  const requestsOf = ({ id, polls = {} }: Source & { polls?: Record<string, Poll<unknown>> }) =>
    Object.entries(polls).map(([name, poll]) => [
      `${id} ${name}`,
      poll
        .requests(plan)
        .map((request) => line(request).replace('GET ', '').replace('/default x1', '')),
    ]);
  const uniswap = [1, 2, 3, 4, 5].map(
    (page) =>
      `rest /api/v2/networks/eth/dexes/uniswap_v3/pools?page=${page}&sort=h24_volume_usd_desc`,
  );
  const chart = 'rest /v8/finance/chart';
  const twoYears = 'range=2y&interval=1d';
  t.strictSame(Object.fromEntries(all.flatMap(requestsOf)), {
    'alternative-me fearGreed': ['rest /fng/?limit=0&format=json'],
    'blockchain-info bitcoinDays': [
      'rest /charts/market-price?timespan=all&format=json&sampled=false&start=2025-05-01',
    ],
    'blockchain-info supply': [
      'rest /charts/total-bitcoins?timespan=all&format=json&sampled=false&start=2025-05-01',
    ],
    'coingecko global': ['rest /api/v3/global'],
    'coingecko coins': [
      'rest /api/v3/coins/markets?vs_currency=usd&order=market_cap_desc&per_page=100&page=1',
    ],
    'coingecko exchanges': ['rest /api/v3/exchanges?per_page=100'],
    'coingecko volumes': [
      'rest /api/v3/derivatives/exchanges?per_page=50',
      'rest /api/v3/exchanges?per_page=100',
    ],
    'coingecko bitcoinDays': [
      'rest /api/v3/coins/bitcoin/market_chart?vs_currency=usd&days=365&interval=daily',
    ],
    'coinlore global': ['rest /api/global/'],
    'coinpaprika global': ['rest /v1/global'],
    'coinpaprika coins': ['rest /v1/tickers?quotes=USD'],
    'defillama stablecoins': ['stablecoins /stablecoins?includePrices=true'],
    'defillama stablecoinDays': ['stablecoins /stablecoincharts/all'],
    'defillama exchanges': ['rest /cexs'],
    'defillama circulating': ['stablecoins /stablecoins?includePrices=true'],
    'defillama lendingTvl': ['rest /protocols'],
    'defillama lending': ['yields /pools', 'yields /lendBorrow'],
    'defillama uniswapPools': ['yields /pools'],
    'defillama originLending': [
      'yields-origin /yield-api/pools',
      'yields-origin /yield-api/lendBorrow',
    ],
    'defillama originUniswapPools': ['yields-origin /yield-api/pools'],
    'frankfurter dollar': [
      'rest /v1/2025-05-01..2025-05-31?base=USD&symbols=EUR,JPY,GBP,CAD,SEK,CHF',
    ],
    'fred closes': [
      'rest /graph/fredgraph.csv?id=SP500,NASDAQCOM,DJIA,DTWEXBGS,DGS10,VIXCLS&cosd=2025-05-01',
    ],
    'geckoterminal uniswapPools': uniswap,
    'mempool height': [`rest /api/v1/mining/blocks/timestamp/${dayOf('2025-06-01') / 1_000}`],
    'orca pools': ['v2 /v2/solana/pools?sortBy=tvl&sortDirection=desc&size=600&stats=24h'],
    'orca poolsV1': ['v1 /v1/whirlpool/list'],
    'raydium pools': [
      'rest /pools/info/list?poolType=all&poolSortField=volume24h&sortType=desc&pageSize=200&page=1',
    ],
    'raydium poolsV2': ['rest /pools/info/list-v2?size=200&sortField=volume24h&sortType=desc'],
    'yahoo closes': [
      `${chart}/%5EGSPC?${twoYears} of sp500`,
      `${chart}/%5EIXIC?${twoYears} of nasdaq`,
      `${chart}/%5EDJI?${twoYears} of dow_jones`,
      `${chart}/GC%3DF?${twoYears} of gold`,
      `${chart}/%5ETNX?${twoYears} of us10y`,
      `${chart}/%5EVIX?${twoYears} of vix`,
    ],
  });
});

t.test('pages of the tokens of a wallet', async (t) => {
  const wallet = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
  const asked = [
    blockscoutIndex('base', wallet, null),
    blockscoutIndex('base', wallet, 'KEY'),
    moralisIndex('bsc', wallet),
  ].map(({ pages, requests }) => [pages, ...requests({ page: 2 }).map(line)]);
  const tokens = `/api/v2/addresses/${wallet}/tokens?page=2&type=ERC-20`;
  const unfiltered = 'exclude_spam=true&exclude_unverified_contracts=false';
  t.strictSame(asked, [
    [20, `GET base/default x1 ${tokens}`],
    [20, `GET multichain/default x1 /8453${tokens}`, `GET base/default x1 ${tokens}`],
    [
      10,
      `GET rest/default x1 /api/v2.2/wallets/${wallet}/tokens?chain=bsc&${unfiltered}&limit=100&page=2`,
    ],
  ]);
});
