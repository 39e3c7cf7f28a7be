// How much CPU texts and summaries of LLM data take (npm run bench -- llm): the functions that the routes call, with nothing else in the process.
import { summarizeBuiltIn } from '../features/llm-analytics/summaries/builtin/summarize.ts';
import { renderSource } from '../features/llm-analytics/summaries/source.ts';
import { answerBytes } from '../features/llm-analytics/text-repr/answer-bytes.ts';
import { represent } from '../features/llm-analytics/text-repr/represent.ts';
import type { TextReprBody } from '../features/llm-analytics/text-repr/text-repr-schemas.ts';
import type { SummarySource } from '../features/llm-analytics/summaries/source.ts';

/** A body of `text_repr`, or data of which summaries are made. CPU is the least of `repetitions`. */
type Order = { repetitions: number; warmUp: number } & (
  { kind: 'text'; body: string } | { kind: 'summary'; source: SummarySource; textLengthMax: number }
);

/** Milliseconds of CPU of all threads of the process: the collector of garbage is among them. */
function measure(order: Order): Record<string, number> {
  const least = leastCpuMs(order);
  if (order.kind === 'summary') {
    const { source, textLengthMax } = order;
    const rendered = renderSource(source, textLengthMax);
    return least({
      renderMs: () => renderSource(source, textLengthMax),
      summaryMs: () => summarizeBuiltIn(source, rendered, 'detailed'),
    });
  }
  const unparsed = { bytes: new TextEncoder().encode(order.body), contentType: 'application/json' };
  const parsed = JSON.parse(order.body) as TextReprBody;
  return least({
    parseMs: () => JSON.parse(order.body) as unknown,
    renderMs: () => represent(parsed),
    answerMs: () => answerBytes(unparsed),
  });
}

type Works<Name extends string> = Record<Name, () => unknown>;

/** Measures works in turn, so that all of them meet the same moods of the machine. */
function leastCpuMs({ repetitions, warmUp }: Order) {
  return <Name extends string>(works: Works<Name>): Record<Name, number> => {
    const names = Object.keys(works) as Name[];
    const least = Object.fromEntries(names.map((name) => [name, Infinity])) as Record<Name, number>;
    for (let round = -warmUp; round < repetitions; round++)
      for (const name of names) {
        const before = process.cpuUsage();
        works[name]();
        const { user, system } = process.cpuUsage(before);
        if (round >= 0) least[name] = Math.min(least[name], (user + system) / 1000);
      }
    return least;
  };
}

process.on('message', (order: Order) => process.send?.(measure(order)));
process.on('disconnect', () => process.exit(0));
