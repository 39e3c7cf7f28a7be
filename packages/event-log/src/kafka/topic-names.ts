import { lanes, type Lane } from '@millrace/contracts/lanes.ts';

/**
 * The topic of a lane. Its records are bundles, a format of Millrace's own, so the names are its own as well.
 * `prefix` lets several systems share a cluster.
 */
export function topicOf(prefix: string, lane: Lane): string {
  return `${prefix}${lane}`;
}

/** The topics of all lanes, in the order of the lanes. */
export function allTopics(prefix: string): string[] {
  return lanes.map((lane) => topicOf(prefix, lane));
}
