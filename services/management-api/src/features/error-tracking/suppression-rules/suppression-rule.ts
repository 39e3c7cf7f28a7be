import {
  Integer,
  Number as NumberType,
  Object as ObjectType,
  Optional,
  String as StringType,
  Unsafe,
  type Static,
} from 'typebox';
import type { SuppressionRule as Row } from '@millrace/postgres/generated/client.ts';
import { misnamedFields } from '../../../misnamed-fields.ts';

type JsonObject = Record<string, unknown>;

const filters = {
  type: 'object',
  description:
    'A group of filters, `{"type": "AND" or "OR", "values": [groups and filters]}`; without a filter it matches every exception. A filter is `{"key", "operator", "value"}` about a property of the event.',
  examples: [
    {
      type: 'AND',
      values: [{ key: '$exception_values', type: 'event', operator: 'icontains', value: 'ResizeObserver' }],
    },
  ],
} as const;
const samplingRate = NumberType({
  minimum: 0,
  maximum: 1,
  description: 'Probability that a matching exception is dropped; default 1.',
  examples: [0.9],
});

/** A rule about exceptions that are not stored (contract/orgs-errors 3.2). */
export const SuppressionRule = ObjectType(
  {
    id: StringType({ format: 'uuid' }),
    filters: Unsafe<JsonObject>({ ...filters }),
    order_key: Integer({ description: 'Rules apply in ascending order; then the older one first.', examples: [0] }),
    disabled_data: Unsafe<JsonObject | null>({
      type: ['object', 'null'],
      description: 'The reason, as `message`, why the rule cannot be applied any more; null: it applies.',
    }),
    sampling_rate: samplingRate,
    created_at: StringType({ format: 'date-time' }),
    updated_at: StringType({ format: 'date-time' }),
  },
  { title: 'SuppressionRule' },
);

/** Without effect, the rule would drop all that it matches, or everything. */
const misnamed = misnamedFields({
  sampling_rate: ['sample_rate', 'rate', 'sampling', 'probability'],
  filters: ['filter', 'conditions', 'properties'],
});

const fields = { filters: Optional(Unsafe<JsonObject>({ ...filters })), sampling_rate: Optional(samplingRate) };

/** Body of create. */
export const SuppressionRuleBody = ObjectType(fields, { title: 'SuppressionRuleCreate', ...misnamed });

/** Body of PATCH and PUT: what is left out stays. */
export const SuppressionRuleChange = ObjectType(fields, { title: 'SuppressionRuleUpdate', ...misnamed });

/** Filters of a rule that was made without any. */
export const noFilters = { type: 'AND', values: [] };

/** Pure. */
export function renderRule(row: Row): Static<typeof SuppressionRule> {
  return {
    id: row.id,
    filters: row.filters as JsonObject,
    order_key: row.orderKey,
    disabled_data: row.disabledData as JsonObject | null,
    sampling_rate: row.samplingRate,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

/** The part of a rule that the activity log keeps. Pure. */
export function loggedRule({ filters: stored, samplingRate: rate, orderKey }: Row): JsonObject {
  return { filters: stored, sampling_rate: rate, order_key: orderKey };
}
