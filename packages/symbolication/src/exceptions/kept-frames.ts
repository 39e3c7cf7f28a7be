/** Frames of a stack that are kept (contract/decisions 108). */
const stackMax = { first: 50, last: 200 };
/** Frames of an event; of stacks beyond them fewer are kept (contract/decisions 130). */
const eventMax = 2_000;
const beyondMax = { first: 2, last: 8 };

/** Chooses the frames of an event that are kept: long stacks keep the entry, and the last frames, where the crash is. */
export class KeptFrames {
  #left = eventMax;

  /**
   * The frames of the next stack. `expand` answers those that a sent one becomes, several where functions were inlined. It is not called for
   * more than may be kept, and once at most for each.
   */
  of<Sent, Frame>(sent: readonly Sent[], expand: (one: Sent) => readonly Frame[]): Frame[] {
    const ends = this.#left > beyondMax.first + beyondMax.last ? stackMax : beyondMax;
    const frames = endsOf(expandEnds(sent, expand, ends), ends);
    const kept = frames.length > this.#left ? endsOf(frames, beyondMax) : frames;
    this.#left = Math.max(0, this.#left - kept.length);
    return kept;
  }
}

interface Ends {
  first: number;
  last: number;
}

const endsOf = <Frame>(frames: Frame[], { first, last }: Ends): Frame[] =>
  frames.length <= first + last ? frames : [...frames.slice(0, first), ...frames.slice(-last)];

/** Frames of which the ends are those of the whole stack. */
function expandEnds<Sent, Frame>(
  sent: readonly Sent[],
  expand: (one: Sent) => readonly Frame[],
  { first, last }: Ends,
): Frame[] {
  const start: Frame[] = [];
  let from = 0;
  while (from < sent.length && start.length < first) start.push(...expand(sent[from++] as Sent));
  const groups: (readonly Frame[])[] = [];
  let to = sent.length;
  for (let count = 0; to > from && count < last; count += groups.at(-1)?.length ?? 0)
    groups.push(expand(sent[--to] as Sent));
  return [...start, ...groups.reverse().flat()];
}
