import { setFlagsFromString } from 'node:v8';

/**
 * From now on V8 counts what lies in Buffers as a part of its heap, and begins a full collection when all of it has grown by so
 * many percent. Left alone it begins one with every 64 MB of Buffers, however many are gone already, and with little
 * growth. More percent is more memory. To be called before anything else.
 */
export function collectWhenGrownBy(percent: number): void {
  setFlagsFromString('--external-memory-accounted-in-global-limit');
  setFlagsFromString(`--heap-growing-percent=${percent}`);
}
