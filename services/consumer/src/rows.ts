import type { PropertyMap } from './json/property-map.ts';
import type { PersonMode } from './persons/fold-persons.ts';

// What the consumer writes to ClickHouse, by table of database `analytics`. Times: UTC, `YYYY-MM-DD HH:MM:SS.ffffff`.

export interface EventRow {
  team_id: number;
  uuid: string;
  event: string;
  distinct_id: string;
  timestamp: string;
  created_at: string;
  person_id: string;
  person_mode: PersonMode;
  properties_text: string;
  properties: PropertyMap;
  person_properties_text: string;
  person_properties: PropertyMap;
  elements_chain: string;
  $session_id: string;
  $window_id: string;
  historical_migration: boolean;
}

export interface PersonRow {
  team_id: number;
  id: string;
  created_at: string;
  is_identified: boolean;
  is_deleted: boolean;
  version: number;
  properties_text: string;
  properties: PropertyMap;
}

export interface PersonDistinctIdRow {
  team_id: number;
  distinct_id: string;
  person_id: string;
  is_deleted: boolean;
  version: number;
}

export interface WarningRow {
  team_id: number;
  source: string;
  type: string;
  severity: string;
  category: string;
  count: number;
  details: string;
  timestamp: string;
}

/** Rows by the table that they go to. */
export interface TableRows {
  events: EventRow;
  persons: PersonRow;
  person_distinct_ids: PersonDistinctIdRow;
  ingestion_warnings: WarningRow;
}

export type TableName = keyof TableRows;

/** `YYYY-MM-DDTHH:MM:SS.ffffffZ` as ClickHouse reads it. */
export function clickhouseTime(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 26)}`;
}
