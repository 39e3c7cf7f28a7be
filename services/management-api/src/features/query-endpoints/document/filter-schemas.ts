import { filterOperators } from '@millrace/query-language/filters/filter-operators.ts';
import { groupTypeIndexMax } from '@millrace/query-language/filters/filter-subjects.ts';
import { filterTypes } from '@millrace/query-language/filters/property-filters.ts';
import { nullableString, reference, string, type Json } from './schema-texts.ts';

const numberOrBoolean = [{ type: 'number' }, { type: 'boolean' }];
const memberOfFilters = { anyOf: [reference('PropertyFilter'), reference('PropertyFilterGroup')] };

/** One of a few texts; null is as good as none. */
const choice = (names: readonly string[]): Json => ({ type: 'string', nullable: true, enum: [...names, null] });

const condition = {
  type: 'object',
  properties: {
    key: { ...string, minLength: 1, description: 'A name. Of type hogql: the condition.' },
    value: {
      anyOf: [
        nullableString,
        ...numberOrBoolean,
        { type: 'array', minItems: 1, items: { anyOf: [string, ...numberOrBoolean] } },
      ],
      description: 'Needed, but for is_set, is_not_set and the type hogql.',
    },
    operator: { ...choice(filterOperators), description: 'Default: exact.' },
    type: { ...choice(filterTypes.filter((name) => name !== 'empty')), description: 'Default: event.' },
    group_type_index: {
      type: 'integer',
      nullable: true,
      minimum: 0,
      maximum: groupTypeIndexMax,
      description: 'Of filters of type group, which need it.',
    },
  },
  required: ['key'],
};

const empty = {
  type: 'object',
  properties: { type: { ...string, enum: ['empty'] } },
  required: ['type'],
  description: 'Holds for every row.',
};

/** Schemas of `filters_override` (contract/insights 3, 12), by the names by which they refer to each other. SQL has none: it takes variables. */
export const filterSchemas: Readonly<Record<string, Json>> = {
  DashboardFilter: {
    type: 'object',
    properties: {
      date_from: nullableString,
      date_to: nullableString,
      explicitDate: { type: 'boolean', nullable: true },
      properties: { type: 'array', nullable: true, items: memberOfFilters },
    },
  },
  PropertyFilter: { anyOf: [condition, empty] },
  PropertyFilterGroup: {
    type: 'object',
    properties: {
      type: { ...string, enum: ['AND', 'OR'] },
      values: { type: 'array', items: memberOfFilters },
    },
    required: ['type', 'values'],
  },
};
