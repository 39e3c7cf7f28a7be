import { startChild, type Child } from '../child.ts';
import { judge } from '../report/bars.ts';
import { figure } from '../report/format.ts';
import type { Bench, Finding } from '../report/measurement.ts';
import { bytesPerMib, generationOf, textBody, type BodyKind } from './llm-bodies.ts';
import type { LlmCase } from './llm-case.ts';

const kinds: readonly { name: string; kind: BodyKind }[] = [
  { name: 'conversation', kind: 'a conversation' },
  { name: 'trace', kind: 'a trace' },
  { name: 'json', kind: 'a call with JSON in a text' },
];
const usual = { mib: 1, warmUp: 15, repetitions: 30 };
const large = { mib: 16, warmUp: 2, repetitions: 5 };
const bars = { timesOfParse: 8, growth: 1.5, summaryMs: 30 };
const generations = 150;
/** As of summaries without a model. */
const textLengthMax = 2_000_000;

/** Milliseconds of CPU, the least of the repetitions. */
interface TextCost {
  parseMs: number;
  renderMs: number;
  answerMs: number;
}

/** CPU of texts beside `JSON.parse` of their bodies, and of summaries without a model: by the functions that the routes call, without HTTP. */
export const renderTextCase: LlmCase = {
  name: 'render-text',
  async measure(_system: unknown, bench: Bench): Promise<Finding> {
    const child = startChild('../../services/management-api/src/test/render-cost.ts');
    const finding: Finding = { lines: [], figures: {} };
    for (const { name, kind } of kinds) {
      const [one, many] = [await costOf(child, kind, usual), await costOf(child, kind, large)];
      addText(finding, { name, kind, one, many }, bench);
    }
    await addSummary(finding, child, bench);
    await child.stop();
    return finding;
  },
};

async function costOf(child: Child, kind: BodyKind, { mib, ...rounds }: typeof usual): Promise<TextCost> {
  child.post({ kind: 'text', body: textBody(kind, mib * bytesPerMib), ...rounds });
  return await child.result<TextCost>();
}

interface Text {
  name: string;
  kind: BodyKind;
  one: TextCost;
  many: TextCost;
}

function addText({ lines, figures }: Finding, { name, kind, one, many }: Text, { say }: Bench): void {
  const times = one.answerMs / one.parseMs;
  const growth = many.answerMs / (one.answerMs * (large.mib / usual.mib));
  const shown = `${figure(one.answerMs)} ms, of it ${figure(one.renderMs)} for the text alone`;
  const parse = `JSON.parse: ${figure(one.parseMs)} ms`;
  const shownLarge = `${figure(many.answerMs)} ms, ${figure(growth)} times as much a MiB`;
  say(`${kind} of 1 MiB: ${shown}; ${parse}: ${figure(times)} times; of 16 MiB: ${shownLarge}`);
  lines.push(
    {
      what: `llm: text of ${kind} of 1 MiB, from the bytes of the body to those of the reply, CPU`,
      millrace: shown,
      beside: parse,
      ratio: `${figure(times)} times (the text alone: ${figure(one.renderMs / one.parseMs)})`,
      verdicts: [judge(times, { most: bars.timesOfParse })],
    },
    {
      what: `llm: text of ${kind} of ${large.mib} MiB, CPU`,
      millrace: `${figure(many.answerMs)} ms`,
      beside: `16 times 1 MiB: ${figure(one.answerMs * (large.mib / usual.mib))} ms`,
      ratio: figure(growth),
      verdicts: [judge(growth, { most: bars.growth })],
    },
  );
  Object.assign(figures, {
    [`llm_text_${name}_cpu_ms`]: one.answerMs,
    [`llm_text_${name}_rendering_cpu_ms`]: one.renderMs,
    [`llm_text_${name}_parse_cpu_ms`]: one.parseMs,
    [`llm_text_${name}_16_mib_cpu_ms`]: many.answerMs,
  });
}

async function addSummary({ lines, figures }: Finding, child: Child, { say }: Bench): Promise<void> {
  const hierarchy = Array.from({ length: generations }, (_, seed) => ({ ...generationOf(seed, 1), children: [] }));
  const trace = { properties: { $ai_trace_id: 'trace_1', $ai_span_name: 'agent' } };
  const source = { type: 'trace', id: 'trace_1', trace, hierarchy, eventsOmitted: 0 };
  const { warmUp, repetitions } = usual;
  child.post({ kind: 'summary', source, textLengthMax, warmUp, repetitions });
  const { renderMs, summaryMs } = await child.result<{ renderMs: number; summaryMs: number }>();
  const whole = renderMs + summaryMs;
  const shown = `${figure(whole)} ms: its text ${figure(renderMs)}, the summary ${figure(summaryMs)}`;
  say(`a summary of ${generations} generations: ${shown}`);
  lines.push({
    what: `llm: built-in summary of ${generations} generations (${figure(JSON.stringify(source).length / 1024)} KiB) and its text, CPU`,
    millrace: shown,
    beside: '',
    ratio: '',
    verdicts: [judge(whole, { most: bars.summaryMs, unit: ' ms' })],
  });
  Object.assign(figures, { llm_summary_cpu_ms: summaryMs, llm_summary_rendering_cpu_ms: renderMs });
}
