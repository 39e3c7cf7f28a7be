import { isLearnableName, isLearnedProperty, type PropertyOwner } from '@millrace/contracts/property-types.ts';
import { nearestOfMany } from './nearest-of-many.ts';
import type { Span } from '../query-error.ts';
import type { Resolved } from '../resolved.ts';
import type { ProjectSchema, PropertyOwnerPath } from '../schema/project-schema.ts';
import { projectSchema } from '../schema/project-schema.ts';
import { warn, type QueryWarning, type UnknownName } from '../warnings.ts';

// Names that a project has never sent. Where it may have more of them than it has learned, nobody knows.

/** Names that clients make of other names: a flag or a survey that nobody has met yet is none that is misspelt. */
const madeOfOthers = /^\$(?:feature|feature_enrollment|survey_responded|survey_dismissed)\//;

const longestShown = 60;

/** Warns of a property that the project does not know. */
export function warnOfUnknownProperty(owner: PropertyOwnerPath, name: string, span: Span): void {
  const schema = projectSchema();
  if (schema === undefined || madeOfOthers.test(name) || schema.property(owner, name) !== undefined) return;
  const kind = (owner.startsWith('group') ? 'group' : owner) as PropertyOwner;
  if (isLearnedProperty(kind, name)) warnOfUnknown({ list: owner, name }, span, schema);
}

/** Warns where the name of an event is compared with one that the project does not know. */
export function warnOfUnknownEvent(sides: readonly Resolved[]): void {
  const schema = projectSchema();
  if (schema === undefined || !sides.some(isEventName)) return;
  for (const side of sides.slice(0, lookedAtMax)) {
    const name = side.kind === 'constant' && typeof side.value === 'string' ? side.value : undefined;
    if (name === undefined || madeOfOthers.test(name) || schema.hasEvent(name)) continue;
    if (isLearnableName(name)) warnOfUnknown({ list: 'events', name }, side, schema);
  }
}

/** Members of a list that are looked at. */
const lookedAtMax = 1_000;

function warnOfUnknown(unknown: UnknownName, span: Span, schema: ProjectSchema): void {
  if (!schema.isWhole(unknown.list)) return;
  const code = unknown.list === 'events' ? 'unknown_event' : 'unknown_property';
  if (schema.isPart) warn(code, () => sentenceOf(unknown), span, { ...unknown, isOpen: true });
  else warn(code, () => sentenceOf(unknown, nearOf(unknown, schema)), span, unknown);
}

/**
 * The result with the suggestions that a part of the names could not give (`mentionedNames`): what it would be with all names. Pure.
 */
export function withSuggestions<Result extends { warnings: QueryWarning[] }>(
  result: Result,
  schema: ProjectSchema | undefined,
): Result {
  if (schema === undefined || !result.warnings.some(({ unknown }) => unknown?.isOpen)) return result;
  const warnings = result.warnings.map((warning): QueryWarning => {
    if (!warning.unknown?.isOpen) return warning;
    const { isOpen: _, ...unknown } = warning.unknown;
    const place = warning.message.slice(sentenceOf(unknown).length);
    return { ...warning, message: sentenceOf(unknown, nearOf(unknown, schema)) + place, unknown };
  });
  return { ...result, warnings };
}

function nearOf({ list, name }: UnknownName, schema: ProjectSchema): string | undefined {
  if (list === 'events') return nearestOfMany(name, schema.events());
  const bare = name.replace(/^(?:person\.)?properties\./, '');
  return schema.property(list, bare) !== undefined ? bare : nearestOfMany(name, schema.properties(list));
}

function sentenceOf({ list, name }: UnknownName, near?: string): string {
  if (list === 'events')
    return `No event is named ${shown(name)}${near === undefined ? '' : `; ${shown(near)} is one`}`;
  const of = list.startsWith('group') ? `group of type ${list.slice(-1)}` : list;
  return `No ${of} has the property ${shown(name)}${near === undefined ? '' : `; ${shown(near)} has`}`;
}

function isEventName(expr: Resolved): boolean {
  if (expr.kind !== 'column' || expr.location.column !== 'event' || expr.location.join) return false;
  const { from } = expr.source;
  return from.kind === 'table' && from.table.name === 'events';
}

// Clients choose the names, and a message is shown in places that we do not know.
function shown(name: string): string {
  const plain = name.replace(/[\p{C}<>`]/gu, '');
  return `\`${plain.length > longestShown ? `${plain.slice(0, longestShown)}…` : plain}\``;
}
