import { isModelId, learnedNamesMax, type PropertyType } from '@millrace/contracts/property-types.ts';
import type { KnownProperty, NameList, ProjectSchema, PropertyOwnerPath, ReadProperty } from './project-schema.ts';

/** Names and types that a project has learned, as plain data. */
export interface LearnedNames {
  readonly events: readonly string[];
  readonly properties: Readonly<Partial<Record<PropertyOwnerPath, readonly KnownProperty[]>>>;
  /** False: the project may have sent names before it began to learn. */
  readonly isComplete: boolean;
  /** Lists that have every name of the project; only of a part of the names (`mentionedNames`), whose own lists do not show it. */
  readonly whole?: readonly NameList[];
}

export const noNames: LearnedNames = { events: [], properties: {}, isComplete: false };

/** Lists that have every name of the project: not one that is empty, because its names may be on their way, nor one that is full. Pure. */
export function wholeLists({ events, properties, isComplete, whole }: LearnedNames): readonly NameList[] {
  if (whole !== undefined || !isComplete) return whole ?? [];
  const lists = Object.entries({ events, ...properties }) as [NameList, readonly unknown[]][];
  return lists.filter(([, { length }]) => length > 0 && length < learnedNamesMax).map(([list]) => list);
}

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

/** All settled types of these names. Pure. */
export function typesOf({ properties }: LearnedNames): KeptTypes {
  const lists = Object.entries(properties) as [PropertyOwnerPath, readonly KnownProperty[]][];
  return keptTypesOf(lists.flatMap(([owner, list]) => list.map((property) => ({ owner, ...property }))));
}

/** The schema of these names. `kept`: the types in place of those of now. Ids of calls of language models are texts always. Pure. */
export function schemaOf(names: LearnedNames, kept?: KeptTypes): ProjectSchema {
  const index = indexOf(names);
  const whole = wholeLists(names);
  const typeOf = (name: string, settled: PropertyType | null, owner: PropertyOwnerPath): PropertyType | null => {
    const type = kept === undefined ? settled : keptType(kept, owner, name);
    return type !== null && isModelId(name) ? 'String' : type;
  };
  return {
    property(owner, name) {
      const known = index.properties.get(owner)?.get(name);
      const type = typeOf(name, known?.type ?? null, owner);
      if (known !== undefined) return { type };
      return type === null ? undefined : { type };
    },
    properties: (owner) => names.properties[owner] ?? [],
    hasEvent: (name) => index.events.has(name),
    events: () => names.events,
    isWhole: (list) => whole.includes(list),
    isPart: names.whole !== undefined,
  };
}

function keptType(kept: KeptTypes, owner: PropertyOwnerPath, name: string): PropertyType | null {
  const types = kept[owner];
  return types !== undefined && Object.hasOwn(types, name) ? (types[name] ?? null) : null;
}

/** The names by name. */
interface NameIndex {
  events: ReadonlySet<string>;
  properties: ReadonlyMap<string, ReadonlyMap<string, KnownProperty>>;
}

const indexes = new WeakMap<LearnedNames, NameIndex>();

/** Made once for names that many queries are compiled with. */
export function indexOf(names: LearnedNames): NameIndex {
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
