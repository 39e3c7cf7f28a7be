import type { EventDraft } from '../event-draft.ts';

/** Events of one stream that were stored not long ago. */
export interface RecentEvents {
  has(draft: EventDraft): boolean;
  add(drafts: readonly EventDraft[]): void;
}

/**
 * Remembers the last `generationMax` to twice as many events: when the younger half is full, the older one is forgotten.
 * Bounded memory: about 100 bytes an event.
 */
export function createRecentEvents(generationMax: number): RecentEvents {
  let young = new Map<string, number>();
  let old = new Map<string, number>();
  return {
    has({ head, project }) {
      const sameness = samenessOf(project.id, head.event, head.distinctId);
      return young.get(head.uuid) === sameness || old.get(head.uuid) === sameness;
    },
    add(drafts) {
      for (const { head, project } of drafts) {
        if (young.size >= generationMax) [old, young] = [young, new Map<string, number>()];
        young.set(head.uuid, samenessOf(project.id, head.event, head.distinctId));
      }
    },
  };
}

/**
 * Two events are one when uuid, project, name and distinct id agree: what the engine's own key says, but for the day,
 * which a client's second try may change. A hash is enough, since the uuid is compared in full.
 */
export function samenessOf(teamId: number, event: string, distinctId: string): number {
  let hash = 0x811c9dc5 ^ teamId;
  for (let at = 0; at < event.length; at++) hash = Math.imul(hash ^ event.charCodeAt(at), 0x01000193);
  for (let at = 0; at < distinctId.length; at++) hash = Math.imul(hash ^ distinctId.charCodeAt(at), 0x01000193);
  return hash | 0;
}
