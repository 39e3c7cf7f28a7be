import type { Position } from './position.ts';

/** By project: the position from which on its events are moved to the lane `overflow`. */
export type Moves = ReadonlyMap<number, Position>;

export const noMoves: Moves = new Map();

/** Most projects of one batch whose events leave it: a commit can hold them. */
export const movesMax = 50;

export function isBefore(one: Position, other: Position): boolean {
  return one.offset === other.offset ? one.index < other.index : one.offset < other.offset;
}

const form = /^(\d+)@(\d+)\.(\d+)$/;

/** Moves as a commit's metadata holds them; '' when there are none. At most 2 KB. */
export function encodeMoves(moves: Moves): string {
  return [...moves].map(([projectId, { offset, index }]) => `${projectId}@${offset}.${index}`).join(',');
}

/** Null for text of another form. */
export function decodeMoves(text: string): Moves | null {
  const found = text.split(',').map((part) => form.exec(part));
  if (!found.every((match) => match !== null)) return null;
  return new Map(
    found.map(([, project, offset, index]) => [Number(project), { offset: BigInt(offset ?? 0), index: Number(index) }]),
  );
}
