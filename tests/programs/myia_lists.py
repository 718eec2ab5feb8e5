# entry: f
# args: 1.5, -0.4
# closed: [2 * x + 10 * y, 10 * x + 8 * y]
# note: lists are mapped and reduced

from myia.operations import list_append, list_getitem, list_len, list_map, list_reduce, list_setitem, make_list, scalar_add, scalar_mul


def f(x, y):
    xs = list_setitem(make_list(x, x, y), 1, scalar_mul(5.0, y))
    ys = make_list(x, x, y)
    products = list_append(list_map(scalar_mul, xs, ys), scalar_mul(y, scalar_add(x, y)))
    total = list_reduce(scalar_add, products, 0.0)
    return total + list_getitem(xs, 0) * y * list_len(products) + 2.0 * y * y - 0.0 * x
