import {
  Array as ArrayType,
  Boolean,
  Integer,
  Object as ObjectType,
  String as StringType,
  Unsafe,
  type Static,
} from 'typebox';
import { nullable } from '@millrace/http/nullable.ts';
import type { EventDefinition as Row } from '@millrace/postgres/generated/client.ts';
import {
  definitionChange,
  definitionFields,
  renderShared,
  type StoredDefinition,
} from '../../definitions/definition.ts';

const neverUser = Unsafe<null>({ type: 'null', description: 'Nobody makes a definition: it is learned.' });

/** An event name that a project has sent (contract/decisions 74). */
export const EventDefinition = ObjectType(
  {
    ...definitionFields,
    name: StringType({ examples: ['signed_up'] }),
    created_at: StringType({ format: 'date-time', description: 'As `first_seen_at`.' }),
    last_updated_at: StringType({ format: 'date-time', description: 'As `updated_at`.' }),
    created_by: neverUser,
    owner: Unsafe<null>({ type: 'null' }),
    is_action: Boolean(),
    action_id: nullable(Integer()),
    is_calculating: Boolean(),
    last_calculated_at: nullable(StringType({ format: 'date-time' })),
    post_to_slack: Boolean(),
    default_columns: ArrayType(StringType(), { examples: [[]] }),
  },
  { title: 'EventDefinition' },
);

/** Body of PATCH. */
export const EventDefinitionChange = ObjectType(definitionChange, { title: 'EventDefinitionUpdate' });

/** Pure. */
export function renderEvent(row: Row & StoredDefinition): Static<typeof EventDefinition> {
  const shared = renderShared(row);
  return {
    ...shared,
    name: row.name,
    created_at: shared.first_seen_at,
    last_updated_at: shared.updated_at,
    created_by: null,
    owner: null,
    is_action: false,
    action_id: null,
    is_calculating: false,
    last_calculated_at: null,
    post_to_slack: false,
    default_columns: [],
  };
}
