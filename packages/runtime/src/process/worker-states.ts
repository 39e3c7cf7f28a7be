/** Report that a worker sends each second: its checks that are not ready, by name. */
export interface StateMessage {
  worker: 'state';
  notReady: Record<string, string>;
}

export function isStateMessage(message: unknown): message is StateMessage {
  return typeof message === 'object' && message !== null && 'worker' in message && message.worker === 'state';
}

interface State {
  reportedAtMs: number;
  /** Null: it has not reported yet. */
  notReady: Record<string, string> | null;
}

/** States of the workers that the first process knows, by slot. */
export interface WorkerStates {
  /** A worker begins. */
  begin: (slot: number) => void;
  report: (slot: number, notReady: Record<string, string>) => void;
  end: (slot: number) => void;
  /** Why the worker in a slot is unhealthy, or null. */
  unhealthyReason: (slot: number) => string | null;
  /**
   * The slots of workers that have been silent for longer than `ms`. To be called each second: when it was not, this
   * process was stopped, and every worker gets another chance.
   */
  silent: (ms: number) => number[];
}

const staleMs = 5_000;

export function createWorkerStates(nowMs: () => number): WorkerStates {
  const states = new Map<number, State>();
  let checkedAtMs = nowMs();
  return {
    begin: (slot) => void states.set(slot, { reportedAtMs: nowMs(), notReady: null }),
    report: (slot, notReady) => void states.set(slot, { reportedAtMs: nowMs(), notReady }),
    end: (slot) => void states.delete(slot),
    unhealthyReason(slot) {
      const state = states.get(slot);
      if (state === undefined) return 'does not run; it is started again';
      const silentMs = nowMs() - state.reportedAtMs;
      if (silentMs > staleMs) return `silent for ${Math.round(silentMs / 1000)} s`;
      if (state.notReady === null) return 'is starting';
      const reasons = Object.entries(state.notReady).map(([name, reason]) => `${name}: ${reason}`);
      return reasons.length === 0 ? null : reasons.join('; ');
    },
    silent(ms) {
      const [now, before] = [nowMs(), checkedAtMs];
      checkedAtMs = now;
      if (now - before > staleMs) for (const state of states.values()) state.reportedAtMs = now;
      return [...states].flatMap(([slot, { reportedAtMs }]) => (now - reportedAtMs > ms ? [slot] : []));
    },
  };
}
