/** Limit of a figure, in the figure's own unit: at most, or at least; `stretch` is a harder one of the same direction. */
export interface Bar {
  /** Which of a line's figures; needless when there is one. */
  name?: string;
  most?: number;
  least?: number;
  stretch?: number;
  unit?: string;
}

/** A figure held to its bar. */
export interface Verdict {
  met: boolean;
  /** `bar ≤ 1.5: missed`. */
  text: string;
}

/** Holds a figure, unrounded, to its bar. Pure. */
export function judge(value: number, { name, most, least, stretch, unit = '' }: Bar): Verdict {
  const [limit, sign] = most !== undefined ? [most, '≤'] : [least ?? -Infinity, '≥'];
  const within = (bound: number): boolean => (sign === '≤' ? value <= bound : value >= bound);
  const met = within(limit);
  const further =
    stretch !== undefined && met
      ? `; stretch ${sign} ${thousands(stretch)}${unit}: ${within(stretch) ? 'met' : 'missed'}`
      : '';
  return {
    met,
    text: `${name === undefined ? '' : `${name} `}bar ${sign} ${thousands(limit)}${unit}: ${met ? 'met' : 'missed'}${further}`,
  };
}

const thousands = (value: number): string => String(value).replace(/\B(?=(\d{3})+$)/g, ' ');
