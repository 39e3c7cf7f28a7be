import type { PropertyType } from '@millrace/contracts/property-types.ts';
import { schemaOf as schemaOfNames, type LearnedNames } from '../schema/learned-names.ts';
import type { ProjectSchema, PropertyOwnerPath } from '../schema/project-schema.ts';

/** Properties by owner and name, with the type that each has settled to; null: not settled. */
export type LearnedTypes = Partial<Record<PropertyOwnerPath, Readonly<Record<string, PropertyType | null>>>>;

/** A schema of these properties and events. `isComplete`: the project has no others. */
export function schemaOf(types: LearnedTypes, events: readonly string[] = [], isComplete = true): ProjectSchema {
  const lists = Object.entries(types).map(([owner, properties]) => [
    owner,
    Object.entries(properties).map(([name, type]) => ({ name, type })),
  ]);
  return schemaOfNames({ events, properties: Object.fromEntries(lists) as LearnedNames['properties'], isComplete });
}
