/** Largest body, in bytes, that is read and rendered in the event loop. Larger ones go to a thread (contract/decisions 61). */
export const hereSizeMax = 262_144;
