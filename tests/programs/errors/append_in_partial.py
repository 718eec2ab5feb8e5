# entry: f
# args: 2.0
# exit: 3
# message: the attribute `append` of a function is not supported
# line: 9
from functools import partial

L = [1.0]
put = partial(list.append, L)
put(5.0)


def f(x):
    return sum(L) * x
