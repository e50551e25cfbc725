/** Widgets for OpenBB Workspace: its `widgets.json`. */
import { type Body, fileBody } from '../../../answers/response-body.ts';
import { kit, s } from '../../kit.ts';
import { views } from './widgets.ts';

/**
 * The document for an address of this service. OpenBB puts `endpoint` behind the address that the user gave it: `up` leads from
 * there to the root of this service.
 */
function widgetsOf(offered: ReadonlySet<string>, up: string): object {
  const there = Object.entries(views).filter(([, { path }]) => offered.has(path));
  return Object.fromEntries(
    there.map(([id, { path, dataKey, columns, chart, every, ...said }]) => {
      const chartView = { enabled: chart !== undefined, chartType: chart ?? 'column' };
      const [first, ...others] = columns;
      const columnsDefs = [{ ...first, pinned: 'left' }, ...others];
      return [
        id,
        {
          ...said,
          category: 'Crypto',
          type: 'table',
          endpoint: `${up}${path.slice(1)}`,
          gridData: { w: 20, h: 12 },
          refetchInterval: every * 1_000,
          staleTime: every * 1_000,
          source: ['Tidemark'],
          data: { dataKey, table: { showAll: true, enableCharts: true, chartView, columnsDefs } },
        },
      ];
    }),
  );
}

/** `routes` are all others of this server: a widget whose path is not among them is left out. */
export function openbbRoutes(routes: readonly kit.Route[]): kit.Route[] {
  const offered = new Set(routes.map(({ path }) => path));
  const document = (path: string, up: string): kit.Route => {
    let body: Body | undefined;
    return kit.route({
      path,
      summary: 'Widgets of this API for OpenBB Workspace',
      tagged: true,
      params: {},
      answer: s.unchecked<object>({
        type: 'object',
        description: 'Map from widget to its description in the form of OpenBB.',
      }),
      access: 'open',
      free: true,
      from: {
        raw() {
          body ??= fileBody(Buffer.from(JSON.stringify(widgetsOf(offered, up))));
          return { contentType: 'application/json', body, cache: 'public, max-age=300' };
        },
      },
    });
  };
  return [document('/widgets.json', ''), document('/openbb/widgets.json', '../')];
}
