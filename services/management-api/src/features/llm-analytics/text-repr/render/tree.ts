import { joinLines } from '../lines/finish.ts';
import { Lines } from '../lines/lines.ts';
import type { RenderOptions } from '../lines/options.ts';
import { base64 } from '../lines/truncate-middle.ts';
import { isAbsent, isObject, memberOf, type ObjectValue } from '../values/json-values.ts';
import { pystr } from '../values/python-text.ts';
import { propertiesOf, writeEvent } from './event.ts';
import { nodeSummary } from './node-summary.ts';

const tags = new Map([
  ['$ai_generation', '[GEN]'],
  ['$ai_span', '[SPAN]'],
  ['$ai_embedding', '[EMBED]'],
  ['$ai_evaluation', '[EVAL]'],
]);

/** Siblings that are being written, and the lines in front of them. */
interface Level {
  readonly nodes: readonly ObjectValue[];
  readonly prefix: string;
  next: number;
}

/** Writes the tree of a trace's events (contract/llm-surveys 5.8). Depth costs no stack. Nodes that are no objects are left out. */
export function writeTree(lines: Lines, hierarchy: readonly unknown[], options: RenderOptions): void {
  let nodes = 0;
  const levels: Level[] = [{ nodes: hierarchy.filter(isObject), prefix: '', next: 0 }];
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    const node = level.nodes[level.next++];
    if (node === undefined) {
      levels.pop();
      continue;
    }
    const isLast = level.next === level.nodes.length;
    const below = level.prefix + (isLast ? '   ' : '│  ');
    lines.prefix = level.prefix + (isLast ? '└─ ' : '├─ ');
    lines.nodeIndex = nodes++;
    writeNode(lines, eventOf(node), `${below}    `, options);
    const children = childrenOf(node);
    if (children.length === 0) continue;
    if (options.maxDepth !== null && levels.length > options.maxDepth) {
      lines.prefix = below;
      lines.add('  [... max depth reached]');
    } else levels.push({ nodes: children, prefix: below, next: 0 });
  }
  lines.prefix = '';
  lines.node = null;
  lines.nodeIndex = null;
}

/** A node holds its event, or is it (contract/llm-surveys 5.1). */
export function eventOf(node: ObjectValue): ObjectValue {
  const event = memberOf(node, 'event');
  return isObject(event) ? event : node;
}

/** The nodes below a node. */
export function childrenOf(node: ObjectValue): ObjectValue[] {
  const children = memberOf(node, 'children');
  return Array.isArray(children) ? children.filter(isObject) : [];
}

/** Writes the line of a node behind the prefix that is set, and its event's text, if it is expanded, behind `textPrefix`. */
function writeNode(lines: Lines, event: ObjectValue, textPrefix: string, options: RenderOptions): void {
  const recorded = memberOf(event, 'event');
  const name = isAbsent(recorded) ? 'unknown' : pystr(recorded);
  const id = memberOf(event, 'id');
  const idText = isAbsent(id) ? 'unknown' : pystr(id);
  const tag = tags.get(name);
  const summary = nodeSummary(name, propertiesOf(event));
  const title = `${tag ?? '[EVENT]'} ${summary}`;
  lines.node = idText;
  const firstLine = lines.count + 1;
  if (options.collapsed) lines.add(title);
  else if (tag === undefined)
    lines.add(options.includeMarkers ? `<<<EVENT_LINK|${idText}|[EVENT]>>> ${summary}` : title);
  else if (options.includeMarkers)
    lines.add(`<<<GEN_EXPANDABLE|${idText}|${title}|${base64(eventText(event, options))}>>>`);
  else {
    lines.add(`[+] ${title}`);
    lines.prefix = textPrefix;
    const before = lines.count;
    writeEvent(lines, event, options);
    if (lines.count === before) lines.add('');
  }
  lines.markFrom(firstLine, 'node', name);
}

function eventText(event: ObjectValue, options: RenderOptions): string {
  const lines = new Lines();
  writeEvent(lines, event, options);
  return joinLines(lines);
}
