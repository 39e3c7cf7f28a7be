/** Characters (UTF-16) that are kept of texts of exceptions and frames (contract/decisions 108). */
export const lengthsMax = { message: 10_000, name: 1_000, file: 2_048 };
