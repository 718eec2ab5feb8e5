# entry: cube
# args: 2.0
# args: -0.5
# order: 2
# closed: [3 * x ** 2]
# closed second: 6 * x
# note: Figure 1 of Myia's paper


def cube(x):
    return x**3
