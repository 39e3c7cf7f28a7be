import { costOf, spend } from '../budget.ts';
import { offsetsOf } from '../filters/zone-time.ts';
import { refuseLong } from './print.ts';
import { quoteName, quoteText } from '../quote.ts';
import type { OutputColumn } from '../resolved.ts';
import { timeZone } from '../time-zone.ts';
import { digitsOf, digitsOfDateTime, type ValueType } from '../types.ts';

/**
 * The engine's types of the times in a column that it sends as texts: of the column itself, or of the parts of an array, tuple or map.
 * Undefined: it sends the column, or the part, as it is.
 */
export type TimeTypes = undefined | string | readonly TimeTypes[];

/**
 * SQL for the same rows, in whose columns times are texts with the offset of their zone, `2026-03-01T09:30:00.000000-08:00`. The
 * engine itself writes each time in UTC. Columns without a time of another zone stay as they are, and so does a query without any.
 * Spends of the budget around it. Throws `SpanError`.
 */
export function showTimes(
  sql: string,
  columns: readonly OutputColumn[],
): { sql: string; timeTypes: readonly TimeTypes[] | undefined } {
  const timeTypes = columns.map(({ type }) => timeTypesOf(type));
  if (timeTypes.every((types) => types === undefined)) return { sql, timeTypes: undefined };
  const zones = new Set(columns.flatMap(({ type }) => zonesOf(type)));
  spend(zones.size * costOf.zone + columns.length * costOf.column, nowhere);
  const values = columns.map(({ sqlName, type }) => {
    const name = quoteName(sqlName);
    return `${shownAs(`${rows}.${name}`, type, 0)} AS ${name}`;
  });
  const shown = `SELECT ${values.join(', ')} FROM (${sql}) AS ${rows}`;
  refuseLong(shown.length, nowhere);
  return { sql: shown, timeTypes };
}

/** The engine's type of a column, with the types of the times that it sends as texts. Pure. */
export function withTimeTypes(engineType: string, types: TimeTypes): string {
  if (types === undefined) return engineType;
  const [, outer, inner] = /^(\w+)\((.*)\)$/s.exec(engineType) ?? [];
  if (typeof types === 'string' && outer !== 'Nullable') return types;
  if (outer === undefined || inner === undefined) return engineType;
  if (outer === 'Nullable') return `Nullable(${withTimeTypes(inner, types)})`;
  return `${outer}(${membersOf(inner)
    .map((member, at) => withTimeTypes(member, (types as readonly TimeTypes[])[at]))
    .join(', ')})`;
}

const rows = '`__r`';
const nowhere = { start: 0, end: 0 };

/** The zone in which a time is shown, undefined for UTC. */
function zoneOf({ zone }: ValueType): string | undefined {
  const shown = zone || timeZone();
  return shown === 'UTC' ? undefined : shown;
}

function zonesOf(type: ValueType): string[] {
  const zone = type.kind === 'datetime' ? zoneOf(type) : undefined;
  return zone === undefined ? partsOf(type).flatMap((part) => (part ? zonesOf(part) : [])) : [zone];
}

function timeTypesOf(type: ValueType): TimeTypes {
  if (type.kind === 'datetime') {
    const [zone, digits] = [zoneOf(type), digitsOf(type)];
    if (zone === undefined) return undefined;
    return digits === digitsOfDateTime ? `DateTime('${zone}')` : `DateTime64(${digits}, '${zone}')`;
  }
  const parts = partsOf(type).map((part) => part && timeTypesOf(part));
  return parts.some((part) => part !== undefined) ? parts : undefined;
}

/** As the engine lists them. Keys of maps are texts. */
function partsOf({ kind, item, items }: ValueType): readonly (ValueType | undefined)[] {
  if (kind === 'array') return [item];
  if (kind === 'map') return [undefined, item];
  return kind === 'tuple' ? (items ?? []) : [];
}

function shownAs(sql: string, type: ValueType, depth: number): string {
  if (timeTypesOf(type) === undefined) return sql;
  if (type.kind === 'datetime') return withOffset(sql, type);
  const [key, part] = [`\`__k${depth}\``, `\`__v${depth}\``];
  if (type.kind === 'array') return `arrayMap(${part} -> ${shownAs(part, type.item as ValueType, depth + 1)}, ${sql})`;
  if (type.kind === 'map')
    return `mapApply((${key}, ${part}) -> (${key}, ${shownAs(part, type.item as ValueType, depth + 1)}), ${sql})`;
  const members = (type.items ?? []).map((member, at) => shownAs(`tupleElement(${sql}, ${at + 1})`, member, depth + 1));
  return `tuple(${members.join(', ')})`;
}

// A time whose offset is none that its zone is known to have, as of clocks that were seconds away from whole minutes, is shown in UTC.
function withOffset(sql: string, type: ValueType): string {
  const zone = zoneOf(type) as string;
  const time = `toTimeZone(${sql}, ${quoteText(zone)})`; // said again: some functions of the engine lose it
  const wall =
    digitsOf(type) === microseconds ? `formatDateTime(${time}, '%FT%T.%f')` : `overlay(toString(${time}), 'T', 11)`;
  const offset = offsetText(time, offsetsOf(zone));
  const inUtc = `concat(overlay(toString(toTimeZone(${sql}, 'UTC')), 'T', 11), 'Z')`;
  return `if(${offset} = '', ${inUtc}, concat(${wall}, ${offset}))`;
}

/** `%f` has always six digits. */
const microseconds = 6;

// The engine's offset may be wrong by a whole day (-10:00 for Kiritimati's +14:00). The local time decides which of two days is right.
function offsetText(time: string, minutes: readonly number[]): string {
  const texts = (offsets: readonly number[]): string =>
    offsets.length === 0
      ? "''"
      : `transform(timeZoneOffset(${time}), [${offsets.flatMap(possibleSeconds).join(', ')}], [${offsets.flatMap((offset) => possibleSeconds(offset).map(() => `'${isoOffset(offset)}'`)).join(', ')}], '')`;
  const seconds = minutes.flatMap(possibleSeconds);
  if (new Set(seconds).size === seconds.length) return texts(minutes);
  const [ahead, behind] = [minutes.filter((offset) => offset > 0), minutes.filter((offset) => offset <= 0)];
  return `if(toYYYYMMDDhhmmss(${time}) > toYYYYMMDDhhmmss(${time}, 'UTC'), ${texts(ahead)}, ${texts(behind)})`;
}

const daySeconds = 86_400;

const possibleSeconds = (minutes: number): number[] =>
  [0, daySeconds, -daySeconds].map((wrong) => minutes * 60 + wrong);

function isoOffset(minutes: number): string {
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${minutes < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`;
}

/** The types between the brackets of one. */
function membersOf(list: string): string[] {
  const members: string[] = [];
  let [begin, depth, isQuoted] = [0, 0, false];
  for (let at = 0; at < list.length; at += 1) {
    const sign = list[at];
    if (sign === "'") isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (sign === '(') depth += 1;
    else if (sign === ')') depth -= 1;
    else if (sign === ',' && depth === 0) {
      members.push(list.slice(begin, at).trim());
      begin = at + 1;
    }
  }
  return [...members, list.slice(begin).trim()];
}
