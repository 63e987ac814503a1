/** The rules that more than one row of ours runs, a text each; texts are put one after another. */

export const OPEN_ORDERS = `
@rule
def open(o: Order):
    when(present(o.amount), absent(o.refunded))
    conclude(o.open, True)
`;

export const COUNT_OF_ORDERS = `
@rule
def orders(c: Customer):
    when(absent(c.blocked))
    conclude(c.orders, count(o for o in Order if o.customer == c and absent(o.refunded)))
`;

export const TOTAL_OF_ORDERS = `
@rule
def total(c: Customer):
    when(absent(c.blocked))
    conclude(c.total, sum(o.amount for o in Order if o.customer == c and absent(o.refunded)))
`;

export const CLOSURE = `
@rule
def base(p: P, q: P):
    when(p.edge == q)
    conclude(p.path, q)

@rule
def step(p: P, q: P, r: P):
    when(p.path == q, q.edge == r)
    conclude(p.path, r)
`;
