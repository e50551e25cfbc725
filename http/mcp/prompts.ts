/** Prompts: what a person asks again and again, with the tools that answer it. */
import { codes, objectIn, type RpcError, rpcError } from './json-rpc.ts';

interface PromptArgument {
  name: string;
  description: string;
  required: boolean;
}

interface Prompt {
  name: string;
  title: string;
  description: string;
  arguments: readonly PromptArgument[];
  /** What the person says; the arguments that are required are there. */
  text(given: Readonly<Record<string, string>>): string;
}

/** How numbers are to be handed on, whatever the question is. */
const manners =
  'Give each number its unit, its exchange (or that it is over exchanges) and its age where that is more than a minute (age_ms, updated_at). Leave out numbers that are marked suspect, excluded, disputed, stale or unheard_since, and name what you left out. Null is unknown, not zero. Do not advise to buy or sell.';

/** Longest value of an argument, characters. */
const longest = 200;

const prompts: readonly Prompt[] = [
  {
    name: 'market_briefing',
    title: 'Market briefing',
    description: 'The market now in ten lines: what moved, funding, liquidations, what is unusual.',
    arguments: [
      {
        name: 'symbols',
        description: 'Base assets to look at closely, separated by commas; BTC, ETH when absent.',
        required: false,
      },
    ],
    text: ({ symbols = 'BTC, ETH' }) =>
      `Brief me on the crypto market now, with a closer look at ${symbols}. Read market_overview (view assets, view futures_gainers, view futures_losers, view sentiment), funding (view current for each of these assets), open_interest (view current for each), liquidations (view by_symbol) and source_health (view sources). Then write ten lines at most: what moved and by how much, where funding is far from zero and who pays, what was liquidated, what is unusual, and which sources are down. ${manners}`,
  },
  {
    name: 'funding_check',
    title: 'Funding check',
    description:
      'What a position in a perpetual pays or receives on each exchange, now and over the last weeks.',
    arguments: [
      { name: 'symbol', description: 'Base asset, such as SOL.', required: true },
      { name: 'side', description: 'long or short; long when absent.', required: false },
      {
        name: 'size_usd',
        description: 'Size of the position, US dollars; 10,000 when absent.',
        required: false,
      },
    ],
    text: ({ symbol, side = 'long', size_usd = '10,000' }) =>
      `Check the funding of ${symbol} perpetuals for a ${side} of ${size_usd} US dollars. Read funding with symbol ${symbol} (view current, view weighted, view cumulative, view predicted_history) and open_interest (view current). Then give a table by exchange: rate of its interval, hours of the interval, rate over 8 hours, next payment (UTC), dollars that this position pays (-) or receives (+) a day at this rate, open interest. Below it: the cheapest and the dearest exchange for this side, how the rates of now compare with those of the last weeks, and where a rate is about to change sign. A long pays a positive rate and receives a negative one; a short the opposite. ${manners}`,
  },
];

/** The prompts as they are listed. */
export const promptEntries: readonly object[] = prompts.map(({ text: _, ...entry }) => entry);

/** What is wrong with the arguments of a prompt, or null. */
function faultOf(prompt: Prompt, given: Readonly<Record<string, unknown>>): string | null {
  for (const { name, required } of prompt.arguments) {
    const value = given[name];
    if (value === undefined && required) return `${name} is required`;
    const isGood = typeof value === 'string' && value.length <= longest;
    if (value !== undefined && !isGood)
      return `${name} must be text of ${longest} characters at most`;
  }
  return null;
}

/** The messages of a prompt; an unknown name and a bad argument are errors of the protocol. */
export function promptOf(params: Readonly<Record<string, unknown>>): object | RpcError {
  const { name } = params;
  const prompt = prompts.find((one) => one.name === name);
  if (prompt === undefined) {
    const names = prompts.map((one) => one.name).join(', ');
    return rpcError(codes.params, `name must be one of ${names}`);
  }
  const given = objectIn(params.arguments);
  const fault = given === null ? 'arguments must be an object' : faultOf(prompt, given);
  if (fault !== null) return rpcError(codes.params, fault);
  const texts = Object.fromEntries(
    prompt.arguments.flatMap((one) => {
      const value = given?.[one.name];
      return typeof value === 'string' ? [[one.name, value]] : [];
    }),
  );
  const content = { type: 'text', text: prompt.text(texts) };
  return { description: prompt.description, messages: [{ role: 'user', content }] };
}
