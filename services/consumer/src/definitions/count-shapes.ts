import type { Unwritten } from './unwritten.ts';

/** Makes the counts of shapes counts of their properties. */
export function countShapes({ shapes, counted, seenEvents }: Unwritten): void {
  for (const shape of shapes.splice(0)) {
    shape.properties.forEach((property, index) => {
      const kind = shape.kinds[index] as number;
      if (kind !== -1) property.counts[kind] = (property.counts[kind] as number) + shape.count;
      counted.add(property);
    });
    seenEvents.add(shape.event);
    shape.count = 0;
  }
}
