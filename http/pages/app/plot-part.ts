/** A part of a page whose answer is shown as lines. */
import { livePart, type Part, type PartForm } from './part.ts';
import { type Line, Plot, type PlotData, type PlotForm } from './plot.ts';

interface PlotPartForm<D> extends Omit<PartForm<D>, 'body' | 'show' | 'csv' | 'picture'>, PlotForm {
  data(data: D): PlotData;
  /** The lines of an answer, where they are not always the same. */
  linesOf?(data: D): readonly Line[];
  /** What it means when there is nothing to draw. */
  none: string | ((data: D) => string);
}

export function plotPart<D>(form: PlotPartForm<D>): Part {
  const plot = new Plot(form);
  let drawn: PlotForm = form;
  const formOf = (data: D): PlotForm => {
    const lines = form.linesOf?.(data) ?? form.lines;
    const names = (of: readonly Line[]) => of.map(({ name }) => name).join();
    if (names(lines) !== names(drawn.lines)) drawn = { ...form, lines };
    return drawn;
  };
  return livePart<D>({
    ...form,
    body: [plot.node],
    show(data) {
      const shown = form.data(data);
      plot.show(shown, formOf(data));
      if (shown.x.length > 0) return undefined;
      return typeof form.none === 'string' ? form.none : form.none(data);
    },
    csv: () => plot.csv(),
    picture: () => plot.picture(),
    end() {
      plot.end();
      form.end?.();
    },
  });
}
