import { LRUCache } from 'lru-cache';

/** Bounds of the memory; a token is at most 64 characters. */
const projectsMax = 100_000;
const unknownTokensMax = 100_000;

/**
 * Cached results of lookups: the project of each token, or that it has none. Bounded: the longest unused are evicted.
 */
export class TokenMemory {
  readonly #projects = new LRUCache<string, number>({ max: projectsMax });
  readonly #unknown: LRUCache<string, true>;

  /** `unknownMs`: how long it is cached that a token names no project. */
  constructor(unknownMs: number) {
    this.#unknown = new LRUCache({ max: unknownTokensMax, ttl: unknownMs });
  }

  /** The project's id; `unknown` when there is none; undefined when nothing is known of the token. */
  get(token: string): number | 'unknown' | undefined {
    return this.#projects.get(token) ?? (this.#unknown.has(token) ? 'unknown' : undefined);
  }

  /** `projectId` undefined: the token names no project, or no more. */
  store(token: string, projectId: number | undefined): void {
    if (projectId !== undefined) {
      this.#projects.set(token, projectId);
      this.#unknown.delete(token);
    } else {
      this.#projects.delete(token);
      this.#unknown.set(token, true);
    }
  }

  forgetUnknown(): void {
    this.#unknown.clear();
  }

  /** All tokens that name a project. */
  known(): string[] {
    return [...this.#projects.keys()];
  }

  /** The tokens in memory that name one of these projects, or are among these tokens. */
  about(projectIds: ReadonlySet<number>, tokens: Iterable<string>): string[] {
    const found = new Set([...tokens].filter((token) => this.#projects.has(token) || this.#unknown.has(token)));
    for (const [token, id] of this.#projects.entries()) if (projectIds.has(id)) found.add(token);
    return [...found];
  }

  counts(): { projects: number; unknown: number } {
    return { projects: this.#projects.size, unknown: this.#unknown.size };
  }
}
