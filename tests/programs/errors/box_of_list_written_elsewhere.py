# entry: f
# args: 1.5
# exit: 3
# message: may have another name, too
# line: 13


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
