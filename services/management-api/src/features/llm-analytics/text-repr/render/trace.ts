import type { Lines } from '../lines/lines.ts';
import type { RenderOptions } from '../lines/options.ts';
import { truncateMiddle } from '../lines/truncate-middle.ts';
import { firstTruthy, isTruthy, memberOf, type ObjectValue } from '../values/json-values.ts';
import { json2, pystr } from '../values/python-text.ts';
import { propertiesOf } from './event.ts';
import { writeInput } from './input.ts';
import { areMessages } from './messages.ts';
import { firstName } from './names.ts';
import { outputOf, writeOutput } from './output.ts';
import { rule, separator } from './rules.ts';
import { writeTree } from './tree.ts';

/** Writes a trace: its name, its error, and the tree of its events, or its states when it has none (contract/llm-surveys 5.8). */
export function writeTrace(
  lines: Lines,
  trace: ObjectValue,
  hierarchy: readonly unknown[],
  options: RenderOptions,
): void {
  const properties = propertiesOf(trace);
  const names = [memberOf(properties, '$ai_span_name'), memberOf(trace, 'traceName'), memberOf(trace, 'trace_name')];
  lines.add(firstName(names, 'TRACE').toUpperCase(), rule);
  const error = memberOf(properties, '$ai_error');
  if (isTruthy(error)) {
    lines.add('', separator, '');
    const firstLine = lines.count + 1;
    lines.add('TRACE ERROR:', '', typeof error === 'string' ? error : json2(error));
    lines.markFrom(firstLine, 'error');
  }
  if (hierarchy.length > 0 && options.includeHierarchy) {
    lines.add('', separator, '', 'TRACE HIERARCHY:', '');
    writeTree(lines, hierarchy, options);
    return;
  }
  for (const kind of ['input', 'output'] as const) {
    const state = firstTruthy(
      memberOf(properties, `$ai_${kind}_state`),
      memberOf(trace, `${kind}State`),
      memberOf(trace, `${kind}_state`),
    );
    if (isTruthy(state)) writeState(lines, state, kind, options);
  }
}

function writeState(lines: Lines, state: unknown, kind: 'input' | 'output', options: RenderOptions): void {
  const output = kind === 'output' && areMessages(state) ? outputOf(undefined, state) : null;
  lines.add('', separator);
  if (kind === 'input' && areMessages(state)) writeInput(lines, state, options);
  else if (output !== null) writeOutput(lines, output, options);
  else {
    lines.add('');
    const firstLine = lines.count + 1;
    lines.add(`TRACE ${kind.toUpperCase()}:`, '');
    if (typeof state === 'string') lines.add(...truncateMiddle(state, options));
    else if (typeof state === 'object') lines.add(...truncateMiddle(json2(state), options));
    else lines.add(pystr(state));
    lines.markFrom(firstLine, kind);
  }
}
