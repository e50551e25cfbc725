/** What charts of lines are made of. */
import type { Colour } from './colours.ts';

/** One line of a chart. */
export interface Line {
  /** In words; in files it has the name of the field, where there is one. */
  name: string;
  field?: string;
  /** Of the palette; without it a line has one of its own. */
  colour?: Colour;
  as?: 'line' | 'steps' | 'area' | 'bars' | 'dashes' | 'points';
  /** By a scale of its own, on the left. */
  isOnLeft?: boolean;
}

export interface PlotForm {
  /** What it shows, for those who do not see it. */
  label: string;
  lines: readonly Line[];
  /** A value in words. */
  form(value: number): string;
  /** The least range of the scale: smaller changes are not drawn as large ones. */
  least?: number;
  /** Values by their logarithm; those that are not above 0 are left out. */
  isLog?: boolean;
  /** The name of numbers as places, and one in words; without it they are times. */
  place?: { name: string; form(value: number): string };
}

export interface PlotData {
  /** Places from left to right: times, Unix ms, plain numbers, or names in their order. */
  x: readonly number[] | readonly string[];
  /** The values of each line. */
  values: readonly (readonly (number | null)[])[];
  /** The lines, where they are not those of the form. */
  lines?: readonly Line[];
}

export const isNames = (x: PlotData['x']): x is readonly string[] => typeof x[0] === 'string';
