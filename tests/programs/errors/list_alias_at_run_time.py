# entry: f
# args: 2.0, 3.0
# exit: 3
# message: something that may share its memory is read later
# line: 12


def f(x, m):
    l = [x * i for i in range(int(m))]
    k = l
    if x > 1.0:
        k.append(x)
    return sum(l)
