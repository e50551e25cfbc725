/** docs/live.md, made from the exchanges: which parts are streamed, and which are polled. */
import type { Venue } from '../../actors/sources/venue.ts';
import { venues } from '../../actors/venues/registry.ts';

type Topic = 'prices' | 'derivatives' | 'openInterest';

type Parts = Readonly<Record<string, { most?: number }>>;

/** The parts whose funding is a stream of its own. */
const fundingOf = (live: Venue['live']): string[] =>
  Object.entries(live?.funding ?? {}).map(([part, { most }]) =>
    most === undefined ? `funding of ${part}` : `funding of ${part} ${most}`,
  );

/** The streamed parts of a topic, each with the number of its markets where it is bounded. */
function streamed({ live, feeds }: Venue, topic: Topic): string {
  const parts: Parts = live?.[topic] ?? {};
  const names = Object.entries(parts).map(([part, { most }]) =>
    most === undefined ? part : `${part} ${most}`,
  );
  if (topic === 'derivatives') names.push(...fundingOf(live));
  return names.join(', ') || (feeds[topic] ? 'polled' : '-');
}

const row = (venue: Venue): string =>
  `| ${venue.id} | ${streamed(venue, 'prices')} | ${streamed(venue, 'derivatives')} | ${streamed(venue, 'openInterest')} |`;

/** The whole document. */
export const liveForDocs = (): string => `# What is streamed

The parts of each exchange whose prices, mark prices and funding, and open interest come by stream beside the polls; everything else
is polled. A number states how many of the most traded markets of a part are streamed, where the exchange has no channel of all.
"Funding of" a part is a stream beside that of its mark prices. Lighter states mark and index prices by stream only: where \`LIVE\`
leaves it out, they are null. [numbers.md](numbers.md#prices-by-stream) states what streams lack. \`npm run docs\` makes this page.

| Exchange | Prices | Mark, index, funding | Open interest |
|---|---|---|---|
${Object.values<Venue>(venues).map(row).join('\n')}
`;
