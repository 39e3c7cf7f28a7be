/**
 * Largest data that is read and rendered in the event loop: bytes of a body, or characters of stored events. Larger data goes to a thread
 * (contract/decisions 61).
 */
export const hereSizeMax = 262_144;
