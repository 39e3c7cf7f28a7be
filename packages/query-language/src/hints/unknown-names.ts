import { learnedNamesMax } from '@millrace/contracts/property-types.ts';
import { nearestOfMany } from './nearest-of-many.ts';
import type { Span } from '../query-error.ts';
import type { Resolved } from '../resolved.ts';
import { projectSchema, type PropertyOwnerPath } from '../schema/project-schema.ts';
import { suggested, warn } from '../warnings.ts';

// Names that a project has never sent. Where it may have more of them than it has learned, nobody knows.

/** Names that clients make of other names: a flag or a survey that nobody has met yet is none that is misspelt. */
const madeOfOthers = /^\$(?:feature|feature_enrollment|survey_responded|survey_dismissed)\//;

const longestShown = 60;

/** Warns of a property that the project does not know. */
export function warnOfUnknownProperty(owner: PropertyOwnerPath, name: string, span: Span): void {
  const schema = projectSchema();
  if (schema === undefined || madeOfOthers.test(name) || schema.property(owner, name) !== undefined) return;
  const known = schema.properties(owner);
  if (!isWhole(known)) return;
  const near = suggested(`${owner} ${name}`, () => nearestOfMany(name, known));
  const of = owner.startsWith('group') ? `group of type ${owner.slice(-1)}` : owner;
  warn(
    'unknown_property',
    `No ${of} has the property ${shown(name)}${near === undefined ? '' : `; ${shown(near)} has`}`,
    span,
  );
}

/** Warns where the name of an event is compared with one that the project does not know. */
export function warnOfUnknownEvent(sides: readonly Resolved[]): void {
  const schema = projectSchema();
  if (schema === undefined || !sides.some(isEventName)) return;
  const known = schema.events();
  if (!isWhole(known)) return;
  for (const side of sides.slice(0, lookedAtMax)) {
    const name = side.kind === 'constant' && typeof side.value === 'string' ? side.value : undefined;
    if (name === undefined || madeOfOthers.test(name) || schema.hasEvent(name)) continue;
    const near = suggested(`event ${name}`, () => nearestOfMany(name, known));
    warn(
      'unknown_event',
      `No event is named ${shown(name)}${near === undefined ? '' : `; ${shown(near)} is one`}`,
      side,
    );
  }
}

/** Members of a list that are looked at. */
const lookedAtMax = 1_000;

function isEventName(expr: Resolved): boolean {
  if (expr.kind !== 'column' || expr.location.column !== 'event' || expr.location.join) return false;
  const { from } = expr.source;
  return from.kind === 'table' && from.table.name === 'events';
}

function isWhole(names: readonly unknown[]): boolean {
  return names.length > 0 && names.length < learnedNamesMax;
}

// Clients choose the names, and a message is shown in places that we do not know.
function shown(name: string): string {
  const plain = name.replace(/[\p{C}<>`]/gu, '');
  return `\`${plain.length > longestShown ? `${plain.slice(0, longestShown)}…` : plain}\``;
}
