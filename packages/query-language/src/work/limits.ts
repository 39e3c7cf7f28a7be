/** The most bytes of a value that a query makes, such as repeat('a', 1000000). */
export const madeBytesMax = 1_048_576;

/** The most bytes of a text that a query makes of texts of tables, which have up to 1 MiB each. */
export const grownBytesMax = 32 * madeBytesMax;

/** The most bytes of a text in which the engine looks for matches that it may look for through all of the rest, at every place. */
export const unevenTextMax = 4_096;

/** The most steps of a regular expression (`weighPattern`). */
export const patternStepsMax = 1_000;

/** The most characters of a pattern: one of so many steps at most is not longer, unless most of it does nothing. */
export const patternBytesMax = 16_384;

/** The most bytes of a pattern that is not written out. */
export const computedPatternMax = 250;

/** The most bytes of a text that is looked for in another. */
export const needleMax = 1_000;

/** The most bytes of a text that may be looked for whatever its case in a text of any length. */
export const shortNeedleMax = 100;

/** The most pairs of bytes, of a text and of one that is longer than that and looked for in it whatever its case. */
export const searchPairsMax = 100_000_000;

/** The most bytes of a JSON text that a path such as $.a[*] searches. */
export const jsonPathTextMax = 32_768;

/** The most bytes of a format of times. */
export const formatMax = 250;

/** The most pairs of items that hasAny(), hasAll() and hasSubstr() compare of one row, unless one of the arrays is short. */
export const pairsMax = 4_000_000;

/** Items up to which an array is short. */
export const shortListMax = 200;

/** The most characters of a piece of ngrams(). */
export const pieceMax = 100;

/** Nanoseconds of work that a block of rows may take: the engine checks the time between blocks. */
export const blockNanoseconds = 1e9;

/** Nanoseconds of work that one row may take, when it is a block of its own. */
export const rowNanoseconds = 3e9;

/** Nanoseconds that a block of a join may take for values of tables, which count as they usually are: three times what was measured for texts. */
export const behindJoinNanoseconds = 20e9;

/** Rows of a block as the engine has them. */
export const usualRows = 65_536;
