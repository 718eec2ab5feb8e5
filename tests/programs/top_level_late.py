# entry: f
# args: 2.0
# args: -0.5
# note: attributes that are set by name; lambdas that are called where they stand, before what they read changes
class Rate:
    n = 1.0


setattr(Rate, "n", 3.0)
setattr(Rate, "bias", 0.25)

k = 1.0
start = (lambda: k * 2.0)()
order = sorted([1.0, 3.0, 2.0], key=lambda v: k * v)


def g(x, a=(lambda: k)()):
    return a * x


k = -5.0


def f(x):
    return Rate.n * x + Rate.bias + start * x * x + order[0] * x + g(x) ** 3
