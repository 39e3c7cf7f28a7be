import {
  Array as ArrayType,
  Boolean as BooleanType,
  Integer,
  Optional,
  String as StringType,
  Unknown,
  type Static,
} from 'typebox';
import { notYet, strict } from './schema-parts.ts';

/** Subjects of a breakdown that exist here (contract/insights 5.5). */
export const breakdownTypes = ['event', 'person', 'group', 'session', 'event_metadata', 'hogql'] as const;

const groupIndex = () => Integer({ minimum: 0, maximum: 4 });
const binCount = () => Integer({ minimum: 1, maximum: 1_000 });
const propertyName = () => StringType({ minLength: 1, maxLength: 10_000 });

const breakdownItem = strict({
  property: propertyName(),
  type: Optional(StringType()),
  group_type_index: Optional(groupIndex()),
  normalize_url: Optional(BooleanType()),
  histogram_bin_count: Optional(binCount()),
});

/** `breakdownFilter`; `readBreakdown` reads it. Types are free texts, so that the error names those that exist. */
export const breakdownFilter = strict({
  breakdown: Optional(propertyName()),
  breakdown_type: Optional(StringType()),
  breakdown_group_type_index: Optional(groupIndex()),
  breakdown_normalize_url: Optional(BooleanType()),
  breakdown_histogram_bin_count: Optional(binCount()),
  breakdowns: Optional(ArrayType(breakdownItem)),
  breakdown_path_cleaning: notYet(
    'A project has no rules for paths: write a breakdown of type hogql, such as "cutQueryString(properties.$current_url)".',
  ),
  breakdown_limit: Optional(Unknown()),
  breakdown_hide_other_aggregation: Optional(Unknown()),
});

/** `breakdownFilter` as it is given, its nulls left out. */
export type BreakdownFilter = Static<typeof breakdownFilter>;

type Given = Static<typeof breakdownItem>;

/** A property of `breakdowns`, its nulls left out or undefined. */
export type BreakdownItem = Pick<Given, 'property'> & { [Field in keyof Given]?: Given[Field] | undefined };
