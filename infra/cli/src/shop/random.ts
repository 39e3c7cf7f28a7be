import { hash } from 'node:crypto';

/** A random generator. The same seed always gives the same choices. */
export interface Random {
  /** A number from 0 to 1, 1 excluded. */
  share(): number;
  /** A whole number of a range, both ends included. */
  between(least: number, most: number): number;
  /** True with this probability, 0 to 1. */
  chance(share: number): boolean;
  /** An item of the list. @throws for an empty one. */
  pick<T>(list: readonly T[]): T;
}

/** Mulberry32: small, and uniform enough for a demo. Pure but for its own state. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  function share(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const between = (least: number, most: number): number => least + Math.floor(share() * (most - least + 1));
  return {
    share,
    between,
    chance: (wanted) => share() < wanted,
    pick<T>(list: readonly T[]): T {
      if (list.length === 0) throw new Error('nothing to pick from');
      return list[between(0, list.length - 1)] as T;
    },
  };
}

/** A UUID of version 7 with the time `ms` (milliseconds since 1970) and a hash of the name: the same input always gives the same UUID. Pure. */
export function namedUuidV7(ms: number, name: string): string {
  const digits = hash('sha256', name, 'hex');
  const time = ms.toString(16).padStart(12, '0');
  const variant = ((parseInt(digits.charAt(3), 16) & 0x3) | 0x8).toString(16);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${digits.slice(0, 3)}-${variant}${digits.slice(4, 7)}-${digits.slice(7, 19)}`;
}
