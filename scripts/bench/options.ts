/** Option chains: parsing against JSON.parse, the greeks of a whole chain, answers against bare uWebSockets.js. */
import { createBus } from '../../actors/bus/bus.ts';
import { list } from '../../actors/read.ts';
import type { OptionRow } from '../../actors/topics/index.ts';
import { venues } from '../../actors/venues/registry.ts';
import { greeksOfRow } from '../../indicators/options/chain.ts';
import { numbersRead, printFloors } from './floor.ts';
import { inTurns, printTable, received } from './report.ts';
import { benchBesideBare, startOurs } from './servers.ts';
import { Stage } from './stage.ts';

const day = 86_400_000;
const sizes = { expiries: 25, strikes: 30 };
const months = 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ');

/** Expiries, strikes and sides of 1,500 options. */
const terms = Array.from({ length: sizes.expiries }, (_, e) => {
  const at = new Date(Date.now() + (7 * e + 2) * day);
  const year = String(at.getUTCFullYear()).slice(2);
  const word = `${at.getUTCDate()}${months[at.getUTCMonth()]}${year}`;
  const digits = at.toISOString().slice(2, 10).replaceAll('-', '');
  return Array.from({ length: sizes.strikes }, (_, s) => 40_000 + 2_000 * s).flatMap((strike) =>
    (['C', 'P'] as const).map((side) => ({ word, digits, strike, side, e })),
  );
}).flat();

/** A body of Deribit's book summaries, with every field that it has. */
const deribit = received(
  JSON.stringify({
    jsonrpc: '2.0',
    result: terms.map(({ word, strike, side, e }) => ({
      mid_price: 0.05 + e * 0.0013,
      volume_usd: 12_345.67 + strike / 7,
      quote_currency: 'BTC',
      estimated_delivery_price: 68_827.27,
      creation_timestamp: Date.now(),
      base_currency: 'BTC',
      underlying_index: `BTC-${word}`,
      underlying_price: 68_827.2714 + e,
      volume: (strike % 37) / 10,
      interest_rate: 0,
      price_change: -3.25,
      open_interest: 0.1 + (strike % 4999) / 10,
      ask_price: 0.0815,
      bid_price: 0.079,
      instrument_name: `BTC-${word}-${strike}-${side}`,
      mark_price: 0.0801234 + e / 1e4,
      last: 0.08,
      low: 0.075,
      high: 0.085,
      mark_iv: 45.25 + e,
    })),
  }),
);

/** The four bodies of OKX. */
function okxBodies(): string[] {
  const ids = terms.map(({ digits, strike, side }) => `BTC-USD-${digits}-${strike}-${side}`);
  const ts = String(Date.now());
  const common = { instType: 'OPTION', ts };
  const greek = { delta: '0.5512', gamma: '1.2345', theta: '-0.0005', vega: '0.0012' };
  const dollars = { deltaBS: '0.61', gammaBS: '0.00002', thetaBS: '-42.1', vegaBS: '84.3' };
  const vols = { markVol: '0.5123', bidVol: '0.5', askVol: '0.53', realVol: '', volLv: '0.51' };
  const body = (row: (instId: string) => object) =>
    received(JSON.stringify({ code: '0', msg: '', data: ids.map(row) }));
  return [
    body((instId) => ({ ...common, instId, oi: '250', oiCcy: '2.5', oiUsd: '171000.12' })),
    body((instId) => ({
      ...{ ...common, instId, uly: 'BTC-USD', lever: '4.5', fwdPx: '68900.12' },
      ...{ ...greek, ...dollars, ...vols },
    })),
    body((instId) => ({
      ...{ ...common, instId, last: '0.08', lastSz: '1', askPx: '0.0815', askSz: '10' },
      ...{ bidPx: '0.079', bidSz: '12', open24h: '0.08', high24h: '0.085', low24h: '0.075' },
      ...{ volCcy24h: '1.5', vol24h: '150', sodUtc0: '0.08', sodUtc8: '0.081' },
    })),
    body((instId) => ({ ...common, instId, markPx: '0.0801234' })),
  ];
}

const context = { received: Date.now(), instruments: new Map() };
const parsed = (texts: readonly string[]) => texts.map((text): unknown => JSON.parse(text));
const polls = {
  deribit: { texts: [deribit], poll: venues.deribit.feeds.options.parts.BTC },
  okx: { texts: okxBodies(), poll: venues.okx.feeds.options.parts.BTC },
};

function benchParsing(): OptionRow[] {
  const chain = polls.deribit.poll.parse(parsed([deribit]), context).options.rows;
  const now = Date.now();
  const rows = Object.entries(polls).map(([name, { texts, poll }]) => {
    const [json, ours] = inTurns([() => parsed(texts), () => poll.parse(parsed(texts), context)]);
    const size = Math.round(texts.reduce((sum, { length }) => sum + length, 0) / 1024);
    const found = poll.parse(parsed(texts), context).options.rows.length;
    return [name, found, size, json?.ms ?? 0, ours?.ratio ?? 0];
  });
  printTable(
    'Option chains: CPU time to JSON.parse of the same texts (goal 1.5). Ours: JSON.parse, all checks of all rows, the ' +
      'options',
    [['', 'rows', 'KB', 'JSON.parse ms', 'ours'], ...rows],
  );
  const [json, greeks] = inTurns([
    () => JSON.parse(deribit),
    () => chain.map((row) => greeksOfRow(row, now)),
  ]);
  printTable(`Greeks of ${chain.length} options: CPU time (goal 2 ms)`, [
    ['', 'ms', "to JSON.parse of the chain's body"],
    ['greeks', greeks?.ms ?? 0, greeks?.ratio ?? 0],
    ['JSON.parse', json?.ms ?? 0, 1],
  ]);
  printFloors(
    Object.entries(polls).map(([name, { texts, poll }]) => ({
      name,
      json: () => parsed(texts),
      texts: () => numbersRead(parsed(texts), (bodies) => poll.parse(list(bodies, name), context)),
    })),
  );
  return chain;
}

const paths = [
  '/v1/options/info',
  '/v1/options/max-pain',
  '/v1/options/exchange-oi',
  '/v1/options/greeks?limit=60',
  '/v1/options/surface',
  '/v1/options/gamma-exposure',
];

async function publish(redisUrl: string, rows: OptionRow[]): Promise<void> {
  const bus = createBus({ url: redisUrl, process: 'bench-options' });
  const received = Date.now();
  const reading = { source: 'deribit', part: 'BTC', asked: received, received, rows };
  const outcome = await bus.publish('options', 'deribit/BTC', reading);
  await bus.close();
  if (outcome !== 'published') throw new Error(`options: ${outcome}`);
}

/** Prints all of it. */
export async function benchOptions(): Promise<void> {
  const chain = benchParsing();
  const stage = new Stage();
  try {
    const ours = await startOurs(stage, 100);
    await publish(stage.redisUrl, chain);
    await benchBesideBare(stage, ours, { title: 'Answers', goal: 0.7, paths });
  } finally {
    await stage.end();
  }
}
