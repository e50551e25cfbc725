/** Rows of DeFi data before a real server, with the simulator's data behind them. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Test } from 'tap';
import { dexAnswers } from '../../../../actors/defi/dex.ts';
import { QueryCaches } from '../../../../actors/queries/query-cache.ts';
import type { DefiFigure } from '../../../../actors/topics/defi.ts';
import { dexRoutes } from '../../../../http/routes/dex.ts';
import { lendingRoutes } from '../../../../http/routes/lending.ts';
import { DefiView } from '../../../../http/views/defi.ts';
import { type Stage, stage } from '../../../actors/defi/stage.ts';
import { call, startServer } from '../../../support/http.ts';
import { frontQueries, served, silentBus } from '../../../support/queries.ts';

export interface DefiStage extends Stage {
  /** Status and `data`, or the public message. Answers of 200 are checked against the schema of their row. */
  get(path: string): Promise<{ status: number; data: Record<string, never>; message: string }>;
  headers(path: string): Promise<Record<string, string | string[] | undefined>>;
  /** One round of each figure, and what was published goes to the view. */
  publish(...figures: DefiFigure[]): Promise<void>;
  view: DefiView;
}

/** `asks: false` leaves the questions without an answer. */
export async function defiStage(t: Test, { asks = true } = {}): Promise<DefiStage> {
  const world = await stage(t);
  const { client, clock } = world;
  const caches = new QueryCaches(clock);
  const answers = dexAnswers({ client, clock, caches });
  const queries = frontQueries(asks ? served(answers, clock) : silentBus, clock);
  const view = new DefiView({ leastTvl: 100_000 });
  const context = { defi: view };
  const routes = [...dexRoutes(context), ...lendingRoutes(context)];
  const server = await startServer(t, routes, { clock, queries });
  const ajv = new Ajv2020({ strict: false });
  const schemas = routes.map(({ path, answer }) => ({
    pattern: new RegExp(`^${path.replace(/\{\w+\}/, '[^/]+')}$`),
    fits: ajv.compile(answer ?? {}),
  }));
  const get: DefiStage['get'] = async (path) => {
    const { status, text } = await call(server.url + path);
    const { data, message } = JSON.parse(text);
    const [bare = ''] = path.split('?');
    const row = schemas.find(({ pattern }) => pattern.test(bare));
    if (status === 200) {
      t.ok(row?.fits(data), `${path} fits its schema: ${ajv.errorsText(row?.fits.errors)}`);
    }
    return { status, data, message };
  };
  return {
    ...world,
    view,
    get,
    headers: async (path) => (await call(server.url + path)).headers,
    async publish(...figures) {
      for (const figure of figures) {
        await world.round(figure);
        view.accept(world.reading(figure), clock.now());
      }
    },
  };
}
