# entry: f
# args: 1.5


from gradus import Box


def f(x):
    b = Box([1.0, x])
    l = b.get()
    l.append(x)
    return sum(b.get())
