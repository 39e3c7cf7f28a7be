/** Jobs that wait, by their owner. Owners take turns, however many jobs each has. */
export class FairQueue<Job> {
  readonly #jobs = new Map<string, Job[]>();
  readonly #paused = new Set<string>();

  /** Number of the owner's jobs that wait. */
  waitingOf(owner: string): number {
    return this.#jobs.get(owner)?.length ?? 0;
  }

  add(owner: string, job: Job): void {
    const jobs = this.#jobs.get(owner) ?? [];
    jobs.push(job);
    this.#jobs.set(owner, jobs);
  }

  /** From now on no job of this owner is taken. */
  pause(owner: string): void {
    this.#paused.add(owner);
  }

  resume(owner: string): void {
    this.#paused.delete(owner);
  }

  /** Takes the next job; undefined when none waits, or none but those of paused owners. */
  take(): Job | undefined {
    for (const [owner, jobs] of this.#jobs) {
      if (this.#paused.has(owner)) continue;
      const job = jobs.shift();
      // The owner's next turn comes after all others.
      this.#jobs.delete(owner);
      if (jobs.length > 0) this.#jobs.set(owner, jobs);
      return job;
    }
    return undefined;
  }

  /** Takes all jobs, those of paused owners too. */
  takeAll(): Job[] {
    const jobs = [...this.#jobs.values()].flat();
    this.#jobs.clear();
    return jobs;
  }
}
