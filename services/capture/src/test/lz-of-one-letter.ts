/** Phrases of lz-string, each one letter longer than the one before it; the library takes minutes for so long a text. */
export function lzOfOneLetter(phrases: number): string {
  const bits = [0, 0, ...bitsOf(0x61, 8)];
  let width = 3;
  for (let phrase = 0, untilWider = 4; phrase <= phrases; phrase++) {
    bits.push(...bitsOf(phrase < phrases ? phrase + 4 : 2, width));
    if (--untilWider === 0) untilWider = 2 ** width++;
  }
  return Buffer.from(
    Uint8Array.from({ length: Math.ceil(bits.length / 8) }, (_, at) =>
      bits.slice(at * 8, at * 8 + 8).reduce((byte, bit, place) => byte | (bit << (7 - place)), 0),
    ),
  ).toString('base64');
}

function bitsOf(value: number, count: number): number[] {
  return Array.from({ length: count }, (_, bit) => (value >> bit) & 1);
}
