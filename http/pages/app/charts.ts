/** Panels whose answer is drawn: as lines, or as a heatmap. */
import { Heat } from './heat.ts';
import type { HeatData, HeatForm } from './heat-drawing.ts';
import type { Rows } from './panel.ts';
import { type Frame, type LivePart, livePart } from './part.ts';
import { Plot, type PlotData, type PlotForm } from './plot.ts';

interface DrawnForm<D, S> extends Frame<D> {
  /** What is drawn of an answer. */
  data(data: D): S;
  /** For a file and for the table of values, where they are not what is drawn. */
  rows?(): Rows;
  /** What it means when there is nothing to draw. */
  none: string | ((data: D) => string);
}

interface Chart<S> {
  node: HTMLElement;
  /** False where there is nothing to draw. */
  show(data: S): boolean;
  rows(): Rows;
  picture(): HTMLCanvasElement | null;
  end(): void;
}

const drawnPart = <D, S>(form: DrawnForm<D, S>, chart: Chart<S>): LivePart =>
  livePart<D>({
    ...form,
    body: [chart.node],
    show(data) {
      if (chart.show(form.data(data))) return undefined;
      return typeof form.none === 'string' ? form.none : form.none(data);
    },
    rows: form.rows ?? (() => chart.rows()),
    picture: () => chart.picture(),
    end() {
      chart.end();
      form.end?.();
    },
  });

export const plotPart = <D>(form: DrawnForm<D, PlotData> & PlotForm): LivePart =>
  drawnPart(form, new Plot(form));

export const heatPart = <D>(form: DrawnForm<D, HeatData> & HeatForm): LivePart =>
  drawnPart(form, new Heat(form));
