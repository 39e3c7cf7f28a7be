import { uuidV5 } from '@millrace/runtime/ids.ts';
import type { JsonObject } from '../json/exact-json.ts';
import { propertyMap, type PropertyMap } from '../json/property-map.ts';

/** Namespace of person ids that follow from a distinct id (contract/capture 4.2). */
const personNamespace = '932979b4-65c3-4424-8467-0b66ec27bc22';

/**
 * The id that the person of a distinct id has unless a merge gave it another: known before the person exists, so that
 * anonymous rows carry it already and two consumers that race create the same person.
 */
export function personUuid(teamId: number, distinctId: string): string {
  return uuidV5(personNamespace, `${teamId}:${distinctId}`);
}

/** Properties of a person in the three forms that are needed, each made when it is first asked for. */
export class PersonProperties {
  readonly values: JsonObject;
  #text: string | null = null;
  #map: PropertyMap | null = null;

  constructor(values: JsonObject) {
    this.values = values;
  }

  get text(): string {
    return (this.#text ??= JSON.stringify(this.values));
  }

  get map(): PropertyMap {
    return (this.#map ??= propertyMap(this.values));
  }
}

/** What Postgres holds of a person. */
export interface StoredPerson {
  /** Key in Postgres. */
  id: string;
  teamId: number;
  uuid: string;
  properties: PersonProperties;
  isIdentified: boolean;
  /** UTC, `YYYY-MM-DDTHH:MM:SS.ffffffZ`. */
  createdAt: string;
  version: number;
}

/** A distinct id and the person it stands for. */
export interface Mapping {
  teamId: number;
  distinctId: string;
  version: number;
  person: StoredPerson;
}

/** Names one distinct id of one project. */
export interface PersonKey {
  teamId: number;
  distinctId: string;
}

/** The same for equal keys; orders by project, then id. */
export function keyText({ teamId, distinctId }: PersonKey): string {
  return `${teamId}:${distinctId}`;
}
