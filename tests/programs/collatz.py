# entry: f
# args: 1.01, 27
# args: 1.5, 6
# note: an integer decides the number of iterations; the float goes along


def f(x, n):
    y = x
    steps = 0
    while n != 1:
        if n % 2 == 0:
            n //= 2
            y = y * 0.9 + x
        else:
            n = 3 * n + 1
            y = y * x - 0.5
        steps += 1
    return y + steps
