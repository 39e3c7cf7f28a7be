import { costOf, spend } from '../../budget.ts';
import { SpanError, type Span } from '../../query-error.ts';
import { constant, type OutputColumn, type ValueLocation, type Resolved, type Source } from '../../resolved.ts';
import { learnedTypeOf, projectSchema } from '../../schema/project-schema.ts';
import type { ColumnField, LogicalField, Lookup, PropertiesField, StoredKeys } from '../../schema/logical-table.ts';
import { isComposite, isLearned, nullable, plain, propertyType, type ValueType } from '../../types.ts';
import { pliableText } from '../../operators/learned-types.ts';
import { warnOfUnknownProperty } from '../../hints/unknown-names.ts';
import { columnNames, columnsNamed, columnsOf } from './source-columns.ts';
import { unknownColumn } from './scope.ts';

/** A column of one source, with what follows it. */
export function fieldOfSource(source: Source, chain: readonly string[], span: Span): Resolved {
  const [first = '', ...rest] = chain;
  const { from } = source;
  if (from.kind === 'table') return fieldOfTable(source, from.table.fields, chain, span);
  if (from.kind === 'numbers') {
    if (first !== 'number') throw unknownColumn(first, ['number'], span);
    return followPath(columnOf(source, { column: 'number' }, plain('integer'), span), rest, span);
  }
  const columns = columnsNamed(columnsOf(from), first);
  const [column] = columns;
  if (columns.length > 1)
    throw new SpanError(
      'ambiguous_column',
      `The sub-query has several columns named "${first}"; give them aliases`,
      span,
    );
  if (!column) throw unknownColumn(first, columnNames(source), span);
  return followPath(columnOfRows(source, column, span), rest, span);
}

// The engine stores no column of nothing but NULL, so what is stored in its place has another type.
function columnOfRows(source: Source, { sqlName, type }: OutputColumn, span: Span): Resolved {
  if (source.from.kind === 'stored' && type.kind === 'null') return constant(null, type, span);
  return columnOf(source, { column: sqlName }, type, span);
}

function fieldOfTable(
  source: Source,
  fields: Readonly<Record<string, LogicalField>>,
  chain: readonly string[],
  span: Span,
): Resolved {
  const [first = '', ...rest] = chain;
  const field = Object.hasOwn(fields, first) ? fields[first] : undefined;
  if (!field) throw unknownColumn(first, Object.keys(fields), span);
  if (field.kind === 'group') {
    if (rest.length === 0)
      throw new SpanError(
        'unknown_column',
        `"${first}" is not a column; its fields are ${Object.keys(field.fields).join(', ')}`,
        span,
      );
    const [inner = ''] = rest;
    if (!Object.hasOwn(field.fields, inner))
      throw new SpanError(
        'unknown_column',
        `"${first}" has no "${inner}"; it has ${Object.keys(field.fields).join(', ')}`,
        span,
        Object.hasOwn(field.fields, 'properties') ? `${first}.properties.${inner}` : undefined,
      );
    return fieldOfTable(source, field.fields, rest, span);
  }
  return followPath(tableColumn(source, field, span), rest, span);
}

// A declared column or JSON object of a table.
function tableColumn(source: Source, field: ColumnField | PropertiesField, span: Span): Resolved {
  if (field.kind === 'column') {
    const { type, kind: _kind, explicit: _explicit, ...location } = field;
    return columnOf(source, location, type, span);
  }
  const elsewhere = {
    ...(field.join && { join: field.join }),
    ...(field.contents && { contents: field.contents }),
  };
  const whole = columnOf(
    source,
    { column: field.text, ...elsewhere },
    { kind: 'text', nullable: field.join !== undefined, json: true, ...(field.owner && { owner: field.owner }) },
    span,
  );
  return whole.kind === 'column' ? { ...whole, object: { ...keysOf(field), ...elsewhere } } : whole;
}

const keysOf = ({ map, textOnly, ownColumns }: PropertiesField): StoredKeys => ({
  map,
  textOnly,
  ...(ownColumns && { ownColumns }),
});

/** A column at a location of a source. Records that it is needed. */
function columnOf(source: Source, location: ValueLocation, type: ValueType, span: Span): Resolved {
  spend(costOf.node, span);
  if (location.join) addLookup(source, location.join);
  const shown = source.optional ? nullable(type) : type;
  const open = source.opened === true && !shown.nullable && !isComposite(shown);
  return {
    kind: 'column',
    source,
    location,
    ...(open ? { type: nullable(shown), opened: true } : { type: shown }),
    aggregate: false,
    local: true,
    start: span.start,
    end: span.end,
  };
}

function addLookup(source: Source, lookup: Lookup): void {
  if (lookup.by.join) addLookup(source, lookup.by.join);
  source.lookups.set(lookup.name, lookup);
}

// For these the other costs of a name are enough.
const usualKeyLength = 64;

/** Follows a path into a JSON value. Throws `query_too_large`. */
export function followPath(base: Resolved, path: readonly (string | number)[], span: Span): Resolved {
  let current = base;
  for (const part of path)
    if (typeof part === 'string' && part.length > usualKeyLength) spend(part.length * costOf.key, span);
  for (const [index, part] of path.entries()) {
    // The rest at once: copied for each part, a path of thousands would take its square.
    spend(path.length * costOf.part, span);
    if (current.kind === 'json') return jsonOf(current.base, [...current.path, ...path.slice(index)], span);
    current = step(current, part, span);
  }
  return { ...current, start: span.start, end: span.end };
}

function step(base: Resolved, part: string | number, span: Span): Resolved {
  if (base.kind === 'column' && base.object) {
    const key = String(part);
    const { map, textOnly, ownColumns, ...elsewhere } = base.object;
    const type = typeOfKey(base.type, key, span);
    if (textOnly.has(key)) return jsonOf({ ...base }, [key], span);
    const ownColumn = ownColumns?.get(key);
    return columnOf(base.source, { column: map, key, ...(ownColumn && { ownColumn }), ...elsewhere }, type, span);
  }
  if (base.type.json) return { ...jsonOf(base, [part], span), type: typeOfKey(base.type, String(part), span) };
  if (base.type.property) return jsonOf(base, [part], span);
  if (isLearned(base.type)) return jsonOf(pliableText(base), [part], span);
  throw new SpanError(
    'unknown_column',
    `There is nothing named "${part}" inside this value${base.type.kind === 'text' ? `; for JSON text write JSONExtractString(…, '${part}')` : ''}`,
    span,
  );
}

// Only the property itself has a type: what follows a path into it does not.
function typeOfKey({ owner }: ValueType, key: string, span: Span): ValueType {
  if (owner === undefined) return propertyType;
  warnOfUnknownProperty(owner, key, span);
  const learned = learnedTypeOf(owner, key);
  if (learned) return { ...propertyType, learned };
  return projectSchema()?.property(owner, key)?.type === 'String' ? textProperty : propertyType;
}

const textProperty: ValueType = { ...propertyType, learnedText: true };

function jsonOf(base: Resolved, path: readonly (string | number)[], span: Span): Resolved {
  spend(costOf.node + path.length * costOf.part, span);
  return {
    kind: 'json',
    base,
    path,
    type: propertyType,
    aggregate: base.aggregate,
    local: base.local,
    start: span.start,
    end: span.end,
  };
}
