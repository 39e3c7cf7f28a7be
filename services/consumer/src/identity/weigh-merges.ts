import type { EventDraft } from '../events/event-draft.ts';
import type { Leaving } from '../overflow/leaving-events.ts';
import type { StoredPerson } from '../persons/person.ts';
import { idsMovedMax, type IdentityStore } from './identity-store.ts';
import { BatchTooLargeError } from '../stream/batch-too-large-error.ts';

/** A person whom a merge of the batch ends, and how many distinct ids it has; beyond `idsMovedMax` only that it has more. */
interface Weighed {
  id: string;
  teamId: number;
  ids: number;
}

/** Persons who can be merged into others with this batch, and those who have too many distinct ids for it. */
interface WeighedMerges {
  light: Weighed[];
  heavy: Weighed[];
}

/**
 * Weighs the merges' sources, in the order of the merges. Reads no more once it is clear that the batch must be
 * divided: counting costs too, and a statement that counted the distinct ids of a thousand large persons would never
 * end.
 * @param dividedAbove ids that all of them together may have before the batch is divided; null: it cannot be divided,
 * and merges beyond `idsMovedMax` are left out
 * @throws {BatchTooLargeError}
 */
export async function weighMerges(
  sources: readonly StoredPerson[],
  store: Pick<IdentityStore, 'idsHeld'>,
  dividedAbove: number | null,
): Promise<WeighedMerges> {
  const weighed: WeighedMerges = { light: [], heavy: [] };
  let [weighedCount, sum] = [0, 0];
  while (weighedCount < sources.length) {
    const rest = sources.slice(weighedCount);
    const held = await store.idsHeld(rest);
    for (const { id, teamId } of rest) {
      const ids = held.get(id);
      if (ids === undefined) break;
      weighedCount += 1;
      if (ids <= idsMovedMax && sum + ids <= (dividedAbove ?? idsMovedMax)) {
        sum += ids;
        weighed.light.push({ id, teamId, ids });
      } else if (ids <= idsMovedMax && dividedAbove !== null)
        throw new BatchTooLargeError(`merges of one batch move more than ${dividedAbove} distinct ids`);
      else weighed.heavy.push({ id, teamId, ids });
    }
    if (held.size === 0) throw new Error('a store counted nothing of what it was asked');
  }
  return weighed;
}

/** Bytes that a distinct id which moves counts as: rows of Postgres, its indexes and ClickHouse are written for it. */
const bytesPerMoved = 640;
/** The same of one that was counted, of a person who has too many. */
const bytesPerCounted = 20;

/**
 * Charges the projects for what their merges of this batch cost; later events of a project that is beyond its share go
 * to `overflow`.
 */
export function chargeMerges(
  { drafts, leaving }: { drafts: readonly EventDraft[]; leaving: Pick<Leaving, 'chargeExtra'> },
  { light, heavy }: WeighedMerges,
): void {
  if (light.length + heavy.length === 0) return;
  const ofProjects = new Map(drafts.map((draft) => [draft.project.id, draft]));
  const charge = ({ id, teamId, ids }: Weighed, bytesPerId: number): void => {
    const draft = ofProjects.get(teamId);
    if (draft !== undefined) leaving.chargeExtra(draft, id, ids * bytesPerId);
  };
  // With heavy ones the batch is folded again, without their merges: what the others move is charged then.
  if (heavy.length > 0) for (const one of heavy) charge(one, bytesPerCounted);
  else for (const one of light) charge(one, bytesPerMoved);
}
