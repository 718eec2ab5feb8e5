# entry: f
# args: 2.0
# exit: 3
# message: attribute `append`
# line: 7
L = [1.0]
put = L.append
put(2.0)


def f(x):
    return sum(L) * x
