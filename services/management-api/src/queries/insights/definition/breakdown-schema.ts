import { Array as ArrayType, Boolean as BooleanType, Integer, Optional, String as StringType, Unknown } from 'typebox';
import { notYet, strict } from './schema-parts.ts';

/** Subjects of a breakdown that exist here (contract/insights 5.5). */
export const breakdownTypes = ['event', 'person', 'group', 'session', 'event_metadata', 'hogql'] as const;

const groupIndex = () => Integer({ minimum: 0, maximum: 4 });
const binCount = () => Integer({ minimum: 1, maximum: 1_000 });
const propertyName = () => StringType({ minLength: 1, maxLength: 10_000 });

/** `breakdownFilter`; `readBreakdown` reads it. Types are free texts, so that the error names those that exist. */
export const breakdownFilter = strict({
  breakdown: Optional(propertyName()),
  breakdown_type: Optional(StringType()),
  breakdown_group_type_index: Optional(groupIndex()),
  breakdown_normalize_url: Optional(BooleanType()),
  breakdown_histogram_bin_count: Optional(binCount()),
  breakdowns: Optional(
    ArrayType(
      strict({
        property: propertyName(),
        type: Optional(StringType()),
        group_type_index: Optional(groupIndex()),
        normalize_url: Optional(BooleanType()),
        histogram_bin_count: Optional(binCount()),
      }),
    ),
  ),
  breakdown_path_cleaning: notYet(
    'A project has no rules for paths: write a breakdown of type hogql, such as "cutQueryString(properties.$current_url)".',
  ),
  breakdown_limit: Optional(Unknown()),
  breakdown_hide_other_aggregation: Optional(Unknown()),
});

/** A property of `breakdowns`, its nulls left out. */
export interface BreakdownItem {
  property: string;
  type?: string | undefined;
  group_type_index?: number | undefined;
  normalize_url?: boolean | undefined;
  histogram_bin_count?: number | undefined;
}

/** `breakdownFilter` as it is given, its nulls left out. */
export interface BreakdownFilter {
  breakdown?: string;
  breakdown_type?: string;
  breakdown_group_type_index?: number;
  breakdown_normalize_url?: boolean;
  breakdown_histogram_bin_count?: number;
  breakdowns?: readonly BreakdownItem[];
}
