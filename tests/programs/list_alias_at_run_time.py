# entry: f
# args: 2.0, 3.5


def f(x, m):
    l = [x * i for i in range(int(m))]
    k = l
    if x > 1.0:
        k.append(x)
    return sum(l)
