/** Jobs that wait, by their owner. Owners take turns, however many jobs each has. A place may be reserved for a job that is still to come. */
export class FairQueue<Job> {
  readonly #jobs = new Map<string, Job[]>();
  readonly #reserved = new Map<string, number>();
  readonly #paused = new Set<string>();
  #length = 0;

  /** Number of all jobs that wait, and of all reserved places. */
  get length(): number {
    return this.#length;
  }

  /** The same of one owner. */
  waitingOf(owner: string): number {
    return (this.#jobs.get(owner)?.length ?? 0) + (this.#reserved.get(owner) ?? 0);
  }

  reserve(owner: string): void {
    this.#reserved.set(owner, (this.#reserved.get(owner) ?? 0) + 1);
    this.#length += 1;
  }

  /** Gives a reserved place back. */
  giveBack(owner: string): void {
    const left = (this.#reserved.get(owner) ?? 0) - 1;
    if (left > 0) this.#reserved.set(owner, left);
    else this.#reserved.delete(owner);
    this.#length -= 1;
  }

  add(owner: string, job: Job): void {
    const jobs = this.#jobs.get(owner) ?? [];
    jobs.push(job);
    this.#jobs.set(owner, jobs);
    this.#length += 1;
  }

  /** Takes this job away, wherever it stands. False: it does not wait. */
  remove(owner: string, job: Job): boolean {
    const jobs = this.#jobs.get(owner);
    const at = jobs?.indexOf(job) ?? -1;
    if (jobs === undefined || at < 0) return false;
    jobs.splice(at, 1);
    if (jobs.length === 0) this.#jobs.delete(owner);
    this.#length -= 1;
    return true;
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
      this.#length -= 1;
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
    this.#length -= jobs.length;
    return jobs;
  }
}
