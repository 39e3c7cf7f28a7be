import { declareTable, propertyMap, time } from './declare-table.ts';

/**
 * Events, one row each. Properties are stored twice, as text and by name. The columns of the person come last: the
 * columns before them can be written before the person is known.
 */
export const events = declareTable('events', {
  columns: {
    team_id: 'Int64',
    uuid: 'UUID',
    event: 'String',
    distinct_id: 'String',
    timestamp: time,
    created_at: time,
    properties_text: 'String',
    properties: propertyMap,
    elements_chain: 'String',
    $session_id: 'String',
    $window_id: 'String',
    // As `properties` has it; there is an index.
    $ai_trace_id: 'Nullable(String)',
    $group_0: 'String',
    $group_1: 'String',
    $group_2: 'String',
    $group_3: 'String',
    $group_4: 'String',
    historical_migration: 'Bool',
    person_id: 'UUID',
    person_mode: "Enum8('full' = 0, 'propertyless' = 1, 'force_upgrade' = 2)",
    person_properties_text: 'String',
    person_properties: propertyMap,
    // 0: the properties are in the row; else they are the `person_contents` of this id.
    person_content: 'UInt64',
  },
  filled: { inserted_at: time },
  partitionTime: 'timestamp',
  tenantColumn: 'team_id',
});
