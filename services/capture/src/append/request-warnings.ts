import type { CaptureWarningType } from '@millrace/contracts/capture-reasons.ts';
import type { CapturedWarning } from '@millrace/contracts/ingestion-warnings.ts';
import type { ParsedBody } from '../http/parse-body.ts';
import { isJsonObject } from '@millrace/json/exact-json.ts';
import type { EventWarning } from '../events/event.ts';

/** The library that sent a request. */
export interface Sdk {
  lib: string;
  libVersion: string;
}

/** Details that all warnings of one request share. */
export interface WarningFacts {
  token: string;
  projectId: number | null;
  /** As `CapturedEvent.receivedAt`. */
  receivedAt: string;
  /** Path of the request, without query. */
  path: string;
  /** The library that the headers name, if any; what an event says wins. */
  sdk?: Sdk | null | undefined;
}

const unknownSdk: Sdk = { lib: 'unknown', libVersion: 'unknown' };
const libraryLengthMax = 200;
/** Larger properties are not parsed for the sake of a name: those of an event that is dropped for its size may be a whole body. */
const parsedBytesMax = 100_000;

/**
 * Joins the warnings about the events of one request: one for each type (for quotas one for each quota), with the number of
 * events, so that no request can cause a flood. Details that name an event stay only when it is the only one (contract/capture 4.7).
 */
export function aggregateWarnings(
  warnings: readonly EventWarning[],
  body: ParsedBody,
  facts: WarningFacts,
): CapturedWarning[] {
  const alike = Map.groupBy(warnings, ({ type, details }) =>
    type === 'quota_limited' ? `${type} ${String(details['resource'])}` : type,
  );
  const { path, receivedAt, sdk, ...request } = facts;
  const own = library(body);
  const { lib, libVersion } = own.lib === 'unknown' ? (sdk ?? own) : own;
  const common = { lib, libVersion, path };
  return [...alike.values()].flatMap((same) => {
    const [first] = same;
    if (first === undefined) return [];
    return {
      type: first.type,
      ...request,
      timestamp: receivedAt,
      count: same.length,
      details: { ...sharedDetails(first, same), ...common },
    };
  });
}

/** The warning that a request was refused as a whole. It counts the events of the request, or 1 when that has none (contract/capture 4.7). */
export function batchErrorWarning(
  type: CaptureWarningType,
  events: number,
  { path, receivedAt, sdk, ...request }: WarningFacts,
): CapturedWarning {
  return {
    type,
    ...request,
    timestamp: receivedAt,
    count: Math.max(1, events),
    severity: 'error',
    details: { ...(sdk ?? unknownSdk), path },
  };
}

/**
 * The details that are left when warnings of different requests are reported as one: those of the last request, and
 * what all share. `before` may itself be a joined warning.
 */
export function joinedDetails(before: EventWarning, last: EventWarning): Record<string, unknown> {
  const { lib, libVersion, path } = last.details;
  return { ...sharedDetails(last, [before, last]), lib, libVersion, path };
}

/** Warnings about rates, and which of their details is the distinct id. */
const limitedIds: Partial<Record<CaptureWarningType, string>> = {
  high_volume_distinct_id: 'distinctId',
  ingestion_capacity_overflow: 'overflowDistinctId',
};

/**
 * The details that are left when warnings are joined. Of a single warning: all. About rates: the number of distinct ids if it
 * is known, and all details when it is one. About quotas: which quota. Else none.
 */
function sharedDetails(
  { type, details }: EventWarning,
  same: readonly EventWarning[],
): Record<string, unknown> | undefined {
  const name = limitedIds[type];
  if (name !== undefined) {
    const ids = new Set(same.map((one) => one.details[name]));
    if (ids.has(undefined)) return undefined;
    return { distinctIdCount: ids.size, ...(ids.size === 1 && details) };
  }
  if (same.length === 1) return details;
  const { resource, limit, period } = details;
  return type === 'quota_limited' ? { resource, limit, period } : undefined;
}

/** The library that sent the request, as the first event with properties of usual size says; `unknown` when it does not (or is too long). */
function library({ bytes, events, spans }: ParsedBody): Sdk {
  const span = spans.find(
    ({ properties }, index) =>
      properties !== null && saysSomething(events[index]) && properties.end - properties.start <= parsedBytesMax,
  )?.properties;
  const properties: unknown = span ? JSON.parse(bytes.toString('utf8', span.start, span.end)) : null;
  return isJsonObject(properties)
    ? { lib: short(properties['$lib']), libVersion: short(properties['$lib_version']) }
    : unknownSdk;
}

function saysSomething(event: unknown): boolean {
  return isJsonObject(event) && isJsonObject(event['properties']);
}

function short(value: unknown): string {
  return typeof value === 'string' && value !== '' && value.length <= libraryLengthMax ? value : 'unknown';
}
