# entry: f
# args: 5
# args: 0
# note: a shift to the sign bit fits where the number is negative; zero may be shifted by any number of bits
def f(n):
    one = n - n + 1
    return -1 << 63, (-one) << 63, (-one) << 62, n << 2, (n - n) << 100, -one >> 100, n >> 1, n >> 63, True << n
