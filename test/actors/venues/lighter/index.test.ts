import t from 'tap';
import { lighter } from '../../../../actors/venues/lighter/index.ts';
import { askFor, bodiesOf, received } from '../fixtures.ts';
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

t.test('a candle in which nothing was traded leaves its volumes out, which are zero', (t) => {
  const still = { t: 1792832400000, o: 10, h: 10, l: 10, c: 10 };
  const moved = { ...still, t: 1792836000000, h: 11 };
  const read = (...c: unknown[]) =>
    lighter.queries.candles.parse({ code: 200, c }, askFor(lighter, 'all', '1'));
  t.match(read(still), [{ close: 10, volume: 0, turnover: 0 }]);
  t.throws(() => read(moved), { name: 'ShapeError' });
  t.end();
});

t.test('a market without trades has null for their list', async (t) => {
  const { recentTrades } = lighter.queries;
  const asked = { ...askFor(lighter, 'all', '1'), now: received, limit: 20 };
  const read = (trades?: unknown) =>
    recentTrades.parse([{ code: 200, message: null, trades }], asked, received).trades;
  t.strictSame(read(null), []);
  t.throws(() => read(), { name: 'ShapeError' });
});
