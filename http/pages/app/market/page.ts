/** The market as a whole: its mood, its cycle, futures by expiry, and a screener. */
import { mayRead } from '../access.ts';
import { choice, h } from '../dom.ts';
import { factsPart } from '../facts.ts';
import { compact, dash, fixed } from '../format.ts';
import { type Part, Slot, showParts } from '../part.ts';
import { keptChoice, reopen } from '../place.ts';
import { at } from '../request.ts';
import { altcoinSeason, dominance, fearGreed, indicators } from './indicators.ts';
import { contractsPart, indicatorPart, peakPart, termPart } from './parts.ts';
import { screenerPart } from './screener.ts';

const ranges = [
  ['365', '1 year'],
  ['1460', '4 years'],
  ['5000', 'all'],
] as const;

const assets = ['BTC', 'ETH', 'SOL', 'XRP'].map((one) => [one, one] as const);
const year = 365;
const minute = 60_000;
/** Some of the numbers are read anew so seldom, ms. */
const hour = 60 * minute;

/** The most important numbers, which are open to all. */
function numbersPart(): Part {
  const share = (value: number | null = null) => (value === null ? dash : `${fixed(value, 1)} %`);
  return factsPart(
    {
      fear: at('/v1/indicators/fear-greed', { limit: year }),
      season: at('/v1/indicators/altcoin-season', { limit: year }),
      market: at('/v1/indicators/bitcoin-dominance', { limit: year }),
    },
    ({ fear, season, market }) => [
      ['Fear and greed', fear ? `${fixed(fear.value, 0)} ${fear.classification_label}` : dash],
      ['Altcoin season', fixed(season?.index ?? null, 0)],
      ['Bitcoin dominance', share(market?.dominance_pct)],
      ['Ethereum dominance', share(market?.eth_dominance_pct)],
      ['Capitalisation, USD', compact(market?.total_market_cap_usd ?? null)],
      ['Volume 24 h, USD', compact(market?.total_volume_24h_usd ?? null)],
    ],
    { every: minute, cadence: hour },
  );
}

/** One indicator of the cycle at a time; the address keeps which. */
function cyclePart(): Part {
  const place = new Slot(null, 'whole');
  const [first, ...others] = indicators.map(({ id, shown }) => [id, shown] as const);
  const show = () => {
    const of = indicators.find(({ id }) => id === indicator.get());
    const controls = [indicator.node, range.node];
    if (of) place.show(() => indicatorPart(of, { limit: Number(range.get()), controls }));
  };
  const options = [first ?? ['pi-cycle', ''], ...others] as const;
  const indicator = keptChoice('Indicator', options, { name: 'indicator', changed: show });
  const range = keptChoice('Range', ranges, { name: 'range', usual: '1460', changed: show });
  show();
  return place;
}

/** Shows the page in an element; ends with the function that is returned. */
export function open(into: HTMLElement, _about: string, chosen: URLSearchParams): () => void {
  const asset = assets.find(([id]) => id === chosen.get('asset'))?.[0] ?? 'BTC';
  const facts = numbersPart();
  into.append(h('h1', {}, 'Market'), facts.node);
  const ends = [
    facts.end,
    showParts(into, [
      indicatorPart(fearGreed, { limit: year }),
      indicatorPart(altcoinSeason, { limit: year }),
      cyclePart(),
      peakPart(),
      indicatorPart(dominance, { limit: year }),
    ]),
  ];
  into.append(
    h(
      'div',
      { class: 'bar' },
      h('h2', {}, 'Futures'),
      choice('Asset', assets, { chosen: asset, choose: (next) => reopen({ asset: next }) }),
    ),
  );
  ends.push(showParts(into, [termPart(asset), contractsPart(asset)]));
  if (mayRead()) {
    const screener = screenerPart(chosen);
    into.append(h('h2', {}, 'Screener'), screener.form, screener.node);
    ends.push(screener.end);
  }
  return () => {
    for (const end of ends) end();
  };
}
