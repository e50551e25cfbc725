/** Indicators: entries of the catalogue, what is chosen of one, and its values. */

export interface Parameter {
  name: string;
  type: 'integer' | 'number' | 'word';
  default: number | string;
  minimum?: number;
  maximum?: number;
  allowed?: readonly string[];
  description: string;
}

/** An entry of the catalogue. */
export interface Indicator {
  name: string;
  title: string;
  category: string;
  parameters: readonly Parameter[];
  outputs: readonly string[];
  on_price: readonly string[];
  formula: string;
}

/** An indicator on the chart. */
export interface Shown {
  indicator: Indicator;
  values: Readonly<Record<string, number | string>>;
  /** Name and parameters, as links have them. */
  text: string;
}

/** Values by output, and the starts of their candles, Unix ms. */
export interface Computed {
  times: readonly number[];
  columns: Readonly<Record<string, readonly (number | null)[]>>;
}
