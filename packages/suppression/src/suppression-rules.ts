import { compileFilters } from './compile-filters.ts';
import type { Matcher } from './compile-filter.ts';
import { EventReader, type Properties } from './event-reader.ts';
import { FilterError } from './filters.ts';
import { readFilters } from './read-filters.ts';
import { isSampled, sampleOf } from './sampling.ts';

/** A rule of a project, as it is stored. */
export interface StoredRule {
  id: string;
  /** Any JSON. */
  filters: unknown;
  /** Probability from 0 to 1 that a matching event is dropped. */
  samplingRate: number;
}

interface Rule {
  readonly id: string;
  readonly samplingRate: number;
  readonly matches: Matcher;
}

/** Rules in their order. */
export interface SuppressionRules {
  readonly rules: readonly Rule[];
  /** Rules that this version cannot compile, which drop nothing, each with the reason. */
  readonly broken: readonly { readonly id: string; readonly message: string }[];
}

/** An event that may be dropped. */
export interface SuppressibleEvent {
  /** As 36 characters. */
  uuid: string;
  /** As they will be stored. */
  properties: Properties;
}

/** Rules as functions. They come in their order: by `order_key`, then `created_at`, then id (contract/orgs-errors 3.2). Pure. */
export function compileRules(stored: readonly StoredRule[]): SuppressionRules {
  const rules: Rule[] = [];
  const broken: { id: string; message: string }[] = [];
  for (const { id, filters, samplingRate } of stored) {
    try {
      rules.push({ id, samplingRate, matches: compileFilters(readFilters(filters)) });
    } catch (error) {
      if (!(error instanceof FilterError)) throw error;
      broken.push({ id, message: error.message });
    }
  }
  return { rules, broken };
}

/**
 * The id of the first rule that drops the event; null: it stays. The same event and rules give the same answer each time: sampling goes by
 * the uuid, and a match that it spares falls through to later rules (contract/orgs-errors 5.2(4)). Never throws. Pure.
 */
export function droppingRule({ rules }: SuppressionRules, { uuid, properties }: SuppressibleEvent): string | null {
  if (rules.length === 0) return null;
  const event = new EventReader(properties);
  let sample: number | undefined;
  const sampled = (): number => (sample ??= sampleOf(uuid));
  for (const { id, samplingRate, matches } of rules) {
    const isMatch = matches(event);
    // It has seen only a part of the event.
    if (event.ranOut()) continue;
    if (isMatch && isSampled(samplingRate, sampled)) return id;
  }
  return null;
}
