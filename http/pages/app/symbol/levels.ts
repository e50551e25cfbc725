/** Prices that are marked on a chart, made where the reader presses it or in a form under a button: levels, which this browser keeps, and alerts. */
import { isOpen, mayRead } from '../access.ts';
import { makeAlert, ruleOf } from '../alerts/form.ts';
import { receiver } from '../alerts/receiver.ts';
import { priceWatch } from '../alerts/watches.ts';
import { askAgain } from '../ask.ts';
import { formOf, h, labelled, setText } from '../dom.ts';
import { price } from '../format.ts';
import { removeButton } from '../menu.ts';
import { type Alert, at } from '../request.ts';
import { keyedRows } from '../rows.ts';
import { kept } from '../settings.ts';

/** Levels of one symbol at most; the oldest goes. */
const most = 20;

/** By symbol. */
const drawn = kept<Readonly<Record<string, readonly number[]>>>('levels', {});

const levelsOf = (symbol: string): readonly number[] => drawn.get()[symbol] ?? [];

function setLevels(symbol: string, levels: readonly number[]): void {
  drawn.set({ ...drawn.get(), [symbol]: [...new Set(levels)].slice(-most) });
}

/** A price that is marked. */
export interface Marked {
  price: number;
  kind: 'level' | 'alert';
}

/** Answers that are a price of an asset, and where it stands in them. */
const prices: Readonly<Record<string, string>> = {
  '/v1/prices': '/average_price',
  '/v1/reference-rate': '/rate',
};

/** The prices of the alerts on a symbol that are evaluated. */
export function alertsOn(symbol: string, alerts: readonly Alert[]): Marked[] {
  return alerts.flatMap(({ path, pointer, status, condition: { value } }): Marked[] => {
    const { pathname, searchParams } = new URL(path, 'http://localhost');
    const isOf = searchParams.get('symbol')?.toUpperCase() === symbol;
    const isPrice = prices[pathname] === pointer;
    if (!isOf || !isPrice || status !== 'active' || value === undefined) return [];
    return [{ price: value, kind: 'alert' }];
  });
}

/** Between two looks at the alerts of the account, ms. */
const every = 60_000;
/** Room between the form and the edge of the screen, px. */
const edge = 8;

export class Levels {
  readonly node: HTMLElement;
  readonly #symbol: string;
  readonly #changed: () => void;
  readonly #price = h('input', { type: 'number', step: 'any', required: true, size: '12' });
  readonly #words = h('p', { class: 'soft', role: 'status' });
  readonly #form: HTMLFormElement;
  readonly #list = h('ul', { class: 'levels' });
  readonly #rows = keyedRows<Marked>(this.#list, {
    name: (one) => `${one.kind} ${one.price}`,
    make: (one) => ({ node: this.#rowOf(one), show() {} }),
  });
  #alerts: readonly Marked[] = [];
  #end = () => {};

  /** `changed` is called when others are marked; `now` is the newest price. */
  constructor(symbol: string, { changed, now }: { changed(): void; now(): number | null }) {
    this.#symbol = symbol;
    this.#changed = changed;
    const level = h('button', { click: () => this.#draw() }, 'Draw a level');
    // Where there are no accounts there are no alerts.
    const to = isOpen ? null : receiver();
    const submit = () => {
      if (to === null) {
        this.#draw();
        return;
      }
      const rule = { symbol, type: 'crosses', value: this.#price.valueAsNumber } as const;
      void makeAlert(this.#words, ruleOf(priceWatch, rule, to.read())).then((isMade) => {
        if (isMade) this.#follow();
      });
    };
    this.#form = formOf(
      { class: 'menu edit', id: 'levels', popover: 'auto', 'aria-label': 'Levels and alerts' },
      submit,
      labelled('Price', this.#price),
      level,
      to === null ? null : h('p', { class: 'soft' }, 'Alert when the mean price crosses it:'),
      to?.node ?? null,
      this.#words,
      this.#list,
    );
    const press = { 'aria-haspopup': 'dialog', click: () => this.open(now()) };
    const button = h('button', press, 'Levels +');
    this.node = h('div', { class: 'columns' }, button, this.#form);
    this.#follow();
  }

  end(): void {
    this.#end();
  }

  get marked(): Marked[] {
    const levels = levelsOf(this.#symbol).map((one): Marked => ({ price: one, kind: 'level' }));
    return [...levels, ...this.#alerts];
  }

  /** Opens the form for a price, beside a point of the screen, else under its button. */
  open(value: number | null, point?: { x: number; y: number }): void {
    this.#price.value = value === null ? '' : String(value);
    setText(this.#words, '');
    this.#form.classList.toggle('at', point !== undefined);
    this.#form.showPopover({ source: this.node.querySelector('button') ?? this.node });
    if (point !== undefined) {
      const { offsetWidth, offsetHeight, style } = this.#form;
      const place = (from: number, size: number, room: number) =>
        `${Math.max(edge, Math.min(from, room - size - edge))}px`;
      style.setProperty('--x', place(point.x, offsetWidth, innerWidth));
      style.setProperty('--y', place(point.y, offsetHeight, innerHeight));
    }
    this.#price.select();
  }

  #draw(): void {
    if (!this.#price.reportValidity()) return;
    setLevels(this.#symbol, [...levelsOf(this.#symbol), this.#price.valueAsNumber]);
    this.#show();
    this.#form.hidePopover();
  }

  #show(): void {
    this.#rows(this.marked);
    this.#changed();
  }

  /** Reads the alerts of the account, now and then. */
  #follow(): void {
    this.#end();
    this.#rows(this.marked);
    if (isOpen || !mayRead()) return;
    this.#end = askAgain(at('/v1/alerts', {}), every, {
      data: ({ alerts }) => {
        this.#alerts = alertsOn(this.#symbol, alerts);
        this.#show();
      },
    });
  }

  #rowOf({ price: value, kind }: Marked): HTMLElement {
    const name = `${price(value)} ${kind}`;
    if (kind === 'alert') return h('li', {}, name, h('a', { href: '#/alerts' }, 'Alerts'));
    const remove = () => {
      setLevels(
        this.#symbol,
        levelsOf(this.#symbol).filter((one) => one !== value),
      );
      this.#show();
      this.#price.focus();
    };
    return h('li', {}, name, removeButton(name, remove));
  }
}
