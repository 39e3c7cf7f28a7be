/**
 * Makes this process one that does what its parent orders, an answer for each order; an order that fails ends it with code 1,
 * and so does, with 0, the parent's going.
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
