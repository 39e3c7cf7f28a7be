import type { PropertyType } from '@millrace/contracts/property-types.ts';

/** Objects whose properties have types: an event, its person, its group of each type. */
export type PropertyOwnerPath = 'event' | 'person' | `group_${0 | 1 | 2 | 3 | 4}`;

/** A list of names: of events, or of the properties of an owner. */
export type NameList = 'events' | PropertyOwnerPath;

/** A property by name. `type` null: not settled. */
export interface KnownProperty {
  name: string;
  type: PropertyType | null;
}

/** Names and types that a project has learned (contract/decisions 74). */
export interface ProjectSchema {
  /** undefined: never met. `type` null: not settled. */
  property(owner: PropertyOwnerPath, name: string): { type: PropertyType | null } | undefined;
  /**
   * Names by owner, for suggestions and DESCRIBE: the same list as long as it holds the same names, because what is made of it to find a
   * misspelt one is kept.
   */
  properties(owner: PropertyOwnerPath): readonly KnownProperty[];
  hasEvent(name: string): boolean;
  /** The same list as long as it holds the same names. */
  events(): readonly string[];
  /** True when the list has every name of the project: another one is unknown. */
  isWhole(list: NameList): boolean;
  /** The lists have only names that one statement mentions (`mentionedNames`). `isWhole` is about those of the project. */
  isPart: boolean;
}

/** A property that a query reads by name, with the type that it is read by; null: as its text. */
export interface ReadProperty extends KnownProperty {
  owner: PropertyOwnerPath;
}

// Set while `withSchema` runs, which never waits, as the time zone is.
let open: { schema: ProjectSchema | undefined; read: Map<string, ReadProperty> } | undefined;

/** Runs `work`; properties have the types of this schema. Returns the properties that it read by name, each once. */
export function withSchema<Result>(
  schema: ProjectSchema | undefined,
  work: () => Result,
): { result: Result; properties: ReadProperty[] } {
  const outer = open;
  const read = new Map<string, ReadProperty>();
  open = { schema, read };
  try {
    return { result: work(), properties: [...read.values()] };
  } finally {
    open = outer;
  }
}

/** The schema of the project whose statement is being compiled, when it has one. */
export function projectSchema(): ProjectSchema | undefined {
  return open?.schema;
}

/** The settled type of a property that the statement reads by name; undefined where it is read as its text. */
export function learnedTypeOf(owner: PropertyOwnerPath, name: string): Exclude<PropertyType, 'String'> | undefined {
  if (open === undefined) return undefined;
  const type = open.schema?.property(owner, name)?.type ?? null;
  open.read.set(`${owner} ${name}`, { owner, name, type });
  return type === null || type === 'String' ? undefined : type;
}
