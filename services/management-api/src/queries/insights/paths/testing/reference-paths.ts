import { personOf, type World, type WorldEvent } from '../../testing/world.ts';

/** Settings of the reference, as `pathsFilter` has them. */
export interface ReferenceFilter {
  includeEventTypes?: readonly string[];
  excludeEvents?: readonly string[];
  startPoint?: string;
  endPoint?: string;
  stepLimit?: number;
  edgeLimit?: number;
}

interface Step {
  ms: number;
  item: string;
}

const gapMs = 30 * 60_000;

/** Edges by loops over the events, as contract/insights 10.2 tells them. Events of one person never have the same time. */
export function referencePaths(world: World, filter: ReferenceFilter): object[] {
  const { stepLimit = 5, edgeLimit = 50 } = filter;
  const edges = new Map<string, { source: string; target: string; times: number[] }>();
  for (const path of pathsOf(world, filter)) {
    const steps = bounded(distinct(path), filter, stepLimit);
    for (let at = 0; at + 1 < steps.length; at += 1) {
      const [from, to] = [steps[at], steps[at + 1]] as [Step, Step];
      const [source, target] = [`${at + 1}_${from.item}`, `${at + 2}_${to.item}`];
      const key = JSON.stringify([source, target]);
      const edge = edges.get(key) ?? { source, target, times: [] };
      edge.times.push(to.ms - from.ms);
      edges.set(key, edge);
    }
  }
  const order = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other));
  const first = [...edges.values()]
    .sort(
      (one, other) =>
        other.times.length - one.times.length || order(one.source, other.source) || order(one.target, other.target),
    )
    .slice(0, edgeLimit);
  return reachable(first).map(({ source, target, times }) => ({
    source,
    target,
    value: times.length,
    average_conversion_time: times.reduce((sum, time) => sum + time, 0) / times.length,
  }));
}

function pathsOf(world: World, filter: ReferenceFilter): Step[][] {
  const byPerson = new Map<string, Step[]>();
  for (const event of [...world.events].sort((one, other) => (one.at < other.at ? -1 : 1))) {
    const item = itemOf(event);
    if (!isIncluded(event, filter) || filter.excludeEvents?.includes(item)) continue;
    const person = personOf(world, event.who);
    const steps = byPerson.get(person) ?? [];
    steps.push({ ms: Date.parse(`${event.at.replace(' ', 'T')}Z`), item });
    byPerson.set(person, steps);
  }
  const paths: Step[][] = [];
  for (const steps of byPerson.values()) {
    let path: Step[] = [];
    for (const step of steps) {
      const last = path.at(-1);
      if (last !== undefined && step.ms - last.ms >= gapMs) {
        paths.push(path);
        path = [];
      }
      path.push(step);
    }
    paths.push(path);
  }
  return paths;
}

function itemOf({ event, properties = {} }: WorldEvent): string {
  const text = (value: unknown): string =>
    value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);
  if (event === '$pageview') {
    const url = text(properties['$current_url']);
    return url.length > 1 && url.endsWith('/') ? url.slice(0, -1) : url;
  }
  return event === '$screen' ? text(properties['$screen_name']) : event;
}

function isIncluded({ event }: WorldEvent, { includeEventTypes: types = [] }: ReferenceFilter): boolean {
  return types.length === 0 || types.includes(event) || (types.includes('custom_event') && !event.startsWith('$'));
}

const distinct = (path: Step[]): Step[] => path.filter(({ item }, at) => path[at + 1]?.item !== item);

function bounded(path: Step[], { startPoint, endPoint }: ReferenceFilter, limit: number): Step[] {
  let steps = path;
  if (startPoint !== undefined) {
    const begin = steps.findIndex(({ item }) => item === startPoint);
    if (begin < 0) return [];
    steps = steps.slice(begin);
  }
  if (endPoint !== undefined) {
    const last = steps.findIndex(({ item }, at) => item === endPoint && (startPoint === undefined || at > 0));
    if (last < 0) return [];
    steps = steps.slice(0, last + 1);
    if (startPoint === undefined) return steps.slice(-limit);
    if (steps.length <= limit) return steps;
    const half = Math.floor(limit / 2);
    return [...steps.slice(0, half), { ms: steps[half]?.ms ?? 0, item: '...' }, ...steps.slice(-half)];
  }
  return steps.slice(0, limit);
}

function reachable<Edge extends { source: string; target: string }>(edges: Edge[]): Edge[] {
  const reached = new Set(edges.filter(({ source }) => source.startsWith('1_')));
  for (let size = -1; size !== reached.size;) {
    size = reached.size;
    const targets = new Set([...reached].map(({ target }) => target));
    for (const edge of edges) if (targets.has(edge.source)) reached.add(edge);
  }
  return edges.filter((edge) => reached.has(edge));
}
