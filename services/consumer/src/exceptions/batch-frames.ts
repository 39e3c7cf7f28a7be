import { frameKey, type FrameStore, type StoredFrame } from './frame-store.ts';

/** Frames of one project that a batch stores: a record with its lines is some 5 kB, and an event may have 2,400. */
const projectFramesMax = 5_000;

/** The frames of a batch that are to be stored, each once: events of one fault have the same. */
export class BatchFrames {
  readonly #store: Pick<FrameStore, 'isStored'>;
  readonly #frames = new Map<string, StoredFrame>();
  readonly #counts = new Map<number, number>();

  constructor(store: Pick<FrameStore, 'isStored'>) {
    this.#store = store;
  }

  /** Leaves out those beyond what a project may have: they are stored when they come again. */
  add(frame: StoredFrame): void {
    const key = frameKey(frame);
    const count = this.#counts.get(frame.projectId) ?? 0;
    if (count >= projectFramesMax || this.#frames.has(key) || this.#store.isStored(frame)) return;
    this.#frames.set(key, frame);
    this.#counts.set(frame.projectId, count + 1);
  }

  get all(): StoredFrame[] {
    return [...this.#frames.values()];
  }
}
