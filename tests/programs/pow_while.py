# entry: pow
# args: 2.0, 3
# args: -1.5, 5
# args: 3.0, 0
# closed: [n * x ** (n - 1) if n else 0.0, None]
# result: float
# note: x ** n by a while loop; an int meets a float where r is joined


def pow(x, n):
    r = 1
    while n > 0:
        n = n - 1
        r = r * x
    return r
