/** Makes `Date` of this process or isolate run `offset()` milliseconds ahead of the true time; negative: behind it. */
export function shiftDate(offset: () => number): void {
  const RealDate = Date;
  const now = () => RealDate.now() + offset();
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
    apply: () => new RealDate(now()).toString(),
    get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
  });
}
