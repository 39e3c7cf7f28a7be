import { propertyTypes } from '@millrace/contracts/property-types.ts';
import type { ValueKind, ValueType } from '../types.ts';
import { partsMax } from './storable-type.ts';

const kinds: ReadonlySet<unknown> = new Set<ValueKind>([
  'null',
  'boolean',
  'integer',
  'float',
  'decimal',
  'text',
  'uuid',
  'date',
  'datetime',
  'array',
  'tuple',
  'map',
  'unknown',
]);
const flags = ['property', 'learnedText', 'asText', 'json', 'hash'] as const;
const owner = /^(?:event|person|group_[0-4])$/;
const zoneLengthMax = 100;

/** Is this value right for the member of a type that has this name? Members that hold types are not among them. */
const checks: Readonly<Record<string, (value: unknown) => boolean>> = {
  kind: (value) => kinds.has(value),
  nullable: (value) => typeof value === 'boolean',
  learned: (value) => value !== 'String' && (propertyTypes as readonly unknown[]).includes(value),
  owner: (value) => typeof value === 'string' && owner.test(value),
  zone: (value) => typeof value === 'string' && value.length <= zoneLengthMax,
  digits: (value) => Number.isInteger(value) && Number(value) >= -1 && Number(value) <= 9,
  ...Object.fromEntries(flags.map((flag) => [flag, (value: unknown) => value === true])),
};

/**
 * The type of a stored column, read out of the JSON that it was kept as beside its table. Pure.
 * @throws {Error} for anything but a type of a value that a table can hold
 */
export function parseStoredType(json: unknown): ValueType {
  let parts = 0;
  const read = (value: unknown): ValueType => {
    parts += 1;
    if (parts > partsMax) throw wrong(`more than ${partsMax} parts`);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong('no object');
    const { item, items, ...rest } = value as Record<string, unknown>;
    for (const [name, member] of Object.entries(rest))
      if (!Object.hasOwn(checks, name) || checks[name]?.(member) !== true) throw wrong(`its member ${name}`);
    if (rest['kind'] === undefined || rest['nullable'] === undefined)
      throw wrong('no kind, or not whether it is nullable');
    if (items !== undefined && !Array.isArray(items)) throw wrong('its member items');
    return {
      ...(rest as unknown as ValueType),
      ...(item !== undefined && { item: read(item) }),
      ...(items !== undefined && { items: (items as unknown[]).map(read) }),
    };
  };
  return read(json);
}

function wrong(what: string): Error {
  return new Error(`Not the type of a stored column: ${what.slice(0, 100)}`);
}
