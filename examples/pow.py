# x ** n by a while loop: how often it runs is known only when it runs.
#
#   $ gradus grad examples/pow.py pow 2.0 3
#
# gives the value 8.0 and the gradient 12.0 (n * x ** (n - 1)); n is an int and has none.


def pow(x, n):
    r = 1
    while n > 0:
        n = n - 1
        r = r * x
    return r
