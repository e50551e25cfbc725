/** Indicators: entries of the catalogue, what is chosen of one, and its values. */
import type {
  IndicatorsCatalogueIndicator,
  IndicatorsCatalogueIndicatorParameter,
} from '../request.ts';

export type Parameter = IndicatorsCatalogueIndicatorParameter;
/** An entry of the catalogue. */
export type Indicator = IndicatorsCatalogueIndicator;

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
