import { parseArgs } from 'node:util';
import { compileQuery } from '../compile.ts';
import { queryLengthMax } from '../parse.ts';
import { QueryError } from '../query-error.ts';
import { costlyFamilies } from './costly-statements.ts';

// Looks for statements that cost much: `node --expose-gc --max-semi-space-size=256 search-costs.ts [--only TEXT] [--above MS] [--every N]`.
// Prints what took more than 50 ms of the thread, which is what others wait for, or left more than 64 MB, and the costliest twenty.

interface Cost {
  ms: number;
  mb: number;
  said: string;
}

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    above: { type: 'string', default: '50' },
    every: { type: 'string', default: '1' },
    length: { type: 'string', default: String(queryLengthMax) },
    show: { type: 'boolean', default: false },
  },
});

function costOf(text: string): Cost {
  globalThis.gc?.();
  const heap = process.memoryUsage().heapUsed;
  const before = process.threadCpuUsage();
  let said: string;
  try {
    const { sql, params } = compileQuery({ text, values: { x: 'text' }, variables: {}, rowsMax: 100 });
    said = `${sql.length} characters of SQL, ${Object.keys(params).length} parameters`;
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    said = `${error.code}: ${error.message.slice(0, 80)}${error.message.length > 2_000 ? ` … ${error.message.length} characters` : ''}`;
  }
  const { user, system } = process.threadCpuUsage(before);
  return { ms: (user + system) / 1_000, mb: (process.memoryUsage().heapUsed - heap) / 1e6, said };
}

function leastCost(text: string, enoughMs: number): Cost {
  let least = costOf(text);
  for (let times = 0; times < 3 && least.ms > enoughMs && least.ms < 1_000; times += 1) {
    const cost = costOf(text);
    if (cost.ms < least.ms) least = cost;
  }
  return least;
}

const [above, every, length] = [Number(options.above), Number(options.every), Number(options.length)];
const found: { name: string; cost: Cost }[] = [];
const families = costlyFamilies().filter(({ name }, at) => name.includes(options.only) && at % every === 0);
const codes = new Map<string, number>();
for (const { name, make } of families) {
  const small = leastCost(make(length / 8), above);
  const cost = small.ms > 1_500 ? small : leastCost(make(length), above);
  if (options.show) console.log(name, cost.ms.toFixed(0), cost.said);
  const code = /^[a-z_]+(?=:)/.exec(cost.said)?.[0] ?? 'compiled';
  codes.set(code, (codes.get(code) ?? 0) + 1);
  if (cost.ms > above || cost.mb > 64)
    console.log(
      `${cost.ms.toFixed(0)} ms ${cost.mb.toFixed(0)} MB ${small === cost ? '(an eighth) ' : ''}${name} | ${cost.said}`,
    );
  found.push({ name, cost });
}
const costliest = found.toSorted((a, b) => b.cost.ms - a.cost.ms).slice(0, 20);
console.log(
  `${families.length} families of ${length} characters: ${[...codes].map(([code, count]) => `${count} ${code}`).join(', ')}; the costliest:`,
);
for (const { name, cost } of costliest)
  console.log(`${cost.ms.toFixed(0)} ms ${cost.mb.toFixed(0)} MB ${name} | ${cost.said}`);
