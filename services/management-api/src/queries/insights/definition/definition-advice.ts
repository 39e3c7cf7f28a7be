import type { TSchema } from 'typebox';
import type { Hinted } from '@millrace/http/hint.ts';
import { meantName } from '@millrace/query-language/hints/meant-name.ts';

/** Parts of a JSON schema that say which fields there are. */
interface Shape extends Pick<Hinted, 'x-hint'> {
  properties?: Readonly<Record<string, Shape>>;
  items?: Shape | readonly Shape[];
  additionalProperties?: boolean;
}

const node = '{"kind": "EventsNode", "event": "signed up"}';
const condition = '{"key": "plan", "value": ["pro"], "operator": "exact", "type": "event"}';
const entities = '"retentionFilter": {"targetEntity": {"id": "signed up"}, "returningEntity": {"id": "viewed"}}';

/** Fields as they are written, by name. */
const examples: Readonly<Record<string, string>> = {
  series: `"series": [${node}]`,
  dateRange: '"dateRange": {"date_from": "-7d"}',
  properties: `"properties": [${condition}]`,
  breakdownFilter: '"breakdownFilter": {"breakdown": "plan", "breakdown_type": "event"}',
  breakdown: '"breakdown": "plan"',
  breakdowns: '"breakdowns": [{"property": "plan", "type": "event"}]',
  compareFilter: '"compareFilter": {"compare": true}',
  retentionFilter: entities,
  targetEntity: '"targetEntity": {"id": "signed up"}',
  returningEntity: '"returningEntity": {"id": "viewed"}',
  pathsFilter: '"pathsFilter": {"includeEventTypes": ["$pageview"]}',
  breakdownBy: '"breakdownBy": "Page"',
  kind: `"kind": "EventsNode"`,
};

/** Fields of a kind that are written otherwise there. */
const examplesOf: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  WebOverviewQuery: { properties: '"properties": []' },
  WebStatsTableQuery: { properties: '"properties": []' },
};

/** Names that others give to our fields, wherever they stand. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  series: ['event', 'events', 'steps', 'nodes'],
  properties: ['filters', 'filter', 'where'],
  dateRange: ['range', 'date', 'dates', 'period'],
  date_from: ['from', 'start', 'after'],
  date_to: ['to', 'end', 'until', 'before'],
  breakdownFilter: ['group_by'],
  breakdown: ['property'],
  event: ['id'],
};

const notPaged = 'An insight has no pages.';

/** Fields that a kind of insight has no place for, and what stands in their place. */
const instead: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  RetentionQuery: { series: `Write ${entities}.`, interval: 'Write "retentionFilter": {"period": "Week"}.' },
  PathsQuery: { series: 'Write the items in pathsFilter: includeEventTypes, startPoint, excludeEvents.' },
};
const insteadOfAll: Readonly<Record<string, string>> = {
  variables: 'Variables of an insight are date_from, date_to and the properties of its breakdown: give them to a run.',
  limit: notPaged,
  offset: notPaged,
  query: 'An insight has no SQL: write {"kind": "HogQLQuery", "query": "SELECT …"} for that.',
};

/**
 * How the field at a path is written that does not fit a kind's schema; undefined: its error says enough. `unknown`: the schema has no
 * such field. Pure.
 */
export function adviceOn(kind: string, schema: TSchema, path: readonly string[], unknown: boolean): string | undefined {
  const name = path.at(-1) ?? '';
  if (!unknown) return exampleAt({ ...examples, ...examplesOf[kind] }, name, path.at(-2));
  const isTop = path.length === 1;
  const replaced = isTop ? (instead[kind]?.[name] ?? insteadOfAll[name]) : undefined;
  if (replaced !== undefined) return replaced;
  const fields = shapeAt(schema, path.slice(0, -1))?.properties ?? {};
  const meant = meantName(Object.fromEntries(Object.keys(fields).map((field) => [field, otherNames[field] ?? []])))(
    name,
  );
  if (meant !== undefined) return `Write ${examples[meant] ?? `"${meant}"`}.`;
  const holder = holderOf(fields, name) ?? holderOf(shapeAt(schema, [])?.properties ?? {}, name);
  if (holder !== undefined) return `It belongs in ${holder}: write "${holder}": {"${name}": …}.`;
  return `The fields here are ${Object.keys(fields).join(', ')}.`;
}

/** Advice for a field that stands for something that is not there (`notYet`): the text to write instead. Pure. */
export const insteadOfField = (schema: TSchema, path: readonly string[]): string | undefined =>
  shapeAt(schema, path)?.['x-hint'];

/** A member of a list is written as the list is. */
function exampleAt(of: typeof examples, name: string, list: string | undefined): string | undefined {
  const example = /^\d+$/.test(name) ? of[list ?? ''] : of[name];
  return example && `Write ${example}.`;
}

const holderOf = (fields: NonNullable<Shape['properties']>, name: string): string | undefined =>
  Object.entries(fields).find(([, { properties = {} }]) => Object.hasOwn(properties, name))?.[0];

function shapeAt(shape: Shape | undefined, [head, ...rest]: readonly string[]): Shape | undefined {
  if (head === undefined || shape === undefined) return shape;
  const members = [shape.items ?? []].flat() as readonly Shape[];
  return shapeAt(shape.properties?.[head] ?? members[0], rest);
}
