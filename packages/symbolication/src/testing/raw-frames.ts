import { type JsonObject, type RawFrame, readFrame } from '../frames/raw-frame.ts';

/** A frame of a browser, as posthog-js sends it. */
export const webFrame = (members: JsonObject = {}): RawFrame =>
  rawFrame({
    platform: 'web:javascript',
    filename: 'https://shop.example/assets/bundle.js',
    function: 'l',
    lineno: 1,
    colno: 1045,
    in_app: true,
    ...members,
  });

/** A frame with these members. */
export const rawFrame = (members: JsonObject): RawFrame => readFrame(members) as RawFrame;
