# entry: f
# args: 2.0
# args: 10.0
# note: the bounds do not depend on the argument smoothly; the last step does


def f(a):
    lo = 0.0
    hi = a + 1.0
    mid = a
    for _ in range(30):
        mid = (lo + hi) / 2
        if mid * mid * mid < a:
            lo = mid
        else:
            hi = mid
    return mid - (mid * mid * mid - a) / (3.0 * mid * mid)
