import type { PropertyType } from '@millrace/contracts/property-types.ts';
import type { KnownProperty, ProjectSchema, PropertyOwnerPath, ReadProperty } from './project-schema.ts';

/** Names and types that a project has learned, as plain data. */
export interface LearnedNames {
  readonly events: readonly string[];
  readonly properties: Readonly<Partial<Record<PropertyOwnerPath, readonly KnownProperty[]>>>;
}

export const noNames: LearnedNames = { events: [], properties: {} };

/** Settled types by owner and name. A version of an endpoint keeps those of the properties that it reads, as they were when it was made. */
export type KeptTypes = Readonly<Partial<Record<PropertyOwnerPath, Readonly<Record<string, PropertyType>>>>>;

/** The types to keep of a query that reads these properties. Pure. */
export function keptTypesOf(properties: readonly ReadProperty[]): KeptTypes {
  const kept: Partial<Record<PropertyOwnerPath, Record<string, PropertyType>>> = {};
  for (const { owner, name, type } of properties) {
    if (type === null) continue;
    const types = (kept[owner] ??= Object.create(null) as Record<string, PropertyType>);
    types[name] = type;
  }
  return kept;
}

/** The schema of these names. `kept`: the types in place of those of now. Pure. */
export function schemaOf(names: LearnedNames, kept?: KeptTypes): ProjectSchema {
  const index = indexOf(names);
  const typeOf = ({ name, type }: KnownProperty, owner: PropertyOwnerPath): PropertyType | null =>
    kept === undefined ? type : keptType(kept, owner, name);
  return {
    property(owner, name) {
      const known = index.properties.get(owner)?.get(name);
      if (known !== undefined) return { type: typeOf(known, owner) };
      const type = kept === undefined ? null : keptType(kept, owner, name);
      return type === null ? undefined : { type };
    },
    properties: (owner) => names.properties[owner] ?? [],
    hasEvent: (name) => index.events.has(name),
    events: () => names.events,
  };
}

function keptType(kept: KeptTypes, owner: PropertyOwnerPath, name: string): PropertyType | null {
  const types = kept[owner];
  return types !== undefined && Object.hasOwn(types, name) ? (types[name] ?? null) : null;
}

interface NameIndex {
  events: ReadonlySet<string>;
  properties: ReadonlyMap<string, ReadonlyMap<string, KnownProperty>>;
}

const indexes = new WeakMap<LearnedNames, NameIndex>();

// Made once for names that many queries are compiled with.
function indexOf(names: LearnedNames): NameIndex {
  const known = indexes.get(names);
  if (known !== undefined) return known;
  const index = {
    events: new Set(names.events),
    properties: new Map(
      Object.entries(names.properties).map(([owner, list]) => [
        owner,
        new Map(list.map((property) => [property.name, property])),
      ]),
    ),
  };
  indexes.set(names, index);
  return index;
}
