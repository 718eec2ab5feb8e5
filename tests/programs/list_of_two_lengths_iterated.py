# entry: f
# args: 0.6
# args: 0.25
# note: a list that a branch gives one of two lengths is gone over by a loop inside of which another one appends
def written(x):
    out = []
    for n in [1, 2] if x > 0.5 else [1]:
        for _ in range(n):
            out.append(x)
    return out[0] * len(out)


def appended(x):
    p = [1]
    if x > 0.5:
        p.append(2)
    out = []
    for n in p:
        for _ in range(n):
            out.append(x * n)
    return out[-1]


def f(x):
    return written(x) * x + appended(x) ** 2
