import type { Mark } from '../../text-repr/lines/lines.ts';
import type { SourceText } from './source-text.ts';

/** A message, an input or an answer, by the lines of its content. */
export interface Utterance {
  /** Lower case; empty when it is no message. */
  readonly role: string;
  readonly isOutput: boolean;
  readonly firstLine: number;
  readonly lastLine: number;
}

/** A tool that is called. */
interface CalledTool {
  readonly name: string;
  readonly count: number;
  /** Line of the first call. */
  readonly line: number;
}

/** Everything said and called, by the marks of the renderer. */
export interface Talk {
  /** In the order of their lines. */
  readonly utterances: readonly Utterance[];
  /** In the order of their first calls. */
  readonly tools: readonly CalledTool[];
}

/** Reads the marks of a text. Linear: marks come in the order of their ends, so that a part follows all that stands in it. */
export function readTalk({ marks }: SourceText): Talk {
  const utterances: Utterance[] = [];
  const calls: (Mark & { isOutput: boolean })[] = [];
  let contents: Mark[] = [];
  let open: { mark: Mark; role: string }[] = [];
  let openCalls: Mark[] = [];
  let hasMessages = false;
  for (const mark of marks) {
    if (mark.kind === 'content') contents.push(mark);
    else if (mark.kind === 'call') openCalls.push(mark);
    else if (mark.kind === 'message') {
      hasMessages = true;
      open.push(...contents.map((content) => ({ mark: content, role: mark.name.toLowerCase() })));
      contents = [];
    } else if (mark.kind === 'input' || mark.kind === 'output' || mark.kind === 'node') {
      open.push(...contents.map((content) => ({ mark: content, role: '' })));
      contents = [];
      // A part that is neither text nor messages is printed as JSON.
      if (mark.kind !== 'node' && open.length === 0 && !hasMessages) open.push({ mark, role: '' });
      hasMessages = false;
      const isOutput = mark.kind === 'output';
      for (const { mark: content, role } of open) utterances.push({ ...linesOf(content), role, isOutput });
      for (const call of openCalls) calls.push({ ...call, isOutput });
      open = [];
      openCalls = [];
    }
  }
  return { utterances: utterances.toSorted((one, other) => one.firstLine - other.firstLine), tools: toolsOf(calls) };
}

const linesOf = ({ firstLine, lastLine }: Mark) => ({ firstLine, lastLine });

/**
 * A conversation comes again in the input of each generation: calls in answers are counted where there are any, else those of the input that
 * has most.
 */
function toolsOf(calls: readonly (Mark & { isOutput: boolean })[]): CalledTool[] {
  const tools = new Map<string, { line: number; outputs: number; inputs: Map<number | null, number> }>();
  for (const { name, firstLine, nodeIndex, isOutput } of calls) {
    let tool = tools.get(name);
    if (tool === undefined) tools.set(name, (tool = { line: firstLine, outputs: 0, inputs: new Map() }));
    tool.line = Math.min(tool.line, firstLine);
    if (isOutput) tool.outputs++;
    else tool.inputs.set(nodeIndex, (tool.inputs.get(nodeIndex) ?? 0) + 1);
  }
  return [...tools].map(([name, { line, outputs, inputs }]) => ({
    name,
    line,
    count: outputs || [...inputs.values()].reduce((most, count) => Math.max(most, count), 0),
  }));
}
