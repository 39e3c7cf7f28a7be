import { Counter, type Registry } from '../operations/metrics.ts';
import { endings } from './arrival.ts';
import type { ArrivingBodies } from './arriving-bodies.ts';

/** Registers a counter of bodies that a service ended, by reason. `name`: of the metric. */
export function countEnded(registry: Registry, name: string, bodies: Pick<ArrivingBodies, 'ended'>): void {
  new Counter({
    name,
    help: 'Bodies that were ended before they were complete, by reason (idle, total, slow: their time; share, memory: memory was short)',
    labelNames: ['reason'],
    registers: [registry],
    collect() {
      this.reset();
      for (const reason of endings) this.inc({ reason }, bodies.ended[reason]);
    },
  });
}
