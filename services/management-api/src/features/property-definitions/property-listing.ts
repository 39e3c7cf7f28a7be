import { Boolean, Integer, Object as ObjectType, Optional, String as StringType, Unsafe, type Static } from 'typebox';
import { propertyOwners, type PropertyOwner } from '@millrace/contracts/property-types.ts';
import { AppError } from '@millrace/http/errors/errors.ts';
import { pageQuery } from '@millrace/http/pagination.ts';
import { readTextsOf, valuesOf, wordsOf } from '../../definitions/list-parameters.ts';

/** Query parameters of the list (contract/decisions 74). */
export const PropertyDefinitionQuery = ObjectType({
  ...pageQuery,
  type: Optional(
    Unsafe<PropertyOwner | 'session'>({
      type: 'string',
      enum: [...propertyOwners, 'session'],
      description: 'Whose properties; default `event`. Of sessions there are none: they are computed.',
    }),
  ),
  group_type_index: Optional(
    Integer({ minimum: 0, maximum: 4, description: 'Which kind of group; only with `type=group`, and needed there.' }),
  ),
  search: Optional(
    StringType({ description: 'Words that the name contains, in whatever case and order.', examples: ['plan'] }),
  ),
  properties: Optional(StringType({ description: 'Only these names, separated by commas.', examples: ['plan,seats'] })),
  excluded_properties: Optional(
    StringType({ description: 'JSON array of names that are left out.', examples: ['["plan"]'] }),
  ),
  event_names: Optional(
    StringType({
      description:
        'JSON array of events; only with `type=event`. Fills `is_seen_on_filtered_events`, and properties of these events come first.',
      examples: ['["signed_up"]'],
    }),
  ),
  filter_by_event_names: Optional(
    Boolean({ description: '`true`: only properties of these events; without `event_names` of any event.' }),
  ),
  is_numerical: Optional(Boolean({ description: 'Only those of the type Numeric, or only the others.' })),
  is_feature_flag: Optional(Boolean({ description: '`true`: only those named `$feature/…`; `false`: without them.' })),
  exclude_core_properties: Optional(
    Boolean({ description: '`true`: without those that SDKs send by themselves; of events only.' }),
  ),
  exclude_hidden: Optional(Boolean({ description: '`true`: without hidden ones.' })),
});

/** Filters of a list; null: no filter. */
export interface PropertyListing {
  type: PropertyOwner | 'session';
  /** -1 unless it is about groups. */
  groupTypeIndex: number;
  words: readonly string[];
  names: readonly string[] | null;
  excluded: readonly string[];
  eventNames: readonly string[] | null;
  onlyOfEvents: boolean;
  isNumerical: boolean | null;
  isFeatureFlag: boolean | null;
  excludeCore: boolean;
  excludeHidden: boolean;
}

/** Reads the query of a call; `url` has the parameters that may be repeated. Pure. @throws {AppError} 400 on a parameter */
export function readPropertyQuery(query: Static<typeof PropertyDefinitionQuery>, url: string): PropertyListing {
  const { type = 'event', group_type_index: groupTypeIndex, event_names: eventNames } = query;
  if (type === 'group' && groupTypeIndex === undefined) throw new AppError('required', { attr: 'group_type_index' });
  if (type !== 'group' && groupTypeIndex !== undefined) throw misplaced('group_type_index', 'group');
  if (type !== 'event' && eventNames !== undefined) throw misplaced('event_names', 'event');
  const names = valuesOf(url, 'properties');
  return {
    type,
    groupTypeIndex: groupTypeIndex ?? -1,
    words: wordsOf(query.search ?? ''),
    names: names.length === 0 ? null : names,
    excluded:
      query.excluded_properties === undefined ? [] : readTextsOf('excluded_properties', query.excluded_properties),
    eventNames: eventNames === undefined ? null : readTextsOf('event_names', eventNames),
    onlyOfEvents: query.filter_by_event_names ?? false,
    isNumerical: query.is_numerical ?? null,
    isFeatureFlag: query.is_feature_flag ?? null,
    excludeCore: query.exclude_core_properties ?? false,
    excludeHidden: query.exclude_hidden ?? false,
  };
}

const misplaced = (attr: string, type: string): AppError =>
  new AppError('invalid_input', { attr, detail: `${attr} goes with type=${type} only.` });
