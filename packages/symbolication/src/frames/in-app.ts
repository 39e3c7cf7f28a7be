import { platformOf } from './platforms.ts';
import type { RawFrame } from './raw-frame.ts';

const dependency = /(?:^|[\\/])node_modules(?:[\\/]|$)/;
const extension = /^(?:chrome|moz|safari|safari-web|ms-browser)-extension:|^webkit-masked-url:/;
const library =
  /^node:|(?:^|[\\/])(?:node_modules|site-packages|dist-packages|lib[\\/]python\d{1,2}\.\d{1,3})(?:[\\/]|$)/;

/**
 * Whether a frame belongs to the application (contract/decisions 117). `source` is the one that its map leads to; undefined for a
 * frame that is not resolved by a map. Pure.
 */
export function isInApp(frame: RawFrame, source: string | undefined): boolean {
  const places = source === undefined ? [frame.filename ?? '', frame.absPath ?? ''] : [source];
  const sent = frame.inApp ?? true;
  if (platformOf(frame.platform).isWeb !== true) return sent && !places.some((place) => library.test(place));
  if (frame.filename === '<anonymous>' && frame.line === undefined) return false;
  if (extension.test(frame.filename ?? '')) return false;
  if (places.some((place) => dependency.test(place) || extension.test(place))) return false;
  return source !== undefined || sent;
}

const ownSdk =
  /(?:^|[\\/])(?:posthog-(?:js|node|js-lite|react-native)|@posthog|(?:site|dist)-packages[\\/]posthog)[\\/@]/;
const ownScript = /\/static\/[\w.-]{0,60}(?:array|recorder|exception-autocapture|surveys)[\w.-]{0,60}\.js$/;

/** Whether a frame is of an SDK, whose stacks say little about the application. Pure. */
export const isOwnSdk = (file: string): boolean => ownSdk.test(file) || ownScript.test(file);
