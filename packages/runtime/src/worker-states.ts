/** Report that a worker sends each second: its checks that are not ready, by name. */
export interface StateMessage {
  worker: 'state';
  notReady: Record<string, string>;
}

export function isStateMessage(message: unknown): message is StateMessage {
  return typeof message === 'object' && message !== null && 'worker' in message && message.worker === 'state';
}

interface State {
  heardAtMs: number;
  /** Null: it has not said anything yet. */
  notReady: Record<string, string> | null;
}

/** States of the workers that the first process knows, by slot. */
export interface WorkerStates {
  /** A worker begins. */
  begin: (slot: number) => void;
  hear: (slot: number, notReady: Record<string, string>) => void;
  end: (slot: number) => void;
  /** The trouble of the worker in a slot, or null. */
  trouble: (slot: number) => string | null;
  /**
   * The slots of workers that have been silent for longer than `ms`. To be asked each second: when it was not, it is we
   * who were stopped, and everybody has another chance.
   */
  silent: (ms: number) => number[];
}

const doubtfulMs = 5_000;

export function createWorkerStates(nowMs: () => number): WorkerStates {
  const states = new Map<number, State>();
  let askedAtMs = nowMs();
  return {
    begin: (slot) => void states.set(slot, { heardAtMs: nowMs(), notReady: null }),
    hear: (slot, notReady) => void states.set(slot, { heardAtMs: nowMs(), notReady }),
    end: (slot) => void states.delete(slot),
    trouble(slot) {
      const state = states.get(slot);
      if (state === undefined) return 'does not run; it is started again';
      const silentMs = nowMs() - state.heardAtMs;
      if (silentMs > doubtfulMs) return `silent for ${Math.round(silentMs / 1000)} s`;
      if (state.notReady === null) return 'is starting';
      const troubles = Object.entries(state.notReady).map(([name, trouble]) => `${name}: ${trouble}`);
      return troubles.length === 0 ? null : troubles.join('; ');
    },
    silent(ms) {
      const [now, before] = [nowMs(), askedAtMs];
      askedAtMs = now;
      if (now - before > doubtfulMs) for (const state of states.values()) state.heardAtMs = now;
      return [...states].flatMap(([slot, { heardAtMs }]) => (now - heardAtMs > ms ? [slot] : []));
    },
  };
}
