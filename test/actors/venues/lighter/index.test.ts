import t from 'tap';
import { lighter } from '../../../../actors/venues/lighter/index.ts';
import { bodiesOf, received } from '../fixtures.ts';
import { wholeVenue } from '../suite/index.ts';

wholeVenue(t, lighter);

t.test('while the list of tokens fails a market is about what it was about before', async (t) => {
  const { parse } = lighter.feeds.instruments.parts.all;
  const [details, tokens] = bodiesOf(lighter, 'all-instruments');
  const first = parse([details, tokens], { received, instruments: new Map() }).instruments.rows;
  const instruments = new Map(first.map((row) => [row.market, row]));
  const again = parse([details, undefined], { received, instruments });
  t.strictSame(again.instruments.rows, first);
});
