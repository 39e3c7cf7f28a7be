import type { PropertyType } from '@millrace/contracts/property-types.ts';
import type { ProjectSchema, PropertyOwnerPath } from '../schema/project-schema.ts';

/** Properties by owner and name, with the type that each has settled to; null: not settled. */
export type LearnedTypes = Partial<Record<PropertyOwnerPath, Readonly<Record<string, PropertyType | null>>>>;

/** A schema of these properties and events. */
export function schemaOf(types: LearnedTypes, events: readonly string[] = []): ProjectSchema {
  const owners = new Map(
    Object.entries(types).map(([owner, properties]) => [owner, new Map(Object.entries(properties))]),
  );
  const lists = new Map(
    [...owners].map(([owner, properties]) => [owner, [...properties].map(([name, type]) => ({ name, type }))]),
  );
  const names = new Set(events);
  return {
    property: (owner, name) => {
      const type = owners.get(owner)?.get(name);
      return type === undefined ? undefined : { type };
    },
    properties: (owner) => lists.get(owner) ?? [],
    hasEvent: (name) => names.has(name),
    events: () => events,
  };
}
