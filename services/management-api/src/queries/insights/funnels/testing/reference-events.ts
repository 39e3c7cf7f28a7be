/** An event as a walk sees it. Times in microseconds since 1970. */
export interface SeenEvent {
  t: number;
  /** Steps that it is, whatever its value. */
  steps: readonly number[];
  /** Steps that it is for the value that is looked at. */
  own: readonly number[];
  /** Steps behind which it spoils; empty for events that are steps. */
  spoils: readonly number[];
  /** May an unordered way begin with it? */
  starts: boolean;
  value: string;
}

/** Rules of a walk; the window in microseconds. */
export interface ReferenceFunnel {
  order: 'ordered' | 'strict' | 'unordered';
  steps: number;
  window: number;
}

/** Events of one moment. */
interface Moment {
  t: number;
  events: readonly SeenEvent[];
  hasStep: boolean;
  /** Are the events different? Strict ways are not broken then. */
  isMixed: boolean;
}

/** Events by their moments, in the order of the events. */
export function momentsOf(events: readonly SeenEvent[]): Moment[] {
  return [...new Set(events.map(({ t }) => t))].map((t) => {
    const own = events.filter((event) => event.t === t);
    return {
      t,
      events: own,
      hasStep: own.some(({ steps }) => steps.length > 0),
      isMixed: new Set(own.map(({ steps, spoils }) => `${steps.join()};${spoils.toSorted().join()}`)).size > 1,
    };
  });
}
