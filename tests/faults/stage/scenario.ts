import type { Ledger } from '../ledger/ledger.ts';
import type { LoadOptions } from '../rig/load.ts';
import type { Project } from '../rig/projects.ts';
import type { LogKind, Rig } from '../rig/rig.ts';

/** Tools of a fault while clients send. */
export interface Stage {
  rig: Rig;
  projects: readonly Project[];
  ledger: Ledger;
  /** Seconds instead of minutes. */
  short: boolean;
  /**
   * Repeats `round`: in the short form `short` times, else until the time is up and at least `long` times. Between two rounds it
   * waits until some events of clients are acknowledged.
   */
  rounds: (least: { short: number; long: number }, round: (number: number) => Promise<void>) => Promise<void>;
  /** A fault is over, or has happened if it took no time. */
  faulted: () => void;
  /** Lets time pass. */
  pause: (ms: number) => Promise<void>;
  /** Resolves when that many more events of clients are acknowledged. @throws when they are not within a minute. */
  comeIn: (events: number) => Promise<void>;
  /** Resolves when all that was acknowledged by now is stored. @throws when it is not within a minute. */
  recovered: () => Promise<void>;
  /** Something else than the ledger's rules did not hold. */
  wrong: (what: string) => void;
  /** Remark for readers of the report. */
  note: (what: string) => void;
}

/** One way of hurting the system, and what must hold nevertheless: the ledger's rules always, and what `run` finds wrong. */
export interface Scenario {
  name: string;
  /** Number in the list of scenarios in docs/reliability.md. */
  number: number;
  /** The harm, in a sentence. */
  does: string;
  logs: readonly LogKind[];
  /** Additional needs of the scenario; without them it is skipped. */
  needs?: { smallDisk?: true; redis?: true; ownBroker?: true };
  load?: Partial<LoadOptions>;
  /** The longest time in which nothing may be stored while something waits, in seconds. */
  standstillSMax?: number;
  /** Logs on which its short form is of the full tier. Unless named: all of `logs`. */
  fullTier?: readonly LogKind[];
  run(stage: Stage): Promise<void>;
}

export const bothLogs: readonly LogKind[] = ['embedded', 'kafka'];
