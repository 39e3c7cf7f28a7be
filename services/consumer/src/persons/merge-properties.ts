import { rawNumber, type JsonObject } from '@millrace/json/exact-json.ts';
import type { PersonUpdate } from '../events/person-update.ts';

/**
 * `write`: the change must reach Postgres. `ride-along`: it is kept when another change of the person is written, and
 * not worth a write of its own (contract/capture 4.3, contract/decisions 30).
 */
type Change = 'none' | 'ride-along' | 'write';

/** Keys that change with every page or device: a change of them alone is not worth a write (contract/capture 4.3). */
const noisyKeys: ReadonlySet<string> = new Set([
  '$current_url',
  '$pathname',
  '$referrer',
  '$referring_domain',
  '$screen_height',
  '$screen_width',
  '$viewport_height',
  '$viewport_width',
  '$browser',
  '$browser_version',
  '$device_type',
  '$os',
  '$os_name',
  '$os_version',
  '$raw_user_agent',
  '$app_build',
  '$app_name',
  '$app_namespace',
  '$app_version',
]);

/** Keys of the person's location, which are noisy, except the names of country and city. */
const geoKey = /^\$geoip_(?!country_name$|city_name$)/;

/** A person's properties after one event. `properties` is a new object whenever `change` is not `none`. */
export interface Merged {
  properties: JsonObject;
  change: Change;
}

/**
 * Applies an event's update to its person's properties: set once, then set, then unset (contract/capture 4.3). Null in
 * `$set_once` never blocks and never overwrites (contract/decisions 2); a key both set and unset ends unset.
 */
export function mergeProperties(current: JsonObject, update: PersonUpdate): Merged {
  const edit = new Edit(current, update.personEvent);
  for (const key of Object.keys(update.setOnce)) edit.setOnce(key, update.setOnce[key], 'write');
  for (const { initialName, value } of update.automatic) {
    if (!hasValue(update.setOnce, initialName)) edit.setOnce(initialName, value, 'ride-along');
  }
  for (const key of Object.keys(update.set)) edit.set(key, update.set[key], isNoisy(key) ? 'ride-along' : 'write');
  for (const { name, value } of update.automatic) {
    if (!Object.hasOwn(update.set, name)) edit.set(name, value, 'ride-along');
  }
  for (const key of update.unset) edit.unset(key);
  return { properties: edit.properties, change: edit.change };
}

/** The properties of a person that an event brings into being (contract/capture 4.3). */
export function initialProperties(update: PersonUpdate | null, creatorEventUuid: string): JsonObject {
  const properties = update === null ? {} : mergeProperties({}, update).properties;
  return { ...properties, $creator_event_uuid: creatorEventUuid };
}

/** The properties of a person who was joined with another: the surviving one's win (contract/capture 4.4). */
export function joinProperties(swallowed: JsonObject, surviving: JsonObject): JsonObject {
  return { ...swallowed, ...surviving };
}

/** Copy on write: most events change nothing. */
class Edit {
  properties: JsonObject;
  change: Change = 'none';
  readonly #personEvent: boolean;
  #copied = false;

  constructor(current: JsonObject, personEvent: boolean) {
    this.properties = current;
    this.#personEvent = personEvent;
  }

  set(key: string, value: unknown, worth: Change): void {
    const { properties } = this;
    if (Object.hasOwn(properties, key) && sameJson(properties[key], value)) return;
    put(this.#changedProperties(worth), key, value);
  }

  setOnce(key: string, value: unknown, worth: Change): void {
    if (value !== null && !hasValue(this.properties, key)) put(this.#changedProperties(worth), key, value);
  }

  unset(key: string): void {
    if (Object.hasOwn(this.properties, key)) delete this.#changedProperties('write')[key];
  }

  #changedProperties(worth: Change): JsonObject {
    if (worth === 'write' || this.#personEvent) this.change = 'write';
    else if (this.change === 'none') this.change = worth;
    if (!this.#copied) {
      // A spread is what V8 copies fastest, and it keeps a key `__proto__` an ordinary one.
      this.properties = { ...this.properties };
      this.#copied = true;
    }
    return this.properties;
  }
}

/** A key `__proto__` is an ordinary one. */
function put(object: JsonObject, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  else object[key] = value;
}

function hasValue(object: JsonObject, key: string): boolean {
  return Object.hasOwn(object, key) && object[key] !== null;
}

function isNoisy(key: string): boolean {
  return noisyKeys.has(key) || geoKey.test(key);
}

/** Equality of JSON values; numbers that a double cannot carry are equal when their digits are. */
export function sameJson(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  const [leftRaw, rightRaw] = [rawNumber(left), rawNumber(right)];
  if (leftRaw !== null || rightRaw !== null) return leftRaw === rightRaw;
  return Array.isArray(left) === Array.isArray(right) && sameMembers(left as JsonObject, right as JsonObject);
}

/** The order of keys does not count. */
function sameMembers(left: JsonObject, right: JsonObject): boolean {
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  return keys.every((key) => Object.hasOwn(right, key) && sameJson(left[key], right[key]));
}
