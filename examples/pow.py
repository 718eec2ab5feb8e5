# x ** n by a while loop: how often it runs is known only when it runs. The gradient is n * x ** (n - 1); n is an int and has none.
#
#   $ gradus grad examples/pow.py pow 2.0 3
#   value     8.0
#   gradient  (12.0, None)


def pow(x, n):
    r = 1
    while n > 0:
        n = n - 1
        r = r * x
    return r
