/** A count with commas: `2,345`. */
export function thousands(count: number): string {
  return count.toLocaleString('en-US');
}
