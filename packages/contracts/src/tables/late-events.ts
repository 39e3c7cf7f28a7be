import { declareTable, propertyMap } from './declare-table.ts';

/** New properties of exceptions whose maps came late, by run, until they are written into their events (consumer, `late-maps/`). */
export const lateEvents = declareTable('late_events', {
  columns: {
    run: 'UUID',
    team_id: 'Int64',
    distinct_id: 'String',
    uuid: 'UUID',
    properties_text: 'String',
    properties: propertyMap,
  },
  partitionTime: null,
  tenantColumn: null,
});
