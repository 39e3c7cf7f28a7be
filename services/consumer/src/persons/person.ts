import { hash } from 'node:crypto';
import type { EncodedMap } from '@millrace/clickhouse/insert/columns.ts';
import { uuidV5 } from '@millrace/runtime/ids.ts';
import type { JsonObject } from '@millrace/json/exact-json.ts';
import { encodeMap } from '../properties/encode-map.ts';

/** Namespace of person ids that follow from a distinct id (contract/capture 4.2). */
const personNamespace = '932979b4-65c3-4424-8467-0b66ec27bc22';

/**
 * The id that the person of a distinct id has unless a merge gave it another: known before the person exists, so that
 * anonymous rows carry it already and two consumers that race create the same person.
 */
export function personUuid({ teamId, distinctId }: PersonKey): string {
  return uuidV5(personNamespace, `${teamId}:${distinctId}`);
}

/**
 * Longer forms are not cached: a batch may hold 50,000 states of one person, and with 640 KiB of text each they would
 * fill any memory. The last one stays, because an unchanged person is mostly read many times in a row.
 */
const keptMax = 16_384;
const lastLong: { of: PersonProperties | null; text: string | null; map: EncodedMap | null } = {
  of: null,
  text: null,
  map: null,
};

/** Properties of a person or a group in the three forms that are needed, each made when it is first needed. */
export class PersonProperties {
  readonly values: JsonObject;
  #text: string | null = null;
  #textLength: number | null = null;
  #map: EncodedMap | null = null;
  #contentId: bigint | null = null;

  constructor(values: JsonObject) {
    this.values = values;
  }

  get text(): string {
    const known = this.#text ?? (lastLong.of === this ? lastLong.text : null);
    if (known !== null) return known;
    const text = JSON.stringify(this.values);
    this.#textLength = text.length;
    if (text.length > keptMax) this.#asLast().text = text;
    else this.#text = text;
    return text;
  }

  /** Length of `text`. */
  get textLength(): number {
    return this.#textLength ?? this.text.length;
  }

  /**
   * Names the text, the same for equal ones, when it is longer than 16,384 characters; else 0. Such properties are not
   * in the rows of events (docs/decisions/large-person-properties.md).
   */
  get contentId(): bigint {
    this.#contentId ??= this.textLength > keptMax ? idOf(this.text) : 0n;
    return this.#contentId;
  }

  get map(): EncodedMap {
    const known = this.#map ?? (lastLong.of === this ? lastLong.map : null);
    if (known !== null) return known;
    const map = encodeMap(this.values);
    if (this.textLength > keptMax) this.#asLast().map = map;
    else this.#map = map;
    return map;
  }

  #asLast(): typeof lastLong {
    if (lastLong.of !== this) Object.assign(lastLong, { of: this, text: null, map: null });
    return lastLong;
  }
}

function idOf(text: string): bigint {
  return hash('sha256', text, 'buffer').readBigUInt64LE() || 1n;
}

/** A person at one version, as ClickHouse gets it. */
export interface PersonState {
  teamId: number;
  uuid: string;
  properties: PersonProperties;
  isIdentified: boolean;
  /** UTC, `YYYY-MM-DDTHH:MM:SS.ffffffZ`. */
  createdAt: string;
  /** The person's latest event, or one at most an hour before it (contract/capture 4.3); of the same form. */
  lastSeenAt: string;
  version: number;
}

/** A person as Postgres stores it. */
export interface StoredPerson extends PersonState {
  /** Key in Postgres. */
  id: string;
}

/** A person who was merged into another, and the version that outlasts whatever was said of them before. */
export interface RemovedPerson {
  teamId: number;
  uuid: string;
  version: number;
}

/** Names one distinct id of one project. */
export interface PersonKey {
  teamId: number;
  distinctId: string;
}

/** A distinct id's person, as ClickHouse gets it. */
export interface MappingState extends PersonKey {
  personId: string;
  /** Above 0: rows of this distinct id may carry another person's id. */
  version: number;
}

/** A distinct id as Postgres stores it: its person, or that it had anonymous events, whose rows carry `personUuid`. */
export interface KnownId extends PersonKey {
  mapping: { version: number; person: StoredPerson } | null;
  hadAnonymousEvents: boolean;
}

/** A text that is equal for equal keys. */
export function keyText({ teamId, distinctId }: PersonKey): string {
  return `${teamId}:${distinctId}`;
}
