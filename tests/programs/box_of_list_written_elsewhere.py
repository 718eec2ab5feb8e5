# entry: f
# args: 1.5


from gradus import Box


def push(b, v):
    l = b.get()
    l.append(v)
    b.set(l)


def f(x):
    b = Box([1.0, x])
    a = b.get()
    push(b, x)
    return sum(a)
