/** Panels whose answer is drawn: as lines, or as a heatmap. */

import { numberIn, type Of } from './columns.ts';
import { Heat } from './heat.ts';
import type { HeatData, HeatForm } from './heat-drawing.ts';
import { fileOf, type Rows } from './panel.ts';
import { type Frame, type LivePart, livePart } from './part.ts';
import { type Line, Plot, type PlotData, type PlotForm } from './plot.ts';

interface DrawnForm<D, S> extends Frame<D> {
  /** What is drawn of an answer. */
  data(data: D): S;
  /** For a file and for the table of values, where they are not what is drawn. */
  rows?(data: D): Rows;
  /** What it means when there is nothing to draw. */
  none: string | ((data: D) => string);
}

interface Chart<S> {
  node: HTMLElement;
  show(data: S): void;
  rows(): Rows;
  picture(): HTMLCanvasElement | null;
  end(): void;
}

/** `isEmpty`: there is nothing to draw. */
const drawnPart = <D, S>(
  form: DrawnForm<D, S>,
  chart: Chart<S>,
  isEmpty: (data: S) => boolean,
): LivePart =>
  livePart<D>({
    ...form,
    body: [chart.node],
    show(data, draw) {
      const drawn = form.data(data);
      draw(() => chart.show(drawn));
      if (!isEmpty(drawn)) return undefined;
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
  drawnPart(form, new Plot(form), ({ x }) => x.length === 0);

export const heatPart = <D>(form: DrawnForm<D, HeatData> & HeatForm): LivePart =>
  drawnPart(form, new Heat(form), ({ cells }) => cells.length === 0);

interface PointsForm<D, P> extends Omit<DrawnForm<D, PlotData> & PlotForm, 'data' | 'lines'> {
  points(data: D): readonly P[];
  /** The name of a point whose place is not its `timestamp`. */
  nameOf?(point: P): string;
  /** Each with the field of a point that it shows, or what makes its value of one. */
  lines: readonly (Line & { of: Of<P, number | null> })[];
}

/** Lines over the points of an answer, whose fields the file has. */
export function linesPart<D, P extends object>(form: PointsForm<D, P>): LivePart {
  const { points, nameOf } = form;
  const valuesOf = form.lines.map(({ of }) =>
    typeof of === 'string' ? (point: P) => numberIn(point, of) : of,
  );
  return plotPart<D>({
    rows: (data) => fileOf(points(data)),
    ...form,
    data(data) {
      const found = points(data);
      return {
        x: nameOf ? found.map(nameOf) : found.map((one) => numberIn(one, 'timestamp') ?? 0),
        values: valuesOf.map((of) => found.map(of)),
      };
    },
  });
}
