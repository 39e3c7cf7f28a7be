/**
 * Makes this process carry out the orders that its parent sends, and answer each. An order that fails ends it with code 1; when
 * the parent goes, it ends with code 0.
 */
export function carryOutOrders<Order, Result extends object>(carryOut: (order: Order) => Promise<Result>): void {
  process.on('message', (order) => {
    carryOut(order as Order).then(
      (result) => process.send?.(result),
      (error: unknown) => {
        process.stderr.write(`${String(error)}\n`);
        process.exit(1);
      },
    );
  });
  process.on('disconnect', () => process.exit(0));
}
