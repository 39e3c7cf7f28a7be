import { Boolean, Integer, Object as ObjectType, Optional, String as StringType, Unsafe, type Static } from 'typebox';
import {
  propertyOwners,
  propertyTypes,
  type PropertyOwner,
  type PropertyType,
} from '@millrace/contracts/property-types.ts';
import { nullable } from '@millrace/http/nullable.ts';
import type { PropertyDefinition as Row } from '@millrace/postgres/generated/client.ts';
import {
  definitionChange,
  definitionFields,
  loggedFields,
  renderShared,
  type StoredDefinition,
} from '../../definitions/definition.ts';
import { countsOf, countUnfit } from './value-counts.ts';

type PosthogType = Exclude<PropertyType, 'List'>;
const posthogTypes = propertyTypes.filter((type) => type !== 'List');

const count = Integer({ minimum: 0 });

/** A property of a project's events, persons or groups (contract/decisions 74). */
export const PropertyDefinition = ObjectType(
  {
    ...definitionFields,
    name: StringType({ examples: ['plan'] }),
    type: Unsafe<PropertyOwner>({ type: 'string', enum: [...propertyOwners] }),
    group_type_index: nullable(Integer({ description: '0 to 4 of a property of groups.' })),
    property_type: Unsafe<PosthogType | null>({
      type: ['string', 'null'],
      enum: [...posthogTypes, null],
      description: 'Type as PostHog has it; null until it is settled, and for lists.',
    }),
    settled_type: Unsafe<PropertyType | null>({
      type: ['string', 'null'],
      enum: [...propertyTypes, null],
      description: 'Type that queries read it as, lists too; null until it is settled.',
    }),
    is_numerical: Boolean({ description: 'The type is Numeric.' }),
    values: ObjectType(
      {
        numbers: count,
        booleans: count,
        times: Integer({ minimum: 0, description: 'Texts that are ISO dates or times.' }),
        texts: count,
        lists: count,
        objects: count,
      },
      {
        title: 'PropertyValueCounts',
        description: 'How many values of each kind were met since the type was left open.',
      },
    ),
    unfit_values: Integer({
      minimum: 0,
      description: 'How many of them are not of the settled type. A typed read of such a value may be NULL.',
    }),
    is_seen_on_filtered_events: nullable(
      Boolean({ description: 'One of `event_names` was met with it; null where none are given.' }),
    ),
    is_optimized: Boolean(),
  },
  { title: 'PropertyDefinition' },
);

/** Body of PATCH. */
export const PropertyDefinitionChange = ObjectType(
  {
    ...definitionChange,
    property_type: Optional(
      Unsafe<PropertyType | null>({
        type: ['string', 'null'],
        enum: [...propertyTypes, null],
        examples: ['String'],
        description: 'Type that queries read it as from now on. `null`: the values from now on settle it again.',
      }),
    ),
  },
  { title: 'PropertyDefinitionUpdate' },
);

/** Pure. */
export function renderProperty(
  row: Row & StoredDefinition,
  isSeen: boolean | null = null,
): Static<typeof PropertyDefinition> {
  const settled = row.propertyType as PropertyType | null;
  const values = countsOf(row);
  return {
    ...renderShared(row),
    name: row.name,
    type: row.type as PropertyOwner,
    group_type_index: row.groupTypeIndex === -1 ? null : row.groupTypeIndex,
    property_type: settled === 'List' ? null : settled,
    settled_type: settled,
    is_numerical: settled === 'Numeric',
    values,
    unfit_values: countUnfit(settled, values),
    is_seen_on_filtered_events: isSeen,
    is_optimized: false,
  };
}

/** Fields that the activity log shows. Pure. */
export function loggedProperty(row: Row & StoredDefinition): Record<string, unknown> {
  return { ...loggedFields(row), property_type: row.propertyType };
}
