/** Jobs that wait, by who they are for: each is served in turn, whoever has sent more. */
export class FairQueue<Job> {
  readonly #jobs = new Map<string, Job[]>();

  /** How many wait for this one. */
  waitingOf(owner: string): number {
    return this.#jobs.get(owner)?.length ?? 0;
  }

  add(owner: string, job: Job): void {
    const jobs = this.#jobs.get(owner) ?? [];
    jobs.push(job);
    this.#jobs.set(owner, jobs);
  }

  /** Takes the next one; undefined when none waits. */
  take(): Job | undefined {
    const [next] = this.#jobs;
    if (next === undefined) return undefined;
    const [owner, jobs] = next;
    const job = jobs.shift();
    // Behind all others.
    this.#jobs.delete(owner);
    if (jobs.length > 0) this.#jobs.set(owner, jobs);
    return job;
  }
}
