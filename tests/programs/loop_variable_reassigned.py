# entry: f
# args: 2.0
# note: assigning the loop variable does not change the iteration


def f(x):
    total = 0.0
    for i in range(4):
        i = i * 10
        total += i * x
    return total * x
