# command: run
# entry: f
# args: 1.5
# exit: 1
# message: IndexError: list index out of range
# line: 20
# note: what comes after a read of an element that there never is is not made, nor is what captures it
def apply(f, r):
    return f(r)


def f(x):
    r0 = [x, x]
    m0 = [[x]]
    n = 0
    while n < x:
        n += 1
    r0[0] += x
    r1 = apply(lambda t: r0, r0)
    m0[1][0] = n * x
    return m0[0][0] + r1[0] + r0[0]
