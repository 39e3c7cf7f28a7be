import { AppError } from '@millrace/http/errors/errors.ts';

/** Calls of the language model that may run at once. Each holds a request and a connection for up to LLM_TIMEOUT. */
export interface ModelSlots {
  /** Does the work in a slot of the project. @throws {AppError} throttled, when none is free; and what the work throws */
  run<Result>(projectId: number, work: () => Promise<Result>): Promise<Result>;
}

interface SlotLimits {
  slots: number;
  perProject: number;
}

/** Seconds after which a refused caller may try again. */
const retryAfterS = 5;

/** The slots of this process (contract/decisions 72). */
export function createModelSlots({ slots, perProject }: SlotLimits = { slots: 8, perProject: 2 }): ModelSlots {
  const taken = new Map<number, number>();
  let all = 0;
  return {
    async run(projectId, work) {
      const own = taken.get(projectId) ?? 0;
      if (all >= slots || own >= perProject)
        throw new AppError('throttled', {
          detail: `The language model is busy${own >= perProject ? ' for this project' : ''}. Ask again when it is done.`,
          retryAfterS,
        });
      all += 1;
      taken.set(projectId, own + 1);
      try {
        return await work();
      } finally {
        all -= 1;
        const left = (taken.get(projectId) ?? 1) - 1;
        if (left === 0) taken.delete(projectId);
        else taken.set(projectId, left);
      }
    },
  };
}
