import { emptyObject } from '@millrace/json/clean-json.ts';
import type { JsonObject } from '@millrace/json/exact-json.ts';
import { sameJson } from '../persons/merge-properties.ts';
import { namesMax } from '../persons/limit-properties.ts';
import { PersonProperties } from '../persons/person.ts';
import type { GroupKey, GroupState } from './group.ts';

/**
 * A group while a batch is folded. The cost of a description follows from its own size, not from the size of the group: 50,000 tiny
 * descriptions of a group of 640 KiB would otherwise copy and print 30 GB.
 */
export class WorkingGroup {
  /** Differs from what Postgres has. */
  isChanged = false;
  readonly #key: GroupKey;
  readonly #stored: GroupState | null;
  #createdAt: string | null;
  #values: JsonObject;
  /** `#values` belongs to this alone. */
  #isCopied = false;
  /** Bytes of `#values` as JSON; null: not counted yet. */
  #bytes: number | null = null;
  #names: number;

  constructor({ teamId, index, key }: GroupKey, stored: GroupState | null) {
    this.#key = { teamId, index, key };
    this.#stored = stored;
    this.#createdAt = stored?.createdAt ?? null;
    this.#values = stored?.properties.values ?? emptyObject();
    this.#names = Object.keys(this.#values).length;
  }

  /**
   * Lays properties over those of the group; the earliest timestamp is its creation (contract/capture 4.5).
   * @returns false when it would become larger than `bytesMax`, or would have more than `namesMax` names: then its properties stay as they were, and if it is known already its
   * creation as well
   */
  describe(set: JsonObject, timestamp: string, bytesMax: number): boolean {
    const added = Object.keys(set).filter((name) => !this.#has(name, set[name]));
    const isKnown = this.#createdAt !== null;
    const bytes = added.length === 0 ? 0 : this.#bytesWith(set, added);
    const names = this.#names + added.filter((name) => !Object.hasOwn(this.#values, name)).length;
    const fits = bytes <= bytesMax && (names <= namesMax || names === this.#names);
    if (!fits && isKnown) return false;
    if (this.#createdAt === null || timestamp < this.#createdAt) {
      this.#createdAt = timestamp;
      this.isChanged = true;
    }
    if (fits && added.length > 0) this.#lay(set, added, bytes);
    return fits;
  }

  /** @param now UTC with six digits. */
  state(now: string): GroupState {
    const { teamId, index, key } = this.#key;
    const properties =
      this.#isCopied || this.#stored === null ? new PersonProperties(this.#values) : this.#stored.properties;
    return {
      teamId,
      index,
      key,
      properties,
      createdAt: this.#createdAt ?? now,
      updatedAt: now,
      version: (this.#stored?.version ?? -1) + 1,
    };
  }

  #has(name: string, value: unknown): boolean {
    return Object.hasOwn(this.#values, name) && sameJson(this.#values[name], value);
  }

  #lay(set: JsonObject, added: readonly string[], bytes: number): void {
    if (!this.#isCopied) this.#values = Object.assign(emptyObject(), this.#values);
    for (const name of added) {
      if (!Object.hasOwn(this.#values, name)) this.#names += 1;
      this.#values[name] = set[name];
    }
    this.#isCopied = true;
    this.#bytes = bytes;
    this.isChanged = true;
  }

  /** Each value is measured when it comes and when it goes. */
  #bytesWith(set: JsonObject, added: readonly string[]): number {
    let bytes = (this.#bytes ??= bytesOf(this.#values));
    for (const name of added) {
      bytes += memberBytes(name, set[name]);
      if (Object.hasOwn(this.#values, name)) bytes -= memberBytes(name, this.#values[name]);
    }
    return bytes;
  }
}

const separators = ':,'.length;

function memberBytes(name: string, value: unknown): number {
  return Buffer.byteLength(JSON.stringify(name)) + Buffer.byteLength(JSON.stringify(value)) + separators;
}

/** Bytes of the values as JSON text. Each member counts a comma, also the last: one is taken off, even for an object without members. */
function bytesOf(values: JsonObject): number {
  let bytes = '{}'.length - ','.length;
  for (const name of Object.keys(values)) bytes += memberBytes(name, values[name]);
  return bytes;
}
