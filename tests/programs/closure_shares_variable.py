# entry: f
# args: 1.5
# note: closures that outlive an assignment to a variable they read: the variable is in a box


def in_tuple(x):
    scale = 1.0
    g = (lambda z: scale * z, x)
    scale = 3.0 * x
    return g[0](x)


def in_list(x):
    functions = []
    for i in range(3):
        functions.append(lambda z: z * x + i)
    x = x * 2.0
    return functions[0](x) * functions[2](x)


def returned(x):
    def make():
        total = x

        def get():
            return total

        total = total * x
        return get

    return make()() * 2.0


def through_default(x):
    scale = 1.0

    def g(y, h=lambda z: z * scale):
        return h(y)

    scale = x
    return g(x)


def f(x):
    return in_tuple(x) + in_list(x) * returned(x) + through_default(x)
