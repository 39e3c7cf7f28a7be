import {
  Array as ArrayType,
  Boolean as BooleanType,
  Integer,
  Literal,
  Number as NumberType,
  Object as ObjectType,
  Optional,
  String as StringType,
  Unknown,
  Unsafe,
  type Static,
  type TProperties,
} from 'typebox';
import { hint } from '@millrace/http/hint.ts';

// Parts of the strict schemas of definitions (contract/insights 1.1, 2). Nulls are taken out before, so no schema has one.

/** One of a few texts. */
export const oneOf = <const Values extends readonly string[]>(values: Values) =>
  Unsafe<Values[number]>({ type: 'string', enum: values });

/** An object with these fields alone, and others of looks, which are kept and change no number. */
export function strict<Fields extends TProperties>(fields: Fields, looks: readonly string[] = []) {
  const free = Object.fromEntries(looks.filter((name) => !isPrefix(name)).map((name) => [name, {}]));
  const prefixes = looks.filter(isPrefix).map((name) => name.slice(0, -1));
  const schema = ObjectType(fields, {
    additionalProperties: false,
    ...(prefixes.length > 0 && { patternProperties: { [`^(?:${prefixes.join('|')})`]: {} } }),
  });
  return { ...schema, properties: { ...schema.properties, ...free } } as typeof schema;
}

const isPrefix = (name: string): boolean => name.endsWith('*');

/** Fields of looks that the filter of each kind may have; `*` ends a beginning of names. */
export const looksOfFilters = [
  'show*',
  'hiddenLegend*',
  'resultCustomization*',
  'goalLines',
  'legendPosition',
] as const;

/** A list of filters, or a group of them: `property-filters.ts` reads them. */
export const filters = () => Unknown();

const intervals = ['minute', 'hour', 'day', 'week', 'month'] as const;

const dateRange = strict({
  date_from: Optional(StringType()),
  date_to: Optional(StringType()),
  explicitDate: Optional(BooleanType()),
  excludeIncompletePeriods: Optional(BooleanType()),
  daysOfWeek: Optional(ArrayType(Integer({ minimum: 1, maximum: 7 }))),
});

/** Comparison with an earlier range (contract/insights 5.6). */
export const compareFilter = strict({ compare: Optional(BooleanType()), compare_to: Optional(StringType()) });

/** False or nothing: what is not there yet. `instead`: the sentence that says what to write. */
export const notYet = (instead: string) => Optional(Literal(false, hint(instead)));

/** Fields that several kinds have and that stand for what is not there. */
export const customAggregationTarget = notYet('It is for data warehouse tables, which do not exist here.');
export const funnelPathsFilter = notYet('Write the steps as startPoint and endPoint of a PathsQuery.');
export const intervalCount = Optional(Literal(1, hint('Write a longer interval.')));

/** Fields of all kinds. */
export const commonFields = {
  dateRange: Optional(dateRange),
  interval: Optional(oneOf(intervals)),
  properties: Optional(filters()),
  filterTestAccounts: Optional(BooleanType()),
  samplingFactor: Optional(NumberType({ exclusiveMinimum: 0, maximum: 1 })),
  aggregation_group_type_index: Optional(Integer({ minimum: 0, maximum: 4 })),
  modifiers: Optional(Unknown()),
  response: Optional(Unknown()),
  tags: Optional(Unknown()),
  version: Optional(Unknown()),
  dataColorTheme: Optional(Unknown()),
};

/** Owners of a math's property. The app writes `numerical_event_properties` for an event's property that it chose from a list of numbers. */
const mathPropertyTypes = [
  'event_properties',
  'numerical_event_properties',
  'person_properties',
  'session_properties',
] as const;

/** Fields of a node with events. */
export const nodeFields = {
  kind: Literal('EventsNode'),
  event: Optional(StringType()),
  name: Optional(StringType()),
  custom_name: Optional(StringType()),
  properties: Optional(ArrayType(Unknown())),
  fixedProperties: Optional(ArrayType(Unknown())),
  version: Optional(Unknown()),
  limit: Optional(Unknown()),
  orderBy: Optional(Unknown()),
  response: Optional(Unknown()),
  optionalInFunnel: notYet('Write a second funnel without the step.'),
  math_multiplier: Optional(Literal(1, hint('Write a formula, such as "A * 100".'))),
  math_property_revenue_currency: notYet(
    'Amounts are not converted: write a property of one currency as math_property.',
  ),
  math: Optional(StringType()),
  math_property: Optional(StringType()),
  math_property_type: Optional(oneOf(mathPropertyTypes)),
  math_hogql: Optional(StringType()),
  math_group_type_index: Optional(Integer({ minimum: 0, maximum: 4 })),
};

/** A node whose `math` the kind checks itself. */
export const eventsNode = strict(nodeFields);

/** A node of a series, whose `math` is one of `maths`; a kind that ignores math accepts its fields. */
export const seriesNode = (maths: readonly string[]) => strict({ ...nodeFields, math: Optional(oneOf(maths)) });

/** A node as it is given, its nulls left out. */
export type EventsNode = Static<typeof eventsNode>;
