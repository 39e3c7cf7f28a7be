import { thousands } from '../../text-repr/values/thousands.ts';
import type { Facts } from './facts.ts';
import { shortName } from './quote.ts';
import type { Step } from './steps.ts';

/** Siblings in a row that look alike, which are one node. */
interface Run {
  readonly label: string;
  count: number;
  readonly parent: number;
  /** Steps of the run; what stands below the first of them is drawn. */
  readonly first: number;
}

/** The steps as a Mermaid flowchart of at most `nodesMax` nodes, from the top down. Pure. */
export function drawFlow(facts: Facts, nodesMax: number): string {
  const { source, steps } = facts;
  const runs = source.type === 'trace' && steps.length > 0 ? treeOf(steps, nodesMax) : chainOf(facts, nodesMax);
  return ['flowchart TD', ...runs.map(nodeLine)].join('\n');
}

function treeOf(steps: readonly Step[], nodesMax: number): Run[] {
  const below = childrenByParent(steps);
  const runs: Run[] = [{ label: 'Trace', count: 1, parent: -1, first: -1 }];
  let told = 0;
  for (let at = 0; at < runs.length && runs.length < nodesMax; at++) {
    for (const run of runsOf(below.get(runs[at]?.first ?? -1) ?? [], steps, at)) {
      // The last node is for the rest, unless this run is all of it.
      if (runs.length >= nodesMax - 1 && told + run.count < steps.length) break;
      runs.push(run);
      told += run.count;
    }
    if (runs.length >= nodesMax - 1) break;
  }
  if (told < steps.length && runs.length < nodesMax)
    runs.push({ label: `${thousands(steps.length - told)} more`, count: 1, parent: 0, first: -2 });
  return runs;
}

/** One event, or a trace of nothing but its states: what went in, the tools that were called, what came out. */
function chainOf({ source, steps, talk, text: { marks } }: Facts, nodesMax: number): Run[] {
  const has = (kind: 'input' | 'output' | 'error'): boolean => marks.some((mark) => mark.kind === kind);
  const before = [...(has('input') ? ['Input'] : []), flowLabel(steps[0]?.label ?? source.type)];
  const after = [...(has('output') ? ['Output'] : []), ...(has('error') ? ['Error'] : [])];
  const tools = talk.tools.slice(0, nodesMax - before.length - after.length);
  return [
    ...before.map((label) => ({ label, count: 1 })),
    ...tools.map(({ name, count }) => ({ label: flowLabel(name), count })),
    ...after.map((label) => ({ label, count: 1 })),
  ].map((node, index) => ({ ...node, parent: index - 1, first: index }));
}

function childrenByParent(steps: readonly Step[]): Map<number, number[]> {
  const below = new Map<number, number[]>();
  for (const [index, { parent }] of steps.entries()) {
    const siblings = below.get(parent ?? -1);
    if (siblings === undefined) below.set(parent ?? -1, [index]);
    else siblings.push(index);
  }
  return below;
}

function runsOf(siblings: readonly number[], steps: readonly Step[], parent: number): Run[] {
  const runs: Run[] = [];
  for (const index of siblings) {
    const step = steps[index];
    if (step === undefined) continue;
    const label = flowLabel(`${step.label}${step.isError ? ' (error)' : ''}`);
    const last = runs.at(-1);
    if (last?.label === label) last.count++;
    else runs.push({ label, count: 1, parent, first: index });
  }
  return runs;
}

function nodeLine({ label, count, parent }: Run, index: number): string {
  const node = `n${index}["${label}${count > 1 ? ` × ${thousands(count)}` : ''}"]`;
  return parent < 0 ? `  ${node}` : `  n${parent} --> ${node}`;
}

/** Words of a user as the label of a node. Signs that Mermaid or HTML could read become `_`. */
function flowLabel(text: string): string {
  return shortName(text)
    .replace(/[^\p{L}\p{M}\p{N} .,:/$×+*'%@=!?()_…-]/gu, '_')
    .replace(/^[-*+]|^\d+\./, '_');
}
