import { declareTable, propertyMap } from './declare-table.ts';

/**
 * Large properties of persons, by their content: rows with one id say the same. An event whose `person_content` is not 0 has its
 * person's properties here, and none in its row (`docs/decisions/large-person-properties.md`).
 */
export const personContents = declareTable('person_contents', {
  columns: { team_id: 'Int64', id: 'UInt64', properties_text: 'String', properties: propertyMap },
  partitionTime: null,
  tenantColumn: 'team_id',
});
