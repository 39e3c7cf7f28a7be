import { automaticNames } from './automatic-names.ts';
import { NameTable } from '@millrace/json/name-table.ts';
import { textOnlyNames } from '@millrace/contracts/property-map.ts';

/** Properties that steps read in every event, or in many. */
const stepNames = [
  '$process_person_profile',
  '$cookieless_mode',
  '$verified',
  '$ip',
  '$sent_at',
  '$elements_chain',
  '$set',
  '$set_once',
  '$unset',
  '$groups',
  '$group_0',
  '$group_1',
  '$group_2',
  '$group_3',
  '$group_4',
  '$session_id',
  '$window_id',
  '$ai_trace_id',
  '$is_server',
];

/**
 * Properties whose byte ranges are recorded when an event's properties are read, so that reading one costs nothing
 * more. Every other one can be read, too, at the price of parsing them all.
 */
export const watchedNames = new NameTable([...textOnlyNames, ...stepNames, ...automaticNames]);

/** Watched names that stay out of the map come first. */
export const textOnlyCount = textOnlyNames.length;
