import { Boolean, Object as ObjectType, Optional, String as StringType, Unsafe, type Static } from 'typebox';
import { pageQuery } from '@millrace/http/pagination.ts';
import { readTextsOf, valuesOf, wordsOf } from '../../definitions/list-parameters.ts';

const eventTypes = ['event', 'event_custom', 'event_posthog', 'all', 'action_event'] as const;

/** Query parameters of the list (contract/decisions 74). */
export const EventDefinitionQuery = ObjectType({
  ...pageQuery,
  search: Optional(
    StringType({ description: 'Words that the name contains, in whatever case and order.', examples: ['sign'] }),
  ),
  event_type: Optional(
    Unsafe<(typeof eventTypes)[number]>({
      type: 'string',
      enum: [...eventTypes],
      description:
        '`event_custom`: names that do not begin with `$`; `event_posthog`: names that do. The others mean all events.',
    }),
  ),
  ordering: Optional(
    StringType({
      description:
        '`name`, `created_at` or `last_seen_at`, the times also with `::date`; `-` before it turns it round; several with commas between. Default: the day of `last_seen_at`, newest first, then the name; of a search the shortest name first.',
      examples: ['-last_seen_at'],
    }),
  ),
  verified: Optional(
    Boolean({ description: '`true`: verified ones and those that begin with `$`; `false`: the others.' }),
  ),
  exclude_hidden: Optional(Boolean({ description: '`true`: without hidden ones.' })),
  exclude_stale: Optional(Boolean({ description: '`true`: only those of the last 30 days.' })),
  names: Optional(StringType({ description: 'Only these names, separated by commas.', examples: ['signed_up'] })),
  tags: Optional(StringType({ description: 'JSON array: only those with one of these tags.', examples: ['["web"]'] })),
  excluded_properties: Optional(
    StringType({ description: 'JSON array of event names that are left out.', examples: ['["$pageview"]'] }),
  ),
});

/** A column by which the list is ordered. */
export interface EventOrder {
  by: 'name' | 'created_at' | 'last_seen_at' | 'created_at::date' | 'last_seen_at::date';
  descending: boolean;
}

/** Filters and order of a list; null: no filter. */
export interface EventListing {
  words: readonly string[];
  kind: 'all' | 'custom' | 'posthog';
  verified: boolean | null;
  excludeHidden: boolean;
  excludeStale: boolean;
  names: readonly string[] | null;
  tags: readonly string[] | null;
  excluded: readonly string[];
  /** Empty: the default. */
  order: readonly EventOrder[];
}

/** Reads the query of a call; `url` has the parameters that may be repeated. Pure. @throws {AppError} 400 on a parameter */
export function readEventQuery(query: Static<typeof EventDefinitionQuery>, url: string): EventListing {
  const names = valuesOf(url, 'names');
  return {
    words: wordsOf(query.search ?? ''),
    kind: query.event_type === 'event_custom' ? 'custom' : query.event_type === 'event_posthog' ? 'posthog' : 'all',
    verified: query.verified ?? null,
    excludeHidden: query.exclude_hidden ?? false,
    excludeStale: query.exclude_stale ?? false,
    names: names.length === 0 ? null : names,
    tags: query.tags === undefined ? null : readTextsOf('tags', query.tags),
    excluded:
      query.excluded_properties === undefined ? [] : readTextsOf('excluded_properties', query.excluded_properties),
    order: valuesOf(url, 'ordering').flatMap((text) => orderOf(text.trim())),
  };
}

const columns: readonly EventOrder['by'][] = [
  'name',
  'created_at',
  'last_seen_at',
  'created_at::date',
  'last_seen_at::date',
];

// An unknown column is left out: PostHog's console asks for some.
function orderOf(text: string): EventOrder[] {
  const descending = text.startsWith('-');
  const by = columns.find((column) => column === text.slice(descending ? 1 : 0));
  return by === undefined ? [] : [{ by, descending }];
}
