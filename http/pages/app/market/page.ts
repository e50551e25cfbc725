/** The market as a whole: its mood, its cycle, futures by expiry, and a screener. */
import { mayRead } from '../access.ts';
import { h } from '../dom.ts';
import { factsPart } from '../facts.ts';
import { compact, count, dash, fixed } from '../format.ts';
import { fill, headed, minute, type Part, Slot } from '../part.ts';
import { keptChoice, pageChoice } from '../place.ts';
import { at } from '../request.ts';
import { altcoinSeason, dominance, fearGreed, indicators } from './indicators.ts';
import { contractsPart, indicatorPart, peakPart, termPart } from './parts.ts';
import { screenerPart } from './screener.ts';

const ranges = [
  ['365', '1 year'],
  ['1460', '4 years'],
  ['5000', 'all'],
] as const;

/** The most important numbers, which are open to all. Some are read anew each hour. */
function numbersPart(): Part {
  const limit = 365;
  const share = (value: number | null = null) => (value === null ? dash : `${fixed(value, 1)} %`);
  return factsPart(
    {
      fear: at('/v1/indicators/fear-greed', { limit }),
      season: at('/v1/indicators/altcoin-season', { limit }),
      market: at('/v1/indicators/bitcoin-dominance', { limit }),
    },
    ({ fear, season, market }) => [
      ['Fear and greed', fear ? `${count(fear.value)} ${fear.classification_label}` : dash],
      ['Altcoin season', count(season?.index ?? null)],
      ['Bitcoin dominance', share(market?.dominance_pct)],
      ['Ethereum dominance', share(market?.eth_dominance_pct)],
      ['Capitalisation, USD', compact(market?.total_market_cap_usd ?? null)],
      ['Volume 24 h, USD', compact(market?.total_volume_24h_usd ?? null)],
    ],
    { every: minute, cadence: 60 * minute },
  );
}

/** One indicator of the cycle at a time; the address keeps which. */
function cyclePart(): Part {
  const place = new Slot(null, 'whole');
  const [first, ...others] = indicators.map(({ id, shown }) => [id, shown] as const);
  const options = [first ?? ['pi-cycle', ''], ...others] as const;
  const indicator = keptChoice('Indicator', options, { name: 'indicator' });
  const range = keptChoice('Range', ranges, { name: 'range', usual: '1460' });
  const show = () => {
    const of = indicators.find(({ id }) => id === indicator.get());
    const controls = [indicator.node, range.node];
    if (of) place.show(() => indicatorPart(of, { limit: Number(range.get()), controls }));
  };
  indicator.changed = show;
  range.changed = show;
  show();
  return place;
}

/** Shows the page in an element; ends with the function that is returned. */
export function open(into: HTMLElement, _about: string, chosen: URLSearchParams): () => void {
  const asset = pageChoice('Asset', ['BTC', 'ETH', 'SOL', 'XRP'], 'asset');
  return fill(into, [
    h('h1', {}, 'Market'),
    numbersPart(),
    [
      indicatorPart(fearGreed),
      indicatorPart(altcoinSeason),
      cyclePart(),
      peakPart(),
      indicatorPart(dominance),
    ],
    headed('h2', 'Futures', asset.node),
    [termPart(asset.get()), contractsPart(asset.get())],
    ...(mayRead() ? screenerPart(chosen) : []),
  ]);
}
