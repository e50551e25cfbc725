/** Chains, stablecoins, lending, pools, and what a wallet holds. */
import { linesPart } from '../charts.ts';
import { choice, formOf, h, labelled, submitButton } from '../dom.ts';
import { compact } from '../format.ts';
import { indicators } from '../market/indicators.ts';
import { indicatorPart } from '../market/parts.ts';
import { blank, chosenPart, fill, minute, type Part, Slot } from '../part.ts';
import { choose } from '../place.ts';
import { at } from '../request.ts';
import { chains, exchanges, poolsPart, searchPart, walletPart } from './dex.ts';
import { overTimeParts } from './over-time.ts';
import * as parts from './parts.ts';

/** An indicator of the market that is about chains: stablecoins or borrowing. */
const indicatorOf = (id: 'stablecoin-mcap' | 'borrow-interest-rate') =>
  indicators.filter((one) => one.id === id).map((found) => indicatorPart(found));

/** What was moved to and from the known addresses of exchanges by day. */
const flowsPart = (symbol: 'BTC' | 'ETH', control: HTMLElement): Part =>
  linesPart({
    title: `Exchange flows of ${symbol}`,
    about: ({ attribution, licence }) =>
      `US dollars a day at known addresses: in above, out below. ${attribution}, ${licence}`,
    label: `${symbol} moved to and from exchanges by day`,
    name: `exchange-flows-${symbol}`,
    path: at('/v1/indicators/network-metrics', { symbol, limit: 180 }),
    every: minute,
    cadence: 24 * 60 * minute,
    controls: [control],
    points: ({ history }) => history,
    lines: [
      { name: 'In', of: 'exchange_inflow_usd', colour: 'down', as: 'bars' },
      {
        name: 'Out',
        of: ({ exchange_outflow_usd: out }) => (out === null ? null : -out),
        colour: 'up',
        as: 'bars',
      },
      {
        name: 'Net',
        of: ({ exchange_inflow_usd: into, exchange_outflow_usd: out }) =>
          into === null || out === null ? null : into - out,
        colour: 'accent',
      },
    ],
    form: compact,
    none: `No day of ${symbol} is known yet.`,
  });

/** A field with a button; what was asked stands in a place beside it. */
function question(
  words: string,
  {
    act,
    more = [],
    ...attributes
  }: Record<'value' | 'placeholder' | 'act', string> & {
    more?: readonly Node[];
  },
  ask: (text: string) => void,
): HTMLElement {
  const field = h('input', { ...attributes, spellcheck: 'false', required: true });
  const submit = () => {
    if (field.value.trim() !== '') ask(field.value.trim());
  };
  return formOf({ class: 'bar' }, submit, labelled(words, field), ...more, submitButton(act));
}

function wallet(chosen: URLSearchParams): { form: HTMLElement; place: Slot } {
  const asked = {
    address: chosen.get('address') ?? '',
    chain: chains.find((one) => one === chosen.get('chain')) ?? 'ethereum',
  };
  const make = () =>
    asked.address === ''
      ? blank('Enter an address to see what it holds.')
      : walletPart(asked.address, asked.chain);
  const place = new Slot(make, asked.address === '' ? 'small' : '');
  const chain = choice('Chain', chains, {
    chosen: asked.chain,
    choose(next) {
      asked.chain = next;
    },
  });
  const about = {
    value: asked.address,
    placeholder: '0x…, bc1…, or of Solana',
    act: 'Read',
    more: [chain],
  };
  const form = question('Wallet', about, (address) => {
    asked.address = address;
    choose({ ...asked });
    place.show(make);
  });
  return { form, place };
}

function search(chosen: URLSearchParams): { form: HTMLElement; place: Slot } {
  const value = chosen.get('token') ?? '';
  const place =
    value === ''
      ? new Slot(() => blank('Enter a token to see its pairs on every chain.'), 'small')
      : new Slot(() => searchPart(value));
  const about = { value, placeholder: 'Name or address', act: 'Search' };
  const form = question('Token', about, (token) => {
    choose({ token });
    place.show(() => searchPart(token));
  });
  return { form, place };
}

/** Shows the page in an element; ends with the function that is returned. */
export function open(into: HTMLElement, _about: string, chosen: URLSearchParams): () => void {
  const [held, found] = [wallet(chosen), search(chosen)];
  return fill(into, [
    h('h1', {}, 'On-chain and DeFi'),
    [
      parts.chainsPart(),
      parts.stablecoinsPart(),
      parts.supplyPart(),
      ...indicatorOf('stablecoin-mcap'),
      parts.hotPart(),
      chosenPart(['Coin', ['BTC', 'ETH'], { name: 'coin' }], flowsPart),
      ...overTimeParts('gas', 'supply', 'wallets'),
    ],
    h('h2', {}, 'Lending'),
    [
      parts.assetsPart(),
      parts.ratesPart(),
      ...indicatorOf('borrow-interest-rate'),
      parts.protocolsPart(),
      ...overTimeParts('supply_rate', 'borrow_rate'),
    ],
    h('h2', {}, 'Pools, tokens and wallets'),
    [chosenPart(['Exchange', exchanges, { name: 'dex' }], poolsPart, 'whole')],
    h('div', { class: 'bar' }, found.form, held.form),
    [found.place, held.place],
  ]);
}
