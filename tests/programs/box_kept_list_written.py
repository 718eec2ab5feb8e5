# entry: f
# args: 1.5


from gradus import Box


def keep(b, l):
    b.set(l)


def f(x):
    b = Box([0.0])
    l = [1.0]
    keep(b, l)
    l.append(x)
    return sum(b.get())
