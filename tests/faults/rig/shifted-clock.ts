// Loaded in front of a service (node --import): its wall clock is shifted by a message over the channel to its
// supervisor, `{ clockShiftMs }`. As after a jump of the machine's clock, timers and durations continue as before.
const RealDate = Date;
let shiftMs = 0;
const now = (): number => RealDate.now() + shiftMs;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args: unknown[], newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget) as Date,
  apply: () => new RealDate(now()).toString(),
  get: (target, name, receiver) => (name === 'now' ? now : (Reflect.get(target, name, receiver) as unknown)),
});

process.on('message', (message: { clockShiftMs?: number }) => {
  if (message.clockShiftMs !== undefined) shiftMs = message.clockShiftMs;
});
