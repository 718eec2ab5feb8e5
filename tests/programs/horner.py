# entry: f
# args: [1.0, -2.0, 0.5, 3.0], 1.5
# closed: [[x**3, x**2, x, 1.0], 3*c[0]*x*x + 2*c[1]*x + c[2]]


def f(c, x):
    y = 0.0
    for a in c:
        y = y * x + a
    return y
